import { widthOf, wrap } from './text.ts';

/**
 * Prose that may end with a command, in lines of a terminal: wrapped between words, but a command that does not fit starts on a line of
 * its own and stays whole, so that it can be pasted. Lines of the text stay lines. `used` are the columns before the first line.
 */
export function wrapRemedy(text: string, { width, used, indent }: { width: number; used: number; indent: string }): string {
  const room = width - Math.max(used, indent.length);
  const [, before = '', command = ''] = /^(.*: )(\S* ?piton .*)$/s.exec(text) ?? [];
  const lines = command !== '' && widthOf(text) > room ? [...wrapLines(before.trimEnd(), room), command] : wrapLines(text, room);
  return lines.join(`\n${indent}`);
}

const wrapLines = (text: string, width: number): string[] => text.split('\n').flatMap((line) => wrap(line, width));
