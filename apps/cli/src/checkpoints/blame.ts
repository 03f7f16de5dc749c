import { resolve } from 'node:path';
import type { BlamedLine, BlameOptions, Checkpoints, Unblamable } from '@piton/checkpoints';
import { UnknownCommit, UnreadableList } from '@piton/checkpoints';
import { GitError } from '@piton/git';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { replaceControls } from '../output/text.ts';

const WHY: Readonly<Record<Unblamable, readonly [what: string, remedy?: string]>> = {
  outside: ['this is not in this repository', 'use a file inside it'],
  missing: ['no such file'],
  directory: ['this is a directory', 'use one of its files'],
  submodule: ['this is a submodule', 'run it there'],
  'other-repository': ['this belongs to another repository', 'run it there'],
  special: ['this is not a file'],
  unreadable: ['this cannot be read'],
  binary: ['this is not a text file'],
  ignored: ['this is ignored by git, so it is not recorded'],
  'left-out': ['this is excluded from checkpoints, so it is not recorded', '`piton checkpoints show` lists excluded files and why'],
  'no-such-commit': ['no such commit'],
};

/** The lines of a file and who wrote each, or a failure that says why that is unknown. `file` is relative to the current directory. */
export async function blameHere(
  context: Context,
  checkpoints: Checkpoints,
  file: string,
  rev?: string,
  options: BlameOptions = {},
): Promise<readonly BlamedLine[]> {
  const path = resolve(context.cwd, file);
  const blamed = await checkpoints.blame(path, rev, options).catch(throwGitFailure);
  if (blamed.result === 'lines') return blamed.lines;
  const { why } = blamed;
  const [what, remedy] = WHY[why];
  const advice = why === 'missing' && file.includes('\ufffd') ? 'the name is not valid UTF-8' : remedy;
  throw new Failure(what, {
    where: `${replaceControls(file)}${rev === undefined ? '' : ` in ${replaceControls(rev)}`}`,
    ...(advice ? { remedy: advice } : {}),
  });
}

function throwGitFailure(error: unknown): never {
  if (error instanceof UnknownCommit) throw new Failure('no such commit', { where: replaceControls(error.rev) });
  if (error instanceof UnreadableList) throw new Failure('this cannot be read', { where: replaceControls(error.file) });
  throw error instanceof GitError ? new Failure(error.message) : error;
}

export const byOf = ({ by, agent }: BlamedLine): string => (by === 'agent' ? (agent ?? 'agent') : by === 'human' ? 'you' : by);

/** In a sentence: nobody can tell which of them it was. */
export const writtenBy = (line: BlamedLine): string =>
  line.by !== 'shared' ? byOf(line) : line.agent === null ? 'you or one of several sessions (shared)' : `you or ${line.agent} (shared)`;

export function lineJson({ checkpoint, ...line }: BlamedLine): object {
  const { id = null, turn = null, name = null } = checkpoint ?? {};
  return { ...line, checkpoint: id, turn, name };
}
