import type { Checkpoint } from '../checkpoint.ts';
import { listCheckpoints } from '../history/listing.ts';
import { readPending } from '../links/pending.ts';
import type { RawPath } from '../raw-path.ts';
import { difference, type Entry, emptyTree, lookUp, sameEntry } from '../snapshot/tree.ts';
import { stateBefore } from '../turns/boundary-checkpoint.ts';
import { openTurn } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';

export type TurnChanges =
  | {
      readonly result: 'changes';
      /** What the agent made of each file; null where it deleted it. */
      readonly files: ReadonlyMap<RawPath, Entry | null>;
      /** Files that it changed on top of uncommitted changes of the person's, which nobody asked to commit. */
      readonly left: readonly RawPath[];
    }
  /** Another session was at work in the same files. */
  | { readonly result: 'shared' }
  | { readonly result: 'no-before-image' };

/** What lies between the beginning of a turn, or of its latest stay, and its last checkpoint. */
export async function turnChanges(worktree: Worktree, end: Checkpoint): Promise<TurnChanges> {
  const { git, repository } = worktree;
  const all = await listCheckpoints(git, repository, { here: true });
  const turns = all.filter(
    ({ id, kind, session, turn }) => id <= end.id && kind !== 'commit' && session === end.session && turn === end.turn,
  );
  // One that leaves and comes back has a before-image for each time: what a person did meanwhile is in the last.
  const image = turns.findLast(({ kind }) => kind === 'prompt');
  const before = image ?? (turns[0] && stateBefore(all, turns[0]));
  if (!before || end.turn === null) return { result: 'no-before-image' };
  const between = all.filter(({ id }) => id > before.id && id <= end.id);
  if (between.some((one) => isAnothers(one, end))) return { result: 'shared' };
  const beside = await besideIn(worktree, [before, ...between]);
  const changed = (await difference(git, repository.root, before.tree, end.tree)).filter(({ after }) => after?.mode !== '160000');
  const names = changed.map(({ path }) => path);
  const base = image ? image.base : await headBefore(worktree, end, before);
  const committed = await lookUp(git, repository.root, base ?? emptyTree(repository.objectFormat), names);
  const { paths } = await readPending(worktree);
  // A file that differed from HEAD already was changed by a person, unless agents alone have brought it there.
  const dirty = changed.filter(({ path, before: was }) => !sameEntry(was, committed.get(path)));
  const pending = dirty.filter(({ path, before: was }) => paths.get(path)?.oids.includes(was?.oid ?? ''));
  const alone = await byAgentsAlone(
    worktree,
    all.filter(({ id }) => id <= before.id),
    committed,
    pending.map(({ path }) => path),
  );
  const isOurs = (path: RawPath, entry: Entry | null): boolean => sameEntry(entry, committed.get(path)) || alone.has(path);
  const agents = changed.filter(({ path }) => !beside.onlyYours.has(path));
  const ours = agents.filter(({ path, before: was }) => isOurs(path, was) && !beside.alsoYours.has(path));
  return {
    result: 'changes',
    files: new Map(ours.map(({ path, after }) => [path, after])),
    left: agents.filter((each) => !ours.includes(each)).map(({ path }) => path),
  };
}

/** What a command of its own may have changed is committed with the turn, as long as no other session was at work. */
const isAnothers = ({ kind, by, session }: Checkpoint, end: Checkpoint): boolean =>
  session !== end.session && kind !== 'commit' && !(kind === 'part' && by === 'human');

/** Files that a person changed in the middle of the turn, alone or as well as the agent. */
async function besideIn(
  { git, repository }: Worktree,
  chain: readonly Checkpoint[],
): Promise<{ readonly onlyYours: ReadonlySet<RawPath>; readonly alsoYours: ReadonlySet<RawPath> }> {
  const [yours, agents] = [new Set<RawPath>(), new Set<RawPath>()];
  const isYours = ({ kind, by }: Checkpoint): boolean => kind === 'part' && by === 'human';
  if (!chain.some(isYours)) return { onlyYours: yours, alsoYours: yours };
  for (const [at, one] of chain.entries()) {
    const before = chain[at - 1];
    const changes = before ? await difference(git, repository.root, before.tree, one.tree) : [];
    for (const { path } of changes) (isYours(one) ? yours : agents).add(path);
  }
  const isAlso = (path: RawPath): boolean => agents.has(path);
  return { onlyYours: new Set([...yours].filter((path) => !isAlso(path))), alsoYours: new Set([...yours].filter(isAlso)) };
}

/** Since the last checkpoint a person may have committed what it holds, or taken that back, without changing a file. */
async function headBefore(worktree: Worktree, { session, turn }: Checkpoint, last: Checkpoint): Promise<string | null> {
  const open = session === null ? undefined : await openTurn(worktree, session);
  return open?.turn === turn && open.head !== undefined ? open.head : last.base;
}

/** Of these files, those that were as HEAD has them at some checkpoint, and that nobody but agents has changed since. */
async function byAgentsAlone(
  { git, repository }: Worktree,
  chain: readonly Checkpoint[],
  committed: ReadonlyMap<RawPath, Entry>,
  paths: readonly RawPath[],
): Promise<ReadonlySet<RawPath>> {
  const found = new Set<RawPath>();
  const open = new Set(paths);
  let later: { readonly by: Checkpoint['by']; readonly files: ReadonlyMap<RawPath, Entry> } | null = null;
  for (let at = chain.length - 1; at >= 0 && open.size > 0; at--) {
    const { by, tree } = chain[at] as Checkpoint;
    const files = await lookUp(git, repository.root, tree, open);
    for (const path of open) {
      const [now, then] = [files.get(path), later?.files.get(path)];
      if (later !== null && later.by !== 'agent' && !sameEntry(now, then)) open.delete(path);
      else if (sameEntry(now, committed.get(path))) {
        found.add(path);
        open.delete(path);
      }
    }
    later = { by, files };
  }
  return found;
}
