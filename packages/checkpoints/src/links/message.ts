import { readFile } from 'node:fs/promises';
import { isUlid } from '@piton/contracts';
import { type Git, gitOutput } from '../git.ts';

const TRAILER = 'Piton-Checkpoint';

/** Ids anywhere in a message, since a squash indents or quotes them. Whether they mean anything only our refs can say. */
export function idsIn(message: string): string[] {
  const found = [...message.matchAll(/Piton-Checkpoint:[ \t]*([0-9A-Z]{26})\b/gi)].map(([, id = '']) => id.toUpperCase());
  return [...new Set(found)].filter(isUlid);
}

/** Whether somebody wrote anything: not comments, not what `commit -v` shows, not our own lines. */
export async function hasMessage(git: Git, cwd: string, file: string): Promise<boolean> {
  const whole = await readFile(file, 'utf8');
  const text = whole.split(/^.{0,3} ?-{8,} >8 -{8,}$/m)[0] ?? '';
  const clean = await gitOutput(git, ['stripspace', '--strip-comments'], { cwd, input: Buffer.from(text) });
  return clean
    .toString()
    .split('\n')
    .some((line) => line.trim() !== '' && !line.startsWith(`${TRAILER}:`));
}

/** Adds a line for each id, where git would put it; a message that has it stays as it is. */
export async function addTrailers(git: Git, cwd: string, file: string, ids: readonly string[]): Promise<void> {
  const lines = ids.flatMap((id) => ['--trailer', `${TRAILER}: ${id}`]);
  await gitOutput(git, ['interpret-trailers', '--in-place', '--no-divider', '--if-exists', 'addIfDifferent', ...lines, file], { cwd });
}
