import type { Finding } from '../finding.ts';
import { PROJECT_DIRECTORY } from '../guarded-places.ts';
import { type Call, claimOn, type Grounds, receivesOn, textOf, type Words } from '../named-place.ts';
import { fits, segmentsOf, UNKNOWN } from '../path-segments.ts';
import type { Text } from '../shell/expansion.ts';

/** Files that a program puts into a directory: by the names of these, or nobody knows which. */
export interface Arrival {
  readonly into: readonly Text[];
  readonly names: Words | 'any';
}

/** Would one of the files that arrive be one of ours? */
export function arrivalFinding(
  { name, cwd }: Pick<Call, 'name' | 'cwd'>,
  arrivals: readonly Arrival[],
  grounds: Grounds,
): Finding | undefined {
  for (const { into, names } of arrivals) {
    for (const directory of into) {
      const place = names === 'any' ? unknownArrival(directory, cwd, grounds) : namedArrival(directory, names.flat(), cwd, grounds);
      if (place !== undefined) return { kind: 'place', by: name, place };
    }
  }
  return undefined;
}

const unknownArrival = (directory: Text, cwd: string | null, grounds: Grounds): string | undefined =>
  receivesOn(directory, cwd, grounds) === undefined ? undefined : directory.text;

function namedArrival(directory: Text, sources: readonly Text[], cwd: string | null, grounds: Grounds): string | undefined {
  for (const source of sources) {
    const found = arrives(directory, source, cwd, grounds);
    if (found !== undefined) return found;
  }
  return undefined;
}

function arrives(directory: Text, { text, glob }: Text, cwd: string | null, grounds: Grounds): string | undefined {
  const source = text.replace(/\/+$/, '');
  const name = source.slice(source.lastIndexOf('/') + 1);
  const isTree = /^\.{0,2}$/.test(name) || text.endsWith('/');
  if (isTree || glob || name.includes(UNKNOWN)) {
    if (claimOn(directory, cwd, grounds) === 'inside') return directory.text;
    const pattern = isTree ? undefined : name.includes(UNKNOWN) ? '*' : name;
    const from = isTree ? source : source.slice(0, Math.max(0, source.lastIndexOf('/')));
    const found = carried(directory, { from, pattern, isOpen: text.includes(UNKNOWN) }, cwd, grounds);
    if (found !== undefined || isTree) return found;
  }
  const arrived = { text: `${directory.text.replace(/\/+$/, '')}/${name}`, glob: directory.glob || glob };
  const claim = claimOn(arrived, cwd, grounds);
  if (claim === 'inside') return name === PROJECT_DIRECTORY && !isProject(directory, cwd, grounds) ? undefined : arrived.text;
  return claim === 'holds' ? carried(arrived, { from: source, isOpen: false }, cwd, grounds) : undefined;
}

/** A copy of our directory somewhere else is nobody's configuration. */
function isProject({ text, glob }: Text, cwd: string | null, { disk, here }: Grounds): boolean {
  const root = `/${segmentsOf(text, cwd, glob).names.join('/')}`;
  return (
    glob || cwd === null || `${here}/`.startsWith(`${root}/`) || ['.git', PROJECT_DIRECTORY].some((name) => disk.exists(`${root}/${name}`))
  );
}

interface Tree {
  readonly from: string;
  /** Which names in it are carried over; all of them unless said. */
  readonly pattern?: string | undefined;
  readonly isOpen: boolean;
}

/** A file of ours below `directory` that lies in the tree which is copied over it. A tree that is not there yet may hold anything. */
function carried(directory: Text, { from, pattern, isOpen }: Tree, cwd: string | null, grounds: Grounds): string | undefined {
  const { below, disk, here } = grounds;
  const to = segmentsOf(directory.text, cwd, directory.glob);
  const root = `/${segmentsOf(from === '' ? '.' : from, cwd).names.join('/')}`;
  const isThere = cwd !== null && !isOpen && !/[*?[]/.test(from) && !from.includes(UNKNOWN) && disk.exists(root);
  if (!isThere) return receivesOn(directory, cwd, grounds) === undefined ? undefined : directory.text;
  const found = below(to, here).find(
    (rest) => (pattern === undefined || fits(rest[0] as string, pattern, true)) && disk.exists(`${root}/${rest.join('/')}`),
  );
  return found === undefined ? undefined : [directory.text, ...found].join('/');
}

/** The last part of an address, as a download names its file. */
export const remoteName = (said: readonly Text[]): Text[] =>
  said.map(({ text, glob }) => ({ text: text.replace(/[?#].*$/s, '').replace(/^.*\//s, '') || 'index.html', glob }));

export const isAddress = (said: readonly Text[]): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(textOf(said));
