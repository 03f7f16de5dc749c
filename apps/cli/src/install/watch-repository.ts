import { realpathSync } from 'node:fs';
import type { Places } from '@piton/contracts/places';
import { addRepository } from '@piton/server';
import { spelled } from '../command-name.ts';
import { type Context, say } from '../context.ts';
import { repositoryRoot } from '../repository.ts';

export interface WatchedRepository {
  readonly root: string;
  /** It was not watched before. */
  readonly added: boolean;
}

/** From now on every turn in this repository is a checkpoint. Undefined where there is none. */
export function watchRepository(context: Context, places: Places): WatchedRepository | undefined {
  const found = repositoryRoot(context);
  if (found === undefined) return undefined;
  const root = realpathSync(found);
  return { root, added: addRepository(places.home, root) };
}

export function reportWatched(context: Context, watched: WatchedRepository | undefined): void {
  if (watched === undefined) return say(context, spelled(context, '\nCheckpoints are taken in repositories: run `piton init` in one.'));
  const since = watched.added ? 'from the next prompt on' : 'already on';
  say(context, `\nCheckpoints of every turn in ${watched.root}: ${since}. ${spelled(context, '`piton rewind` takes a turn back.')}`);
}
