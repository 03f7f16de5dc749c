import { resolve } from 'node:path';
import { type BlamedLine, blameFile, GitError, type Place, type Unblamable, unblamable } from '@piton/checkpoints';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { whole } from '../output/text.ts';

const WHY: Readonly<Record<Unblamable, readonly [what: string, remedy?: string]>> = {
  outside: ['is not in this repository', 'give a file of it'],
  missing: ['there is no such file'],
  directory: ['is a directory', 'give one of its files'],
  submodule: ['is a submodule', 'ask in there'],
  'other-repository': ['belongs to another repository', 'ask in there'],
  special: ['is no file'],
  unreadable: ['cannot be read'],
  binary: ['is no text: it has no lines'],
  ignored: ['is ignored: nothing of it is recorded'],
  'left-out': ['is left out of checkpoints: nothing of it is recorded', '`piton checkpoints show` names what is left out, and why'],
  'no-such-commit': ['there is no such commit'],
};

/** The lines of a file and whose they are, or a word why nobody can say. Names are meant from where the person stands. */
export async function blameHere(context: Context, place: Place, file: string, rev?: string): Promise<BlamedLine[]> {
  const path = resolve(context.cwd, file);
  const why = await unblamable(place, path, rev);
  const lines = why === null ? await blameFile(place, path, rev).catch(gitsTrouble) : null;
  if (lines !== null) return lines;
  const [what, remedy] = WHY[why ?? 'missing'];
  const advice = why === 'missing' && file.includes('\ufffd') ? 'a name that is not UTF-8 cannot be given on a command line' : remedy;
  throw new Failure(what, {
    where: `${whole(file)}${rev === undefined ? '' : ` in ${whole(rev)}`}`,
    ...(advice ? { remedy: advice } : {}),
  });
}

function gitsTrouble(error: unknown): never {
  throw error instanceof GitError ? new Failure(error.message) : error;
}

export const byOf = ({ by, checkpoint }: BlamedLine): string =>
  by === 'agent' ? (checkpoint?.agent ?? 'agent') : by === 'human' ? 'you' : by;

export function lineJson({ checkpoint, ...line }: BlamedLine): object {
  const { id = null, session = null, agent = null, turn = null, name = null } = checkpoint ?? {};
  return { ...line, checkpoint: id, session, agent, turn, name };
}
