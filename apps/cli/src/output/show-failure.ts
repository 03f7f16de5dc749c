import { withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';
import type { Failure } from '../failure.ts';
import { widthOf, wrap } from './text.ts';

/** What is wrong, where, and how to fix it. Quoted text is indented, so that it cannot look like a line of ours. */
export function showFailure(context: Context, { message, where, remedy }: Failure): void {
  context.err(`${context.paint('red', 'error')}: ${within(context, message, 7)}\n`);
  if (where) context.err(`  where: ${within(context, where, 9)}\n`);
  if (remedy) context.err(`  fix: ${within(context, withCommandName(context, remedy), 7)}\n`);
}

/** Wrapped between words, but a command at the end stays on one line, so that it can be pasted. */
function within({ width }: Context, text: string, used: number): string {
  const [, before = text, command = ''] = /^(.*: )(\S* ?piton .*)$/s.exec(text) ?? [];
  const room = width - Math.max(used, INDENT.length);
  if (command !== '' && widthOf(text) > room) return [...wrapLines(before.trimEnd(), room), command].join(INDENT_LINE);
  return wrapLines(text, room).join(INDENT_LINE);
}

const INDENT = '    ';
const INDENT_LINE = `\n${INDENT}`;

const wrapLines = (text: string, width: number): string[] => text.split('\n').flatMap((line) => wrap(line, width));
