import { type Checkpoints, openCheckpoints } from '@piton/checkpoints';
import { createGit } from '@piton/git';
import type { Context } from '../context.ts';
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
