import { type Call, textOf, type Words } from '../named-place.ts';
import type { Text } from '../shell/expansion.ts';
import { type Arrival, isAddress, remoteName } from './arrivals.ts';
import { has, operandsOf, valuesOf } from './words.ts';

const HERE: readonly Text[] = [{ text: '.', glob: false }];
const orHere = (directories: Words): readonly Text[] => (directories.length > 0 ? directories.flat() : HERE);

/** What unpackers, downloaders and patches put where: by their own options, or into the directory that they run in. */
export function incoming({ name, words }: Call): Arrival[] {
  const maker = MAKERS[name];
  return maker === undefined ? [] : maker(words);
}

const tar = (words: Words): Arrival[] => {
  if (!extracts(words)) return [];
  const into = orHere(valuesOf(words, /^(?:-C|--directory|--cd)$/));
  const members = operandsOf(words, /^(?:-[a-zA-Z]*f|-C|--file|--directory|--exclude|--strip-components)$/).slice(
    /^-/.test(textOf(words[0])) ? 0 : 2,
  );
  const isRenamed = has(words, /^--(?:strip|transform|xform|one-top-level)/);
  return [{ into, names: members.length > 0 && !isRenamed ? members : 'any' }];
};

export function extracts(words: Words): boolean {
  return words.some((said, at) => {
    const text = textOf(said);
    return /^--(?:extract|get)$/.test(text) || /^-[a-zA-Z]*x/.test(text) || (at === 0 && /^[a-zA-Z]*x[a-zA-Z]*$/.test(text));
  });
}

const unzip = (words: Words): Arrival[] => {
  if (has(words, /^-[a-zA-Z]*[lptZvz]/)) return [];
  const members = operandsOf(words, /^-[dxP]$/).slice(1);
  return [{ into: orHere(valuesOf(words, /^-d$/)), names: members.length > 0 ? members : 'any' }];
};

const curl = (words: Words): Arrival[] => {
  const into = orHere(valuesOf(words, /^--output-dir$/));
  const named = valuesOf(words, /^(?:-[a-zA-Z]*o|--output)$/);
  const isRemote = has(words, /^(?:-[a-zA-Z]*[OJ][a-zA-Z]*|--remote-name(?:-all)?|--remote-header-name)$/);
  const addresses = words.filter(isAddress).map(remoteName);
  return [
    { into, names: named },
    ...(isRemote ? [{ into, names: addresses.length > 0 && !has(words, /J|remote-header/) ? addresses : ('any' as const) }] : []),
  ];
};

const wget = (words: Words): Arrival[] => {
  if (has(words, /^(?:-[a-zA-Z]*O|--output-document)/) || has(words, /^--spider$/)) return [];
  const addresses = words.filter((said) => isAddress(said)).map(remoteName);
  const isOpen = addresses.length === 0 || has(words, /^(?:-[a-zA-Z]*[rim]|--(?:recursive|mirror|input-file|content-disposition))/);
  return [{ into: orHere(valuesOf(words, /^(?:-P|--directory-prefix)$/)), names: isOpen ? 'any' : addresses }];
};

const patch = (words: Words): Arrival[] =>
  operandsOf(words, /^-[diopFYzB]$/).length > 0 || has(words, /^--dry-run$/)
    ? []
    : [{ into: orHere(valuesOf(words, /^(?:-d|--directory)$/)), names: 'any' }];

const split = (words: Words): Arrival[] => (operandsOf(words, /^-[abClnt]$/).length < 2 ? [{ into: HERE, names: 'any' }] : []);

const always =
  (option: RegExp, when = /(?:)/): ((words: Words) => Arrival[]) =>
  (words) =>
    words.some((said) => when.test(textOf(said))) ? [{ into: orHere(valuesOf(words, option)), names: 'any' }] : [];

const MAKERS: Readonly<Record<string, (words: Words) => Arrival[]>> = {
  tar,
  bsdtar: tar,
  gtar: tar,
  unzip,
  curl,
  wget,
  patch,
  split,
  csplit: always(/^-f$/),
  mktemp: (words) =>
    has(words, /^(?:-[a-zA-Z]*[tu]|-p|--tmpdir)/) || operandsOf(words).length === 0 ? [] : [{ into: HERE, names: 'any' }],
  cpio: always(/^(?:-D|--directory)$/, /^-[a-zA-Z]*i|^--extract$/),
  pax: always(/^$/, /^-[a-zA-Z]*r/),
  '7z': always(/^-o$/, /^[xe]$/),
  '7za': always(/^-o$/, /^[xe]$/),
  unrar: always(/^$/, /^[xe]$/),
  jar: always(/^-C$/, /^-?[a-z]*x/),
  ar: always(/^--output$/, /^-?x/),
  aria2c: always(/^(?:-d|--dir)$/),
};

export const INCOMERS: readonly string[] = Object.keys(MAKERS);
