import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isUlid } from '@piton/contracts';
import type { Git } from '@piton/git';
import { type MessageSyntax, withTrailers } from './trailers.ts';

const TRAILER = 'Piton-Checkpoint';

/** Ids anywhere in a message, since a squash indents or quotes them. Whether they mean anything only our refs can say. */
export function idsIn(message: string): string[] {
  const found = [...message.matchAll(/Piton-Checkpoint:[ \t]*([0-9A-Z]{26})\b/gi)].map(([, id = '']) => id.toUpperCase());
  return [...new Set(found)].filter(isUlid);
}

/** Whether somebody wrote anything: not comments, not what `commit -v` shows, not our own lines. */
export function hasMessage(whole: string, { commentSign }: MessageSyntax): boolean {
  const text = whole.split(/^.{0,3} ?-{8,} >8 -{8,}$/m)[0] ?? '';
  return text.split('\n').some((line) => line.trim() !== '' && !line.startsWith(commentSign) && !line.startsWith(`${TRAILER}:`));
}

/** Adds a line for each id, where git would put it; a message that has it stays as it is. */
export function addTrailers(file: string, ids: readonly string[], syntax: MessageSyntax): void {
  if (ids.length > 0) writeFileSync(file, withTrailers(readFileSync(file, 'latin1'), TRAILER, ids, syntax), 'latin1');
}

/**
 * Whether an editor will show the message, and git will take comments out of it afterwards. A hook never asks by itself:
 * it may run without a terminal, and git waits for it.
 */
export async function canAsk(
  git: Git,
  cwd: string,
  { hook, source }: { readonly hook: string; readonly source: string },
): Promise<boolean> {
  if (hook !== 'prepare-commit-msg' || (source !== '' && source !== 'template')) return false;
  const cleanup = (await git(['config', '--get', 'commit.cleanup'], { cwd })).stdout.toString().trim();
  return cleanup === '' || cleanup === 'default' || cleanup === 'strip';
}

/** The same lines as comments, above what git itself has to say: whoever wants the link takes the sign away. */
export async function offerTrailers(git: Git, cwd: string, file: string, ids: readonly string[]): Promise<void> {
  const sign = await commentSign(git, cwd);
  // One that git has yet to choose by the message is not known here.
  if (sign === null) return;
  const text = await readFile(file, 'latin1');
  const lines = [`${sign} Uncomment to link this commit to the agent's checkpoint:`, ...ids.map((id) => `${sign} ${TRAILER}: ${id}`)];
  const rows = text.split('\n');
  const at = rows.findIndex((row) => row.startsWith(sign));
  const [head, rest] = at === -1 ? [rows, []] : [rows.slice(0, at), rows.slice(at)];
  while (head.at(-1) === '') head.pop();
  await writeFile(file, [...(head.length > 0 ? head : ['']), '', ...lines, ...rest].join('\n').replace(/\n*$/, '\n'), 'latin1');
}

async function commentSign(git: Git, cwd: string): Promise<string | null> {
  const named = await Promise.all(['core.commentString', 'core.commentChar'].map((name) => git(['config', '--get', name], { cwd })));
  const sign = named.map(({ stdout }) => stdout.toString().replace(/\n$/, '')).find((value) => value !== '') ?? '#';
  return sign === 'auto' ? null : sign;
}
