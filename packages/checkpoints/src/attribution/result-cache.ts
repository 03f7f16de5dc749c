import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gitOutput } from '@piton/git';
import { REFS } from '../checkpoint.ts';
import { writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';

/** What is kept of each worktree; the least recently used goes first. */
const MOST_RESULTS = 200;
const MOST_BYTES = 32 * 1024 * 1024;

/** Increase it when the same input gives another answer. */
const FORMAT = 2;

const folder = ({ state }: Pick<Worktree, 'state'>): string => join(state, 'attributed');

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

/**
 * A name for an answer, out of all that it depends on: what was asked, every checkpoint, what is known of rewritten commits, and what
 * makes git see another history. Nothing in the repository can say what the answer is: the cache lies in Piton's home alone.
 */
export async function resultKey(worktree: Worktree, asked: readonly unknown[]): Promise<string> {
  const { git, repository } = worktree;
  const refs = await gitOutput(git, ['for-each-ref', '--format=%(refname) %(objectname)', REFS, 'refs/replace/'], { cwd: repository.root });
  const files = ['shallow', 'info/grafts'].map((name) => readOr(join(repository.commonDir, name), ''));
  const known = [FORMAT, repository.worktree, repository.configuration, ...files, readOr(join(worktree.state, 'rewritten'), '')];
  return createHash('sha256')
    .update(JSON.stringify([...known, asked]))
    .update(refs)
    .digest('hex');
}

/** What was answered before; whatever is wrong with it, it is computed again. */
export function readResult<Result>(worktree: Worktree, key: string): Result | null {
  const file = join(folder(worktree), key);
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'), revived) as Result;
    const now = new Date(worktree.now());
    utimesSync(file, now, now);
    return result;
  } catch {
    return null;
  }
}

/** A full disk, or a home that cannot be written, costs the next one its time, nothing else. */
export async function keepResult(worktree: Worktree, key: string, result: unknown): Promise<void> {
  try {
    await writeWhole(join(folder(worktree), key), JSON.stringify(result));
    prune(folder(worktree));
  } catch {
    // It is computed again.
  }
}

function prune(directory: string): void {
  if (!existsSync(directory)) return;
  const files = readdirSync(directory).flatMap((name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    return found ? [{ file: join(directory, name), bytes: found.size, used: found.mtimeMs }] : [];
  });
  let [count, bytes] = [0, 0];
  for (const one of files.sort((a, b) => b.used - a.used)) {
    count++;
    bytes += one.bytes;
    if (count > MOST_RESULTS || bytes > MOST_BYTES) rmSync(one.file, { force: true });
  }
}

const revived = (field: string, value: unknown): unknown => (field === 'at' && typeof value === 'string' ? new Date(value) : value);
