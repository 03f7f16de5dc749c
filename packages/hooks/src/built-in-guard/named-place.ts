import type { Finding } from './finding.ts';
import type { Below, Claim, ClaimOf } from './guarded-paths.ts';
import type { AgentSwitches, Disk } from './guarded-places.ts';
import { segmentsOf, UNKNOWN } from './path-segments.ts';
import type { HasPitonGitHooks } from './piton-git-hooks.ts';
import { REMOVERS, WRITERS } from './programs/known-programs.ts';
import type { Text } from './shell/expansion.ts';

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
  readonly below: Below;
  /** What a directory is to us into which files come that nobody has named. */
  readonly receives: ClaimOf;
  /** Behind links that the command line itself makes. */
  readonly followed: (path: string) => string;
  readonly agents: readonly AgentSwitches[];
  /** Each look at the disk costs; false where there were too many. */
  readonly spend: (amount: number) => boolean;
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
  /** Variables that it gets from the command line. */
  readonly exported: ReadonlySet<string>;
}

export const textOf = (said: readonly Text[] | undefined): string => said?.[0]?.text ?? '';

/** Does it write, remove or otherwise change one of these? */
export function changes({ name, cwd }: Pick<Call, 'name' | 'cwd'>, words: Words, grounds: Grounds, as = name): Finding | undefined {
  const place = placeNamed(
    words.flat(),
    cwd,
    grounds,
    REMOVERS.has(as) ? 'remove' : WRITERS.has(as) ? 'look' : GIT_REMOVERS.test(as) ? 'hold' : 'name',
  );
  return place === undefined ? undefined : { kind: 'place', by: name, place: place.path };
}

/** They take away, or put back, all that is in a directory; through links they do not go. */
const GIT_REMOVERS = /^git (?:rm|mv|clean|checkout|restore|stash)$/;

/** A command may name thousands of files; each look waits for the disk. */
export const COST_OF_LOOK = 400;

export const receivesOn = ({ text, glob }: Text, cwd: string | null, { receives, here }: Grounds): Claim =>
  text === '' || text.length > 4096 ? undefined : receives(segmentsOf(text, cwd, glob), here);

export const claimOn = ({ text, glob }: Text, cwd: string | null, { claimOf, here }: Grounds): Claim =>
  text === '' || text.length > 4096 ? undefined : claimOf(segmentsOf(text, cwd, glob), here);

/** The first of these that is a path of ours. A word may hold one behind `=` or between colons. */
export function placeNamed(
  texts: readonly Text[],
  cwd: string | null,
  { claimOf, disk, here, spend }: Grounds,
  how: 'name' | 'hold' | 'remove' | 'look',
): { readonly path: string } | undefined {
  for (const { text, glob } of texts) {
    if (text.length > 4096 || text.includes('\n')) continue;
    for (const piece of piecesOf(text)) {
      const claim = claimOf(segmentsOf(piece, cwd, glob), here);
      if (claim === 'inside' || (claim === 'holds' && (how === 'remove' || how === 'hold'))) return { path: piece };
      if (how === 'name' || how === 'hold' || glob || cwd === null || piece.includes(UNKNOWN)) continue;
      if (!spend(COST_OF_LOOK)) return undefined;
      if (realPaths(piece, cwd, disk).some((real) => claimOf(segmentsOf(real, '/'), here) === 'inside')) return { path: piece };
    }
  }
  return undefined;
}

/** Where a path leads, also where `..` stands behind a link: the kernel goes up from where that leads. */
export function realPaths(path: string, cwd: string, disk: Disk): string[] {
  const plain = disk.real(`/${segmentsOf(path, cwd).names.join('/')}`);
  if (!path.includes('..')) return [plain];
  return [plain, disk.real(path.startsWith('/') ? path : `${cwd}/${path}`)];
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
