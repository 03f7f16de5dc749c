import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointRef, worktreeKey } from '@piton/checkpoints';

/** What is known of each working tree lies in a folder that is named after its git directory. */
const stateOf = (home: string, gitDir: string): string => join(home, 'checkpoints', worktreeKey({ gitDir }));

/**
 * Of repositories that were watched elsewhere, the one that now lies in `gitDir`: it has the last checkpoint that was taken
 * there, and the old place has none any more. A copy has it too, but then the old place still has some, though perhaps not the last.
 */
export function movedFrom(home: string, roots: readonly string[], gitDir: string): string | undefined {
  return roots.find((root) => {
    const old = join(root, '.git');
    const id = old === gitDir ? null : lastCheckpoint(stateOf(home, old));
    return id !== null && hasCheckpoint(gitDir, id) && !hasCheckpoints(old);
  });
}

/** What waits for a commit, was promised to one, or belongs to an open turn comes along, in all of its working trees. */
export function carryState(home: string, from: string, to: string): void {
  const linked = existsSync(join(to, 'worktrees')) ? readdirSync(join(to, 'worktrees')) : [];
  for (const part of ['', ...linked.map((name) => join('worktrees', name))]) {
    const [old, now] = [stateOf(home, join(from, part)), stateOf(home, join(to, part))];
    if (existsSync(old) && !existsSync(now)) renameSync(old, now);
  }
}

function lastCheckpoint(state: string): string | null {
  try {
    return (JSON.parse(readFileSync(join(state, 'last.json'), 'utf8')) as { id: string }).id;
  } catch {
    return null;
  }
}

function hasCheckpoint(gitDir: string, id: string): boolean {
  return existsSync(join(gitDir, checkpointRef(id))) || packedRefs(gitDir).includes(` ${checkpointRef(id)}\n`);
}

function hasCheckpoints(gitDir: string): boolean {
  const folder = join(gitDir, checkpointRef(''));
  return (existsSync(folder) && readdirSync(folder).length > 0) || packedRefs(gitDir).includes(` ${checkpointRef('')}`);
}

function packedRefs(gitDir: string): string {
  try {
    return readFileSync(join(gitDir, 'packed-refs'), 'latin1');
  } catch {
    return '';
  }
}
