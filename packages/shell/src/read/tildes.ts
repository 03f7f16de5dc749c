import type { Word, WordPart } from './syntax.ts';

const USER = /^~(?:[A-Za-z_][\w.-]*|\+|-|[-+]?\d+)?$/;
const ASSIGNS = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** A `~` counts at the beginning of a word, and in what looks like an assignment behind `=` and `:`. Braces are written out first. */
export const withTildes = (parts: WordPart[]): Word => (hasOpen(parts, '~') && !hasOpen(parts, '{') ? tildesIn(parts) : parts);

export function tildesIn(parts: Word): Word {
  const [first] = parts;
  if (first?.kind !== 'text' || first.quoted || !hasOpen(parts, '~')) return parts;
  const name = ASSIGNS.exec(first.text)?.[0];
  return name === undefined ? tildeAtStart(parts) : [{ kind: 'text', text: name, quoted: false }, ...valueTildes(cut(parts, name.length))];
}

/** Does the character stand in it without quotes? Asked of every word. */
export function hasOpen(parts: Word, char: string): boolean {
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as WordPart;
    if (part.kind === 'text' && !part.quoted && part.text.includes(char)) return true;
  }
  return false;
}

/** The same in the value of an assignment. */
export function valueTildes(parts: Word): Word {
  if (!hasOpen(parts, '~')) return parts;
  const pieces: WordPart[] = [];
  let starts = true;
  parts.forEach((part, at) => {
    if (part.kind !== 'text' || part.quoted) pieces.push(part);
    else
      part.text.split(/(?<=:)/).forEach((piece, of, all) => {
        const rest: WordPart[] = [{ ...part, text: piece }];
        // What follows in the same word may still belong to the name of a user.
        const isLast = of === all.length - 1 && at < parts.length - 1;
        if (starts || of > 0)
          pieces.push(...tildeAtStart(isLast ? [...rest, parts[at + 1] as WordPart] : rest, true).slice(0, isLast ? -1 : undefined));
        else pieces.push(...rest);
      });
    starts = part.kind === 'text' && !part.quoted && part.text.endsWith(':');
  });
  return pieces;
}

/** Of words that were made by braces only this counts. */
export function tildeAtStart(parts: Word, isValue = false): Word {
  const [first, ...rest] = parts;
  if (first?.kind !== 'text' || first.quoted || !first.text.startsWith('~')) return parts;
  const [prefix = '~'] = /^~[^/:=]*/.exec(first.text) ?? [];
  const next = first.text[prefix.length];
  if ((next === undefined && rest.length > 0) || !USER.test(prefix)) return parts;
  const left = first.text.slice(prefix.length);
  return [
    { kind: 'tilde', user: next === '=' || (next === ':' && !isValue) ? ':' : prefix.slice(1) },
    ...(left === '' ? [] : [{ ...first, text: left }]),
    ...rest,
  ];
}

/** The word without its first characters, which are plain ones. */
function cut(parts: Word, length: number): Word {
  const [first, ...rest] = parts;
  if (first?.kind !== 'text') return parts;
  return first.text.length === length ? rest : [{ ...first, text: first.text.slice(length) }, ...rest];
}
