import { type Grounds, textOf, type Words } from '../named-place.ts';
import { fits, segmentsOf } from '../path-segments.ts';
import type { Text } from '../shell/expansion.ts';

const ACTION = /^-(?:exec|execdir|ok|okdir)$/;
const ACTS = /^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)$/;
const NAMED = /^-i?name$/;

/** Does it more than print what it finds? */
export const acts = (words: Words): boolean => words.some((said) => ACTS.test(textOf(said)));
export const deletes = (words: Words): boolean => words.some((said) => textOf(said) === '-delete');
/** Files that it is told to write. */
export const listsInto = (words: Words): Words => words.filter((_, at) => /^-(?:fprint0?|fprintf|fls)$/.test(textOf(words[at - 1])));

/** The commands behind `-exec` and its like. */
export function actionsIn(words: Words): Words[] {
  return words.flatMap((said, at) => {
    if (!ACTION.test(textOf(said))) return [];
    const rest = words.slice(at + 1);
    const end = rest.findIndex((each) => textOf(each) === ';' || textOf(each) === '+');
    return [end < 0 ? rest : rest.slice(0, end)];
  });
}

/** Where it begins. */
export function rootsIn(words: Words): string[] {
  const end = words.findIndex((said) => /^[-(!]|^,$/.test(textOf(said)) && !/^-[HLP]$/.test(textOf(said)));
  return words
    .slice(0, end < 0 ? words.length : end)
    .map(textOf)
    .filter((text) => !text.startsWith('-'));
}

/** What `find` may find: by the names that it looks for, or all that lies where it begins. */
export function foundBy(words: Words, cwd: string | null, grounds: Grounds): Text[] {
  const end = words.findIndex((said) => /^[-(!]|^,$/.test(textOf(said)) && !/^-[HLP]$/.test(textOf(said)));
  const named = words.slice(0, end < 0 ? words.length : end).filter((said) => !textOf(said).startsWith('-'));
  const roots = named.length > 0 ? named.flat() : [{ text: '.', glob: false }];
  // A name that is refused leaves all others in.
  const names = words.flatMap((said, at) => (NAMED.test(textOf(words[at - 1])) && !/^(?:!|-not)$/.test(textOf(words[at - 2])) ? said : []));
  if (names.length === 0)
    return roots.flatMap(({ text, glob }) => [
      { text, glob },
      { text: `${text}/*`, glob: true },
    ]);
  return roots.flatMap((root) => [
    ...names.map(({ text }) => ({ text: `${root.text}/${text}`, glob: true })),
    ...deeper(root, names, cwd, grounds),
  ]);
}

/** Files of ours further down that bear one of the names. */
function deeper({ text, glob }: Text, names: readonly Text[], cwd: string | null, { below, disk, here }: Grounds): Text[] {
  if (glob || cwd === null) return [];
  const root = segmentsOf(text, cwd);
  return below(root, here)
    .filter((rest) => names.some((name) => fits((rest.at(-1) as string).toLowerCase(), name.text.toLowerCase(), false)))
    .filter((rest) => disk.exists(`/${[...root.names, ...rest].join('/')}`))
    .map((rest) => ({ text: `${text}/${rest.join('/')}`, glob: false }));
}
