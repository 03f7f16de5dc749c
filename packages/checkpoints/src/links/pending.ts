import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Author } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import type { FileChange } from '../snapshot/comparison.ts';
import { type WorkingState, writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { dropQuietNote } from './quiet-note.ts';

/** Work of agents on one file. */
export interface Work {
  readonly sessions: readonly string[];
  /** What the file was in their hands and, until it is committed, in others' after them, the latest last; '' where it was deleted. */
  readonly oids: readonly string[];
  /** Those of them that people made of it. Absent where there are none, and in what older versions wrote. */
  readonly people?: readonly string[];
}

/** Work of agents that no commit has yet. As large as what is uncommitted, and a little of what went away. */
export interface Pending {
  readonly head: string | null;
  readonly paths: ReadonlyMap<RawPath, Work>;
  /** What went away without a commit, into a stash or by a rewind, and may come back. */
  readonly dormant: ReadonlyMap<RawPath, Work>;
}

const MOST_OIDS = 20;
const MOST_DORMANT = 500;

const pendingFile = (worktree: Pick<Worktree, 'state'>) => join(worktree.state, 'pending.json');

export async function readPending(worktree: Pick<Worktree, 'state'>): Promise<Pending> {
  try {
    const text = await readFile(pendingFile(worktree), 'utf8');
    const { head, paths, dormant } = JSON.parse(text) as { head: string | null; paths: [RawPath, Work][]; dormant: [RawPath, Work][] };
    return { head, paths: new Map(paths), dormant: new Map(dormant) };
  } catch {
    return { head: null, paths: new Map(), dormant: new Map() };
  }
}

async function writePending(worktree: Worktree, { head, paths, dormant }: Pending): Promise<void> {
  if (paths.size + dormant.size > 0) dropQuietNote(worktree);
  await writeWhole(pendingFile(worktree), JSON.stringify({ head, paths: [...paths], dormant: [...dormant].slice(-MOST_DORMANT) }));
}

const oidOf = (state: WorkingState, path: RawPath): string => state.files.get(path)?.entry?.oid ?? '';

const NOBODY: Work = { sessions: [], oids: [] };

function joined(before: Work | undefined, sessions: readonly string[], oid: string, by: Author): Work {
  const { sessions: known, oids, people = [] } = before ?? NOBODY;
  // What an agent has made is its work, whoever makes it once more.
  const isPeoples = by === 'human' && (!oids.includes(oid) || people.includes(oid));
  const others = people.filter((one) => one !== oid);
  return {
    sessions: [...new Set([...known, ...sessions])],
    oids: [...oids.filter((one) => one !== oid), oid].slice(-MOST_OIDS),
    people: isPeoples ? [...others, oid].slice(-MOST_OIDS) : others,
  };
}

/** What a file was in the hands of agents, as far as that is known; '' where they deleted it. */
export const oidsOfAgents = ({ oids, people = [] }: Work): string[] => oids.filter((oid) => !people.includes(oid));

/** Whether some of what a file was may be forgotten. */
export const isLong = ({ oids }: Work): boolean => oids.length >= MOST_OIDS;

/** Whether work that went away is in a file again. A person who deletes it does not bring it back. */
const isBack = ({ oids, people = [] }: Work, oid: string): boolean => oids.includes(oid) && !(oid === '' && people.includes(oid));

type Committed = ReadonlyMap<RawPath, { readonly after: { readonly oid: string } | null }>;

/** Of what went away, the files that a commit brings: out of a stash they come back without anybody looking. */
export const broughtBack = ({ dormant }: Pending, committed: Committed): Map<RawPath, Work> =>
  new Map(
    [...dormant].filter(([path, work]) => {
      const change = committed.get(path);
      return change !== undefined && isBack(work, change.after?.oid ?? '');
    }),
  );

export const pathsOf = (change: FileChange): RawPath[] => (change.change === 'renamed' ? [change.path, change.from] : [change.path]);

interface Changed {
  readonly by: Author;
  /** Whose it is, or may be. */
  readonly sessions: readonly string[];
  /** By a rewind: nobody's new work. */
  readonly rewound: boolean;
}

/** After a checkpoint: what the agent changed is pending; what is as HEAD has it again sleeps. */
export async function addPending(
  worktree: Worktree,
  { by, sessions, rewound }: Changed,
  changes: readonly FileChange[],
  state: WorkingState,
): Promise<void> {
  const before = await readPending(worktree);
  const paths = new Map(before.paths);
  const dormant = new Map(before.dormant);
  // What a rewind went back to is theirs, or built on theirs, only if it was seen since they began.
  const wakeOrSleep = (path: RawPath, work: Work | undefined, oid: string): void => {
    if (!work) return;
    const [into, from] = isLong(work) || work.oids.includes(oid) ? [paths, dormant] : [dormant, paths];
    from.delete(path);
    into.set(path, work);
  };
  for (const path of changes.flatMap(pathsOf)) {
    const work = paths.get(path);
    const asleep = dormant.get(path);
    const oid = oidOf(state, path);
    // Shared and of no session: whoever's it was.
    const nobodys = by === 'shared' && sessions.length === 0;
    if (rewound) wakeOrSleep(path, work ?? asleep, oid);
    else if (by !== 'human' && !nobodys) paths.set(path, joined(work ?? asleep, sessions.length > 0 ? sessions : [''], oid, by));
    else if (work) paths.set(path, joined(work, [], oid, by));
    else if (asleep && (nobodys || asleep.oids.includes(oid))) paths.set(path, asleep);
    if (paths.has(path)) dormant.delete(path);
  }
  // When HEAD has moved, a commit may be waiting to be linked to what it took in: that one clears the list.
  const settled = before.paths.size === 0 || before.head === state.head;
  for (const [path, work] of settled ? [...paths] : []) {
    if (state.files.has(path)) continue;
    paths.delete(path);
    dormant.set(path, work);
  }
  if (paths.size + dormant.size + before.paths.size + before.dormant.size === 0) return;
  await writePending(worktree, { head: settled ? state.head : before.head, paths, dormant });
}

/** After a commit: what it took in whole is done, what it took in part stays, and what a person has replaced sleeps. */
export async function settlePending(
  worktree: Worktree,
  { head, committed }: { readonly head: string; readonly committed: Committed },
  stillChanged: ReadonlySet<RawPath>,
  replaced: ReadonlySet<RawPath>,
): Promise<void> {
  const pending = await readPending(worktree);
  const { paths, dormant } = pending;
  const asleep = new Map(dormant);
  for (const path of broughtBack(pending, committed).keys()) asleep.delete(path);
  for (const path of replaced) {
    const work = paths.get(path);
    if (work) asleep.set(path, work);
  }
  const left = [...paths].filter(([path]) => stillChanged.has(path) && !replaced.has(path));
  await writePending(worktree, { head, paths: new Map(left), dormant: asleep });
}
