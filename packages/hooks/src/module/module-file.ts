import { extname } from 'node:path';

const PLAIN = ['.js', '.mjs', '.cjs'];
const TYPED = ['.ts', '.mts', '.cts'];

/** Why a file can be no module, or undefined. */
export function moduleKindProblem(path: string): string | undefined {
  if ([...PLAIN, ...TYPED].includes(extname(path))) return undefined;
  return `"module" is ${path}, which is neither JavaScript (${PLAIN.join(', ')}) nor TypeScript (${TYPED.join(', ')})`;
}

/** Why a module cannot run here, or undefined. Without Piton, TypeScript is left to Node itself, where it strips types without a flag. */
export function moduleProblem(path: string, node: NodeJS.Process = process): string | undefined {
  const wrong = moduleKindProblem(path);
  if (wrong !== undefined || PLAIN.includes(extname(path))) return wrong;
  if ((node.features as { typescript?: unknown }).typescript) return undefined;
  return `"module" is ${path}: TypeScript needs Node 22.18 or newer, and this is ${node.versions.node}; compile it to .mjs`;
}
