import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isUlid } from '@piton/contracts';
import { checkpointRef, REFS } from '../checkpoint.ts';
import { type LastCheckpoint, readLast, writeWhole } from '../snapshot/working-state.ts';
import { createWorktree, type Worktree, type WorktreeOptions } from '../worktree.ts';
import { goneState, removedState } from './repository.ts';

/**
 * A place whose state is its own. The folder of the state is named after where the git directory lies: one that is made where another
 * was deleted would have the turns, the unfinished work and the rewinds of that one.
 */
export async function openWorktree(options: WorktreeOptions): Promise<Worktree> {
  const worktree = createWorktree(options);
  await keepApart(worktree);
  const last = await readLast(worktree.state);
  if (last && isUlid(last.id) && (await isAnothers(worktree, last))) quarantine(worktree, last);
  return worktree;
}

/** Of linked worktrees git uses the name again. All of them have the same checkpoints: those do not tell one from another. */
async function keepApart({ state, repository: { place } }: Worktree): Promise<void> {
  if (place === null) return;
  const file = join(state, 'place');
  const known = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (known === place) return;
  if (known !== null) rmSync(removedState(state, known), { recursive: true, force: true });
  if (known !== null) renameSync(state, removedState(state, known));
  await writeWhole(file, place);
}

/**
 * Only if nothing of the last checkpoint is here, and no ref of ours: copies, moves and backups have some, and of a repository whose
 * refs somebody deleted the objects stay. Where git does not answer, the state is kept.
 */
async function isAnothers({ git, repository }: Worktree, last: LastCheckpoint): Promise<boolean> {
  if (existsSync(join(repository.commonDir, checkpointRef(last.id)))) return false;
  const cwd = repository.root;
  const ours = await git(['for-each-ref', '--count=1', '--format=%(refname)', REFS], { cwd });
  if (ours.code !== 0 || ours.stdout.length > 0) return false;
  const object = await git(['cat-file', '-e', last.commit ?? last.tree], { cwd });
  // 128: a name that this kind of repository does not have, as that of a SHA-1 in one of SHA-256.
  return object.code === 1 || object.code === 128;
}

/** Not deleted: the other one may only have been moved, and be found later. */
function quarantine({ state }: Worktree, { id }: LastCheckpoint): void {
  try {
    renameSync(state, goneState(state, id));
  } catch {
    // Another process did it.
  }
}
