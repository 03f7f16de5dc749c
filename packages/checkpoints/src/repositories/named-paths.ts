import { resolve } from 'node:path';

/** Where a tool call is made: what its words are read by. */
export interface Standpoint {
  readonly cwd: string;
  /** Its repository, if it is in one. */
  readonly root: string | null;
  readonly home: string;
  /** Whether there are repositories in the directory. */
  readonly holdsOthers: boolean;
}

/** An absolute path, in which a segment may hold what a shell fills in. */
export interface NamedPath {
  readonly path: string;
  readonly open: boolean;
}

const LONGEST_TEXT = 32 * 1024;
/** Of all texts; then only what is no longer than a path is read to its end. */
const MOST_TEXT = 4 * LONGEST_TEXT;
const LONGEST_PATH = 4096;
const MOST_TEXTS = 32;
const MOST_WORDS = 256;
const MOST_PATHS = 64;
const MOST_BASES = 8;
const DEEPEST = 4;

/** As a shell cuts them, with their quotes. */
const WORD = /(?:[^\s;|&()<>'"`\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;
/** Anything that ends a name in any language: what a text in quotes runs is seen too. */
const BETWEEN = /[\s'"`;|&()<>,=:]+/;
/** From the directory that it is read in. */
const LEADS_AWAY = /^[/~]|(?:^|\/)\.\.(?:\/|$)/;
const GOES: ReadonlySet<string> = new Set(['cd', 'pushd', '-C']);
/** Bounded, where one that is never closed would be looked for from each that is opened. */
export const FILLED_IN = /\$\{[^}]{0,64}\}|\$\w+|\{[^{}]*\}|\[[^\]]{0,64}\]|[*?]/;

/**
 * The paths that a tool's input names, most telling first: where it goes, what looks like a path, any other word. Far more
 * than it changes: a repository that is looked at in vain costs little, one that was missed costs its checkpoint.
 */
export function namedPaths(input: unknown, from: Standpoint): readonly NamedPath[] {
  const texts = textsIn(input);
  // A directory may stand in a field of its own, beside the command that runs in it.
  const goals = texts.filter((text) => text.includes('/') && text.length <= LONGEST_PATH && !/\s/.test(text));
  const { goes, away, paths, others } = sorted(
    texts.map((text) => expanded(text, from)),
    from.root,
  );
  const bases = basesOf([...goals, ...goes], from);
  // A word alone is nothing but a name in the present directory.
  const bare = bases.length > 1 || from.holdsOthers ? others : [];
  // Its own files may be many, and most are nothing but that: they take no other's place.
  const [inside, outside] = [new Set<string>(), new Set<string>()];
  for (const word of [...goes, ...away, ...paths, ...bare])
    for (const base of bases) {
      const path = resolve(base, atHome(word, from.home));
      const named = isWithin(path, from.root) ? inside : outside;
      if (named.size < MOST_PATHS && path.length <= LONGEST_PATH && !path.includes('\0')) named.add(path);
    }
  return [...outside, ...inside].map((path) => ({ path, open: FILLED_IN.test(path) }));
}

function sorted(
  texts: readonly string[],
  root: string | null,
): { readonly [Kind in 'goes' | 'away' | 'paths' | 'others']: ReadonlySet<string> } {
  const found = { goes: new Set<string>(), away: new Set<string>(), paths: new Set<string>(), others: new Set<string>() };
  const add = (to: Set<string>, word: string): void => void (to.size < MOST_WORDS && to.add(word));
  for (const text of texts)
    for (const words of readings(text))
      for (const [at, word] of words.entries()) {
        if (word === '' || word.length > LONGEST_PATH) continue;
        if (GOES.has(words[at - 1] ?? '')) add(found.goes, word);
        for (const each of candidates(word)) {
          const leadsAway = LEADS_AWAY.test(each) && (each.includes('..') || !isWithin(each, root));
          add(leadsAway ? found.away : word.includes('/') ? found.paths : found.others, each);
        }
      }
  return found;
}

const isWithin = (path: string, root: string | null): boolean => root !== null && path.startsWith(`${root}/`);

/** Each step starts wherever one before it may have led. */
function basesOf(goals: readonly string[], { cwd, home }: Standpoint): readonly string[] {
  const bases = new Set([cwd]);
  for (const goal of goals)
    for (const base of [...bases]) {
      if (bases.size >= MOST_BASES) return [...bases];
      bases.add(resolve(base, atHome(goal, home)));
    }
  return [...bases];
}

function textsIn(input: unknown): readonly string[] {
  const texts: string[] = [];
  let room = MOST_TEXT;
  const read = (value: unknown, depth: number): void => {
    if (texts.length >= MOST_TEXTS) return;
    if (typeof value === 'string') {
      const text = value.slice(0, Math.min(LONGEST_TEXT, Math.max(room, LONGEST_PATH)));
      texts.push(text);
      room -= text.length;
    } else if (typeof value === 'object' && value !== null && depth <= DEEPEST)
      for (const each of Object.values(value)) read(each, depth + 1);
  };
  read(input, 0);
  return texts;
}

/** What a shell would say for itself. */
const expanded = (text: string, { cwd, root, home }: Standpoint): string =>
  text
    .replaceAll(/\$\(pwd\)|\$PWD\b|\$\{PWD\}/g, () => cwd)
    .replaceAll(/\$\(git rev-parse --show-toplevel\)/g, () => root ?? cwd)
    .replaceAll(/\$HOME\b|\$\{HOME\}/g, () => home);

const readings = (text: string): readonly (readonly string[])[] => [
  (text.match(WORD) ?? []).map((word) => word.replaceAll(/\\([\s\S])|['"]/g, '$1')),
  text.split(BETWEEN),
];

/** The word, and what may be a path in it: `--prefix=../b`, `-C../b`. */
function candidates(word: string): readonly string[] {
  const value = /^[^=/]*=(.+)$/s.exec(word)?.[1] ?? /^-[A-Za-z](?=[./~])(.+)$/s.exec(word)?.[1];
  return value === undefined ? [word] : [value, word];
}

const atHome = (word: string, home: string): string => (/^~(?=\/|$)/.test(word) ? `${home}${word.slice(1)}` : word);
