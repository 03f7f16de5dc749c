import type { RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { inLeftOutFolder } from './skipped.ts';
import { difference, type Entry, emptyTree, lookUp, sameEntry } from './tree.ts';
import type { Known, WorkingState } from './working-state.ts';

export type FileChange =
  | { readonly change: 'new' | 'modified' | 'deleted'; readonly path: RawPath }
  | { readonly change: 'renamed'; readonly path: RawPath; readonly from: RawPath };

type Side = Pick<Known, 'entry' | 'verbatim' | 'recipe'>;

/** How HEAD has some files; null where it has none. */
type InHead = ReadonlyMap<RawPath, Entry | null>;

/** What happened to the files between two looks at the working tree, whatever happened to HEAD meanwhile. `inHead`: as `after` has it. */
export async function compareStates(
  worktree: Worktree,
  before: WorkingState,
  after: WorkingState,
  inHead: InHead = new Map(),
): Promise<FileChange[]> {
  const { git, repository } = worktree;
  const empty = emptyTree(repository.objectFormat);
  const moved = before.head === after.head ? [] : await difference(git, repository.root, before.head ?? empty, after.head ?? empty);
  const flipped = flippedBytes(before, after);
  // Left out on one side and recorded on the other, be it by HEAD, is a change; of what is left out on both nobody knows.
  const [outThen, outNow] = [leftOutOf(before), leftOutOf(after)];
  const known = [...before.files.keys(), ...after.files.keys(), ...moved.map(({ path }) => path), ...flipped, ...outThen, ...outNow];
  const [inThen, inNow] = [inLeftOutFolder(before.skipped), inLeftOutFolder(after.skipped)];
  // Of an untracked file in a folder that one side has left out nobody knows either.
  const isUnknown = (path: RawPath): boolean =>
    (inThen(path) && !before.files.has(path) && after.files.get(path)?.untracked === true) ||
    (inNow(path) && !after.files.has(path) && before.files.get(path)?.untracked === true);
  const paths = new Set(known.filter((path) => (!outThen.has(path) || !outNow.has(path)) && !isUnknown(path)));
  const [then, now] = await Promise.all([
    sides(worktree, before, paths, before.head === after.head ? inHead : new Map()),
    sides(worktree, after, paths, inHead),
  ]);
  const changes: FileChange[] = [];
  for (const path of paths) {
    const [a, b] = [then.get(path), now.get(path)];
    if (outThen.has(path) || outNow.has(path)) {
      if ((outThen.has(path) ? b : a)?.entry) changes.push({ change: 'modified', path });
    } else if (!sameEntry(a?.entry, b?.entry) || (a && b && !sameOnDisk(a, b) && haveBytes(before, after)))
      changes.push({ change: !a?.entry ? 'new' : b?.entry ? 'modified' : 'deleted', path });
  }
  return withRenames(changes, then, now);
}

/** Older versions did not look at the bytes of what HEAD has. */
const haveBytes = (before: WorkingState, after: WorkingState): boolean => before.converted !== undefined && after.converted !== undefined;

/** Of one and the same pointer there is one content: what was copied need not be any more, if Git LFS has it by now. */
const sameOnDisk = (a: Side, b: Side): boolean => a.verbatim === b.verbatim || (a.verbatim !== undefined && b.recipe === 'lfs');

/** Files as HEAD has them on both sides, with other bytes on disk: other line ends, say. */
function flippedBytes({ converted: then }: WorkingState, { converted: now }: WorkingState): RawPath[] {
  if (!then || !now) return [];
  return [...new Set([...then.keys(), ...now.keys()])].filter((path) => then.get(path)?.verbatim !== now.get(path)?.verbatim);
}

const leftOutOf = ({ files, skipped }: WorkingState): ReadonlySet<RawPath> =>
  new Set(skipped.map(({ path }) => path).filter((path) => !files.has(path)));

async function sides(
  { git, repository }: Worktree,
  { head, files, converted }: WorkingState,
  paths: ReadonlySet<RawPath>,
  inHead: InHead,
): Promise<Map<RawPath, Side>> {
  const clean = [...paths].filter((path) => !files.has(path) && !converted?.has(path) && !inHead.has(path));
  const found = head && clean.length > 0 ? await lookUp(git, repository.root, head, clean) : new Map<RawPath, Entry>();
  const all = [...paths].map((path): [RawPath, Side] => {
    return [path, files.get(path) ?? converted?.get(path) ?? { entry: found.get(path) ?? inHead.get(path) ?? null }];
  });
  return new Map(all);
}

/** A new file with the content of a deleted one is that one, renamed. */
function withRenames(changes: readonly FileChange[], then: ReadonlyMap<RawPath, Side>, now: ReadonlyMap<RawPath, Side>): FileChange[] {
  const gone = new Map<string, RawPath[]>();
  for (const { change, path } of changes) {
    const oid = change === 'deleted' ? then.get(path)?.entry?.oid : undefined;
    if (oid) gone.set(oid, [...(gone.get(oid) ?? []), path]);
  }
  const taken = new Set<RawPath>();
  const renamed = changes.map((one): FileChange => {
    const from = one.change === 'new' ? gone.get(now.get(one.path)?.entry?.oid ?? '')?.shift() : undefined;
    if (from === undefined) return one;
    taken.add(from);
    return { change: 'renamed', path: one.path, from };
  });
  return renamed.filter(({ change, path }) => change !== 'deleted' || !taken.has(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
}
