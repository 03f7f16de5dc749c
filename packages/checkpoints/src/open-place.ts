import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isUlid } from '@piton/contracts';
import { checkpointRef, REFS } from './checkpoint.ts';
import { createPlace, type Place, type PlaceOptions } from './place.ts';
import { goneState } from './repository.ts';
import { type LastCheckpoint, readLast } from './working-state.ts';

/**
 * A place whose state is its own. The folder of the state is named after where the git directory lies: one that is made where another
 * was deleted would have the turns, the unfinished work and the rewinds of that one.
 */
export async function openPlace(options: PlaceOptions): Promise<Place> {
  const place = createPlace(options);
  const last = await readLast(place.state);
  if (last && isUlid(last.id) && (await isAnothers(place, last))) setAside(place, last);
  return place;
}

/**
 * Only if nothing of the last checkpoint is here, and no ref of ours: copies, moves and backups have some, and of a repository whose
 * refs somebody deleted the objects stay. Where git does not answer, the state is kept.
 */
async function isAnothers({ git, repository }: Place, last: LastCheckpoint): Promise<boolean> {
  if (existsSync(join(repository.commonDir, checkpointRef(last.id)))) return false;
  const cwd = repository.root;
  const ours = await git(['for-each-ref', '--count=1', '--format=%(refname)', REFS], { cwd });
  if (ours.code !== 0 || ours.stdout.length > 0) return false;
  const object = await git(['cat-file', '-e', last.commit ?? last.tree], { cwd });
  // 128: a name that this kind of repository does not have, as that of a SHA-1 in one of SHA-256.
  return object.code === 1 || object.code === 128;
}

/** Not deleted: the other one may only have been moved, and be found later. */
function setAside({ state }: Place, { id }: LastCheckpoint): void {
  try {
    renameSync(state, goneState(state, id));
  } catch {
    // Another process did it.
  }
}
