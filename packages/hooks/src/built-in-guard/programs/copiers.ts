import { type Call, textOf, type Words } from '../named-place.ts';
import type { Arrival } from './arrivals.ts';
import { names } from './known-programs.ts';
import { has, operandsOf, valuesOf } from './words.ts';

/** They write their last word, or what they copy into it. */
export const COPIERS = names('cp mv ln install rsync scp ditto gcp gmv gln ginstall');
const VALUED = /^(?:-[mogSZ]|--(?:mode|owner|group|suffix|context|backup|exclude|include|rsh|chmod))$/;
const INTO = /^(?:-t|--target-directory)$/;

/** Where the copies go, and what arrives there. */
export function copies({ name, words, handed }: Call): Arrival[] {
  const into = /^(?:rsync|scp|ditto)$/.test(name) ? [] : valuesOf(words, INTO);
  const operands = operandsOf(words, INTO.test(textOf(words[0])) ? INTO : VALUED).filter((said) => !into.includes(said));
  const extra: Words = handed.length > 0 ? [handed] : [];
  if (into.length > 0) return into.map((each) => ({ into: each, names: [...operands, ...extra] }));
  // A link to one file lies in the working directory, under the same name.
  if (/ln$/.test(name) && operands.length === 1) return [{ into: [{ text: '.', glob: false }], names: operands }];
  const last = operands.at(-1);
  if (last === undefined) return [];
  const sources = [...operands.slice(0, -1), ...extra];
  const isTree = has(words, /^-[a-zA-Z]*T|^--no-target-directory$/);
  // `cp -rT from to`: what is in `from` is then in `to`.
  return [{ into: last, names: isTree ? sources.map((said) => said.map(({ text, glob }) => ({ text: `${text}/.`, glob }))) : sources }];
}

/** Which of its words it changes itself. */
export function copierChanges({ name, words, handed }: Call): Words {
  const operands = operandsOf(words);
  const extra: Words = handed.length > 0 ? [handed] : [];
  const named = words.filter((said) => /^--[\w-]+=|^-t./.test(textOf(said)));
  // What is moved is gone from where it was; a link to something of ours is another way to it.
  if (/^g?(?:mv|ln)$/.test(name) || has(words, /^--remove-source-files$/)) return [...words, ...extra];
  return [...valuesOf(words, INTO), ...operands.slice(-1), ...named, ...extra];
}
