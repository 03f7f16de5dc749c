import type { Checkpoint } from '../checkpoint.ts';
import { readPending } from '../links/pending.ts';
import { listCheckpoints } from '../listing.ts';
import { stateBefore } from '../own-checkpoint.ts';
import type { Place } from '../place.ts';
import type { RawPath } from '../raw-path.ts';
import { difference, type Entry, emptyTree, lookUp, sameEntry } from '../tree.ts';

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

/** What lies between the beginning of a turn and its last checkpoint. */
export async function turnChanges(place: Place, end: Checkpoint): Promise<TurnChanges> {
  const { git, repository } = place;
  const all = await listCheckpoints(git, repository, { worktree: repository.worktree });
  const first = all.find(({ kind, session, turn }) => kind !== 'commit' && session === end.session && turn === end.turn);
  const before = first && (first.kind === 'prompt' ? first : stateBefore(all, first));
  if (!before || end.turn === null) return { result: 'no-before-image' };
  const between = all.filter(({ id }) => id > before.id && id <= end.id);
  if (between.some(({ by, session, kind }) => by === 'shared' || (session !== end.session && kind !== 'commit')))
    return { result: 'shared' };
  const changed = (await difference(git, repository.root, before.tree, end.tree)).filter(({ after }) => after?.mode !== '160000');
  const names = changed.map(({ path }) => path);
  const committed = await lookUp(git, repository.root, before.base ?? emptyTree(repository.objectFormat), names);
  const { paths } = await readPending(place);
  // A file that differed from HEAD already was changed by a person, unless that was an agent's last word on it.
  const isOurs = (path: RawPath, entry: Entry | null): boolean =>
    sameEntry(entry, committed.get(path)) || (paths.get(path)?.oids.includes(entry?.oid ?? '') ?? false);
  const ours = changed.filter(({ path, before: was }) => isOurs(path, was));
  return {
    result: 'changes',
    files: new Map(ours.map(({ path, after }) => [path, after])),
    left: changed.filter((each) => !ours.includes(each)).map(({ path }) => path),
  };
}
