import { type Cursor, cursorOn, looksAt, peek, takeWhile } from './cursor.ts';
import { unmarked } from './marks.ts';
import { type ReadScript, readQuoted, readWord } from './read-word.ts';
import type { Part, Redirection } from './syntax.ts';

const OPERATORS = ['&>>', '<<<', '<<-', '&>', '<<', '>>', '>|', '<>', '>&', '<&', '<', '>'];

export function readRedirection(cursor: Cursor, script: ReadScript): Redirection {
  takeWhile(cursor, (each) => /\d/.test(each));
  const operator = OPERATORS.find((each) => looksAt(cursor, each)) ?? '>';
  cursor.at += operator.length;
  takeWhile(cursor, (each) => each === ' ' || each === '\t');
  const start = cursor.at;
  const target = readWord(cursor, script);
  if (operator !== '<<' && operator !== '<<-') return { operator, target };
  const raw = cursor.text.slice(start, cursor.at);
  const end = target.map((part) => (part.kind === 'text' ? unmarked(part.text) : '')).join('');
  const body: Part[] = [];
  cursor.waiting.push({
    end: /['"\\]/.test(raw) ? end : raw,
    tabs: operator === '<<-',
    quoted: /['"\\]/.test(raw),
    take(text) {
      const within = cursorOn(text, cursor.depth + 1);
      body.push(...(this.quoted || within.lost ? [{ kind: 'text', text } as const] : readQuoted(within, script, '')));
      if (within.lost) cursor.lost = true;
    },
  });
  return { operator, target, body };
}

/** The texts that begin behind this line end, one after the other. */
export function readWaiting(cursor: Cursor): void {
  for (const document of cursor.waiting.splice(0)) {
    const lines: string[] = [];
    while (cursor.at < cursor.text.length) {
      const raw = takeWhile(cursor, (each) => each !== '\n');
      if (peek(cursor) === '\n') cursor.at++;
      const line = document.tabs ? raw.replace(/^\t+/, '') : raw;
      // Inside `$( … )` people close both on one line.
      if (line === document.end) break;
      lines.push(line);
    }
    document.take(lines.map((line) => `${line}\n`).join(''));
  }
}
