import { textOf, type Words } from '../named-place.ts';
import type { Text } from '../shell/expansion.ts';

/** What is no option. */
export function operandsOf(words: Words, valued?: RegExp): Words {
  const end = words.findIndex((said) => textOf(said) === '--');
  const before = end < 0 ? words : words.slice(0, end);
  const operands = before.filter((said, at) => !/^-./.test(textOf(said)) && valued?.test(textOf(words[at - 1])) !== true);
  return end < 0 ? operands : [...operands, ...words.slice(end + 1)];
}

/** The values of an option: behind it, behind `=`, or joined to a short one. */
export function valuesOf(words: Words, option: RegExp): Words {
  return words.flatMap((said, at) => {
    const text = textOf(said);
    if (option.test(text)) return words.slice(at + 1, at + 2);
    const [name = '', value] = /^(--[\w-]+)=(.*)$/s.exec(text)?.slice(1) ?? /^(-[a-zA-Z])(.+)$/s.exec(text)?.slice(1) ?? [];
    return value !== undefined && option.test(name) ? [said.map(({ text: whole, glob }) => cut(whole, name, glob))] : [];
  });
}

const cut = (text: string, name: string, glob: boolean): Text => ({ text: text.slice(name.length).replace(/^=/, ''), glob });

export const has = (words: Words, option: RegExp): boolean => words.some((said) => option.test(textOf(said)));
