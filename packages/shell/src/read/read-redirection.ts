import type { ReadList } from './read-script.ts';
import { endOf, readInside, readValue, readWord } from './read-word.ts';
import { type Scan, skipBlanks, take } from './scan.ts';
import type { Redirection, Word } from './syntax.ts';

/** With what says which descriptor is meant; `<(` and `>(` begin a word. */
const OPERATOR = /(?:\d+|\{[A-Za-z_]\w*\})?(?:<<<|<<-|<<|<>|<&|<(?!\()|>>|>\||>&|>(?!\())|&>>?/y;

/** A redirection, if one stands here. */
export function readRedirection(scan: Scan, list: ReadList): Redirection | undefined {
  const found = take(scan, OPERATOR);
  if (found === '') return undefined;
  const operator = found.slice(found.search(/[<>&]/));
  skipBlanks(scan);
  const start = scan.at;
  const target = operator === '<<<' ? readValue(scan, list) : readWord(scan, list);
  if (operator !== '<<' && operator !== '<<-') return { operator, target };
  const raw = scan.text.slice(start, scan.at);
  const quoted = /['"\\]/.test(raw);
  const redirection: { operator: string; target: Word; body: Word } = { operator, target, body: [] };
  scan.waiting.push({
    end: quoted ? target.map((part) => (part.kind === 'text' ? part.text : '')).join('') : raw,
    tabs: operator === '<<-',
    quoted,
    take: (body) => {
      redirection.body = body;
    },
  });
  return redirection;
}

/** The texts that begin behind this line's end, one after the other. */
export function readDocuments(scan: Scan, list: ReadList): void {
  if (scan.waiting.length === 0) return;
  const { text } = scan;
  const { waiting } = scan;
  scan.waiting = [];
  for (const { end, tabs, quoted, take: give } of waiting) {
    const start = scan.at;
    const lines: string[] = [];
    let joins = false;
    while (scan.at < text.length) {
      const stop = endOf(text, '\n', scan.at);
      const whole = text.slice(scan.at, stop);
      const line = tabs ? whole.replace(/^\t+/, '') : whole;
      scan.at = stop + 1;
      if (line === end && !joins) break;
      lines.push(line, '\n');
      // A line that goes on in the next one does not let that end the text.
      joins = !quoted && line.endsWith('\\') && (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1;
    }
    const body = lines.join('');
    give(quoted ? [{ kind: 'text', text: body, quoted: true }] : readInside(scan, list, body, start));
  }
  scan.at = Math.min(scan.at, text.length);
}
