import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { type LintFile, type LintFinding, lintArtifact } from '@piton/artifacts';
import { LINT_WORLD } from '@piton/server';
import { reasonOf } from '../failure.ts';

const FILE = 'ARTIFACT.md';
/** What is longer is no script that anybody wrote. */
const LONGEST = 1_000_000;

/** What lint says of the artifact in a folder. */
export function lintFolder(folder: string): readonly LintFinding[] {
  const file = join(folder, FILE);
  let text: string;
  let bundled: string[];
  try {
    text = readFileSync(file, 'utf8');
    bundled = readdirSync(folder).filter((name) => name !== FILE && !name.startsWith('.'));
  } catch (error) {
    return [{ severity: 'error', rule: 'unreadable', file, line: 1, what: `it cannot be read: ${reasonOf(error)}` }];
  }
  return lintArtifact({ file, text, bundled, look: (path) => lookAt(folder, path), world: LINT_WORLD });
}

/** A file of the folder; what lies outside it is none of it. */
export function lookAt(folder: string, path: string): LintFile | undefined {
  if (normalize(path).startsWith('..')) return undefined;
  const full = join(folder, path);
  try {
    const stat = statSync(full);
    if (!stat.isFile()) return undefined;
    return { executable: (stat.mode & 0o111) !== 0, text: stat.size > LONGEST ? null : textOf(readFileSync(full)) };
  } catch {
    return undefined;
  }
}

const textOf = (bytes: Buffer): string | null => (bytes.includes(0) ? null : bytes.toString('utf8'));
