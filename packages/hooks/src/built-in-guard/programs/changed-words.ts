import { type Call, type Grounds, placeNamed, textOf, type Words } from '../named-place.ts';
import { COPIERS, copierChanges } from './copiers.ts';
import { acts, deletes, foundBy, listsInto, rootsIn } from './find.ts';
import { extracts } from './incoming.ts';
import { names } from './known-programs.ts';
import { isReader } from './readers.ts';
import { operandsOf, valuesOf } from './words.ts';

type Changed = (words: Words, call: Call, grounds: Grounds) => Words;

/** What a program is told to leave alone. */
const LEFT_OUT = /^--(?:exclude|ignore)[\w-]*=/;
const LEAVES_OUT = /^--(?:exclude(?:-dir)?|ignore(?:-pattern|-path)?)$/;

const behind =
  (option: RegExp): Changed =>
  (words) =>
    valuesOf(words, option);
const nothing: Changed = () => [];
/** The second file is the one that is written. */
const second: Changed = (words) => operandsOf(words, /^-[cglnosfw]$/).slice(1);
/** A volume that is mounted to be read is left alone. */
const mounted: Changed = (words) => words.filter((said) => !/:ro(?:,|$)|[,=]readonly\b/.test(textOf(said)));
/** What an editor is told to do may name the file that it writes. */
const edited: Changed = (words) =>
  words.flatMap((said) => [said, ...said.flatMap(({ text, glob }) => text.split(/[\s|"'()]+/).map((piece) => [{ text: piece, glob }]))]);
/** The archive comes first; what follows is read, unless it is moved into it. */
const zipped: Changed = (words) =>
  words.some((said) => /^-[a-zA-Z]*m|^--move$/.test(textOf(said))) ? words : operandsOf(words, /^-[btnPiZx]$/).slice(0, 1);

/** Which of its words a program changes, by the names of programs. */
const TABLE: readonly (readonly [programs: string, changed: Changed])[] = [
  ['find fd fdfind', (words, { cwd }, grounds) => findChanges(words, cwd, grounds)],
  ['dd', (words) => words.filter((said) => textOf(said).startsWith('of='))],
  ['source .', nothing],
  ['sort', behind(/^(?:-o|--output)$/)],
  ['tree', behind(/^-o$/)],
  ['uniq xxd', second],
  ['tar bsdtar gtar', (words) => tarChanges(words)],
  ['zip', zipped],
  ['unzip', behind(/^-d$/)],
  [
    'curl',
    behind(/^(?:-[a-zA-Z]*[ocD]|--(?:output|output-dir|cookie-jar|dump-header|trace(?:-ascii)?|stderr|etag-save|libcurl|hsts|alt-svc))$/),
  ],
  ['wget', behind(/^(?:-[a-zA-Z]*[OoaP]|--(?:output-document|output-file|append-output|directory-prefix|save-cookies|warc-file))$/)],
  ['ssh-keygen', behind(/^-f$/)],
  ['docker podman', mounted],
  ['vim nvim vi ex emacs', edited],
  [[...COPIERS].join(' '), (words, call) => copierChanges({ ...call, words })],
];
const CHANGED: ReadonlyMap<string, Changed> = new Map(
  TABLE.flatMap(([programs, changed]) => [...names(programs)].map((program) => [program, changed] as const)),
);

/** What nobody knows of may change them all. */
export function changedWords(call: Call, grounds: Grounds): Words {
  const { name, words: all } = call;
  const words = all.filter((said, at) => !LEFT_OUT.test(textOf(said)) && !LEAVES_OUT.test(textOf(all[at - 1])));
  return CHANGED.get(name)?.(words, call, grounds) ?? words;
}

/** But for what `find` is told to pass by, with all that is in it. Where it begins at the bottom, `-prune` comes too late. */
function findChanges(words: Words, cwd: string | null, grounds: Grounds): Words {
  const actsOtherwise = words.some((said) => /^-(?:x|X)$|^--exec/.test(textOf(said)));
  if (!acts(words) && !actsOtherwise) return [];
  const upwards = words.some((said) => /^-(?:delete|depth|d)$/.test(textOf(said)));
  const sought = words.filter((said, at) => {
    if (!/^-i?(?:path|wholename|regex)$/.test(textOf(words[at - 1]))) return false;
    const isNot = /^(?:!|-not)$/.test(textOf(words[at - 2])) && textOf(said).endsWith('/*');
    const isPruned = !upwards && textOf(words[at + 1]) === '-prune' && /^-or?$/.test(textOf(words[at + 2]));
    return !isNot && !isPruned;
  });
  const roots = rootsIn(words);
  const patterns = sought.flat().flatMap(({ text }) => {
    const pattern = text.replaceAll('\\', '').replaceAll('.*', '*');
    return [pattern, ...roots.map((root) => `${root}/${pattern}`)].map((each) => [{ text: each, glob: true }]);
  });
  const named = words.filter((_, at) => /^-i?name$/.test(textOf(words[at - 1])));
  const reads = !deletes(words) && !actsOtherwise && findsToRead(words);
  const deleted: Words = deletes(words) ? [foundBy(words, cwd, grounds).filter((text) => placeNamed([text], cwd, grounds, 'remove'))] : [];
  return [...(reads ? [] : [...patterns, ...named]), ...(actsOtherwise ? words : []), ...deleted, ...listsInto(words)];
}

function findsToRead(words: Words): boolean {
  const at = words.findIndex((said) => /^-(?:exec|execdir|ok|okdir)$/.test(textOf(said)));
  const rest = words.slice(at + 2);
  return at < 0 || isReader(textOf(words[at + 1]), rest);
}

/** Packing reads, but for the file that is made. Where files come out is another question. */
function tarChanges(words: Words): Words {
  const into = valuesOf(words, /^(?:-C|--directory)$/);
  if (extracts(words)) return into;
  const file = words.findIndex((said, at) => /^(?:-[a-z]*f|--file)$/.test(textOf(said)) || (at === 0 && /f$/.test(textOf(said))));
  return [...(file >= 0 ? words.slice(file + 1, file + 2) : []), ...valuesOf(words, /^--file$/)];
}
