import { extname } from 'node:path';

const PLAIN = ['.js', '.mjs', '.cjs'];
const TYPED = ['.ts', '.mts', '.cts'];

/** Why a module cannot run here, or undefined. TypeScript is left to Node itself, where it strips types without a flag. */
export function moduleProblem(path: string, node: NodeJS.Process = process): string | undefined {
  const kind = extname(path);
  if (PLAIN.includes(kind)) return undefined;
  if (!TYPED.includes(kind))
    return `"module" is ${path}, which is neither JavaScript (${PLAIN.join(', ')}) nor TypeScript (${TYPED.join(', ')})`;
  if ((node.features as { typescript?: unknown }).typescript) return undefined;
  return `"module" is ${path}: TypeScript needs Node 22.18 or newer, and this is ${node.versions.node}; compile it to .mjs`;
}
