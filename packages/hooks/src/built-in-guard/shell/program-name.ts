import { textOf, type Words } from '../named-place.ts';

/** The program's own name, without its directory. */
export function nameOf(words: Words): string {
  const text = textOf(words[0]);
  return text.slice(text.lastIndexOf('/') + 1);
}
