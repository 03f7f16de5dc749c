import { unescaped } from '@piton/shell';
import type { Words } from '../named-place.ts';
import type { Text } from './expansion.ts';

/** What `echo` or `printf` says, from the words behind its name. Where one may come to several, all are said. */
export function printedText(name: string, words: Words): Text {
  const all = words.flat();
  const glob = all.some((each) => each.glob);
  const texts = all.map(({ text }) => text);
  if (name === 'printf') return { text: formatted(texts[0] === '--' ? texts.slice(1) : texts), glob };
  const from = texts.findIndex((text) => !/^-[neE]+$/.test(text));
  const joined = from < 0 ? '' : texts.slice(from).join(' ');
  return { text: texts.slice(0, Math.max(0, from)).some((text) => text.includes('e')) ? unescaped(joined) : joined, glob };
}

const LONGEST = 65_536;

/** As often through the format as there are values for it. */
function formatted([format = '', ...values]: readonly string[]): string {
  const shape = unescaped(format);
  let at = 0;
  let made = '';
  do {
    const from = at;
    made += shape.replaceAll(/%(?:%|([-+ #0]*)(\d*|\*)(?:\.(\d*|\*))?([a-zA-Z]))/g, (mark, flags, wide, long, kind) => {
      if (mark === '%%') return '%';
      const [width, most] = [wide, long].map((size) => (size === '*' ? values[at++] : size));
      const value = values[at++] ?? '';
      const text = kind === 'b' ? unescaped(value) : value;
      const kept = kind === 's' && most !== undefined ? text.slice(0, Number(most)) : text;
      // Blanks part two words, however many there are.
      const blanks = ' '.repeat(Math.min(2, Math.max(0, Math.abs(Number(width)) - kept.length)));
      return flags.includes('-') || Number(width) < 0 ? kept + blanks : blanks + kept;
    });
    if (at === from) break;
  } while (at < values.length && made.length < LONGEST);
  return made;
}
