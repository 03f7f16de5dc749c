import { type Checkpoint, type Checkpoints, openCheckpoints } from '@piton/checkpoints';
import { createGit } from '@piton/git';
import { withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { gitHere } from '../programs.ts';
import { redactorHere } from '../redactor.ts';
import { noRepository } from '../repository.ts';

/** The checkpoints of the working tree around the current directory. */
export async function openHere(context: Context): Promise<Checkpoints> {
  const { home } = requirePlaces(context);
  const git = createGit(gitHere(context));
  const redactor = redactorHere(context);
  const checkpoints = await openCheckpoints({
    git,
    directory: context.cwd,
    home,
    redact: (text) => redactor.text(text),
    holdsToken: (text) => redactor.holdsToken(text),
  });
  if (checkpoints === null) throw noRepository(context, 'run it in a git repository');
  return checkpoints;
}

/** By its ID, or by a suffix or prefix that only one has. IDs made in the same minute share a prefix, so people use the suffix. */
export function chooseCheckpoint<One extends Pick<Checkpoint, 'id'>>(context: Context, all: readonly One[], ref: string): One {
  const wanted = ref.toUpperCase();
  const found = all.filter(({ id }) => id === wanted || id.endsWith(wanted) || id.startsWith(wanted));
  const [only] = found;
  if (only && found.length === 1) return only;
  throw new Failure(only ? `${JSON.stringify(ref)} matches ${found.length} checkpoints` : `no checkpoint ${JSON.stringify(ref)} here`, {
    remedy: withCommandName(context, only ? 'use more of the ID' : 'list them: piton checkpoints'),
  });
}

/** The last characters are random, and unique enough within one working tree. */
export const shortId = ({ id }: Checkpoint): string => id.slice(-8);
