import { readdirSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { type LintFile, type LintFinding, type LintInput, lintArtifact } from '@piton/artifacts';
import { ARTIFACT_FILE } from '@piton/hooks';
import { reasonOf } from '../failure.ts';
import { readRegular } from '../files/regular-file.ts';
import { LINT_CONTEXT } from './lint-context.ts';

/** Longer files are not hand-written scripts. */
export const MAX_SIZE = 1_000_000;

/** Lints the artifact in a folder. */
export function lintFolder(folder: string): readonly LintFinding[] {
  const read = readFolder(folder);
  if (read.ok) return lintArtifact(read.input);
  return [{ severity: 'error', rule: 'unreadable', file: join(folder, ARTIFACT_FILE), line: 1, what: `cannot read it: ${read.why}` }];
}

export function readFolder(folder: string): { ok: true; input: LintInput } | { ok: false; why: string } {
  const file = join(folder, ARTIFACT_FILE);
  try {
    const text = readRegular(file, MAX_SIZE).toString('utf8');
    const bundled = readdirSync(folder).filter((name) => name !== ARTIFACT_FILE && !name.startsWith('.'));
    return { ok: true, input: { file, text, bundled, findFile: (path) => readLintFile(folder, path), context: LINT_CONTEXT } };
  } catch (error) {
    return { ok: false, why: reasonOf(error) };
  }
}

/** A file in the folder. Undefined for one outside it. */
export function readLintFile(folder: string, path: string): LintFile | undefined {
  if (normalize(path).startsWith('..')) return undefined;
  const full = join(folder, path);
  try {
    const stat = statSync(full);
    if (!stat.isFile()) return undefined;
    return { executable: (stat.mode & 0o111) !== 0, text: stat.size > MAX_SIZE ? null : textOf(readRegular(full, MAX_SIZE)) };
  } catch {
    return undefined;
  }
}

const textOf = (bytes: Buffer): string | null => (bytes.includes(0) ? null : bytes.toString('utf8'));
