import type { Text } from './expansion.ts';
import type { Finding } from './finding.ts';
import type { ClaimOf } from './guarded-paths.ts';
import type { Disk } from './guarded-places.ts';
import { REMOVERS } from './known-programs.ts';
import { segmentsOf, UNKNOWN } from './path-segments.ts';
import type { HasPitonGitHooks } from './piton-git-hooks.ts';

/** What a command line is judged by. */
export interface Grounds {
  readonly claimOf: ClaimOf;
  readonly disk: Disk;
  /** Where the agent works. */
  readonly here: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly pids: readonly number[];
  /** Something of ours that a text speaks of, if it does. */
  readonly markIn: (text: string) => string | undefined;
  readonly hasPitonGitHooks: HasPitonGitHooks;
}

/** What each word may come to. */
export type Words = readonly (readonly Text[])[];

/** A program and what it is given. */
export interface Call {
  readonly name: string;
  /** The same with its directory. */
  readonly program: string;
  readonly words: Words;
  readonly fed: readonly Text[];
  /** Paths that come to it through a pipe. */
  readonly handed: readonly Text[];
  /** All that the commands before it in the pipe were given. */
  readonly said: readonly Text[];
  readonly cwd: string | null;
}

export const textOf = (said: readonly Text[] | undefined): string => said?.[0]?.text ?? '';

/** Does it write, remove or otherwise change one of these? */
export function changes({ name, cwd }: Pick<Call, 'name' | 'cwd'>, words: Words, grounds: Grounds): Finding | undefined {
  const place = placeNamed(words.flat(), cwd, grounds, REMOVERS.has(name) ? 'remove' : 'name');
  return place === undefined ? undefined : { kind: 'place', by: name, place: place.path };
}

/** A command may name thousands of files; each look waits for the disk. */
const MOST_LOOKS = 64;

/** The first of these that is a path of ours. A word may hold one behind `=` or between colons. */
export function placeNamed(
  texts: readonly Text[],
  cwd: string | null,
  { claimOf, disk, here }: Grounds,
  how: 'name' | 'remove' | 'look',
): { readonly path: string } | undefined {
  let looks = 0;
  for (const { text, glob } of texts) {
    if (text.length > 4096 || text.includes('\n')) continue;
    for (const piece of piecesOf(text)) {
      const claim = claimOf(segmentsOf(piece, cwd, glob), here);
      if (claim === 'inside' || (claim === 'holds' && how === 'remove')) return { path: piece };
      if (how === 'name' || glob || cwd === null || piece.includes(UNKNOWN) || ++looks > MOST_LOOKS) continue;
      const real = disk.real(`/${segmentsOf(piece, cwd).names.join('/')}`);
      if (claimOf(segmentsOf(real, '/'), here) === 'inside') return { path: piece };
    }
  }
  return undefined;
}

function piecesOf(text: string): readonly string[] {
  if (text === '') return [];
  const value = /^-{0,2}[\w-]+=([\s\S]*)$/.exec(text)?.[1];
  const short = /^-[a-zA-Z]([./~][\s\S]*)$/.exec(text)?.[1];
  const whole = value ?? short ?? text;
  if (/^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(whole)) return [];
  if (whole === '' || (whole.startsWith('-') && value === undefined)) return [];
  return whole.includes(':') && !whole.startsWith('file://') ? [whole, ...whole.split(':', 8).filter(Boolean)] : [whole];
}
