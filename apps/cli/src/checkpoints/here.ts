import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Checkpoint, createGit, findRepository, listCheckpoints, openPlace, type Place } from '@piton/checkpoints';
import { followRepository } from '@piton/server';
import { spelled } from '../command-name.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { redactorHere } from '../redactor.ts';

/** The working tree around the current directory, with what its checkpoints need. */
export async function placeHere(context: Context): Promise<Place> {
  const places = requirePlaces(context);
  const git = createGit({ environment: context.env });
  const repository = await findRepository(git, context.cwd);
  if (repository === null)
    throw new Failure('this is no git repository', { where: context.cwd, remedy: 'checkpoints live in git: go to a repository' });
  followRepository(places.home, repository.root);
  const redactor = redactorHere(context);
  return openPlace({
    git,
    repository,
    redact: (text) => redactor.text(text),
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    stateDirectory: join(places.home, 'checkpoints'),
  });
}

/** Of this working tree, the oldest first. */
export const checkpointsHere = (place: Place): Promise<Checkpoint[]> =>
  listCheckpoints(place.git, place.repository, { worktree: place.repository.worktree });

/** Of all working trees of the repository, the oldest first: commits and lines come from any of them. */
export const checkpointsAnywhere = (place: Place): Promise<Checkpoint[]> => listCheckpoints(place.git, place.repository);

/** By its id or the end or beginning of it that fits only one. Ids of one minute begin alike, so people use the end. */
export function chooseCheckpoint(context: Context, all: readonly Checkpoint[], ref: string): Checkpoint {
  const wanted = ref.toUpperCase();
  const found = all.filter(({ id }) => id === wanted || id.endsWith(wanted) || id.startsWith(wanted));
  const [only] = found;
  if (only && found.length === 1) return only;
  throw new Failure(
    only ? `${JSON.stringify(ref)} fits ${found.length} checkpoints` : `there is no checkpoint ${JSON.stringify(ref)} here`,
    {
      remedy: spelled(context, only ? 'give more of the id' : '`piton checkpoints` lists them'),
    },
  );
}

/** The last characters are random, and enough among those of one working tree. */
export const shortId = ({ id }: Checkpoint): string => id.slice(-8);
