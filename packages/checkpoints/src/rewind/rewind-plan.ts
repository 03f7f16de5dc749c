import { settleUntilNow } from '../authors/until-now.ts';
import { type Checkpoint, type RewindTarget, verbatimRef } from '../checkpoint.ts';
import { failureReason, isPlaceAtFault } from '../failure-reason.ts';
import { findCheckpoint, listCheckpoints } from '../history/listing.ts';
import { isHere } from '../history/place.ts';
import type { LoggedCall } from '../images/call-log.ts';
import { type CallTarget, callName, callTarget, composeTarget, findCall } from '../images/call-target.ts';
import type { RawPath } from '../raw-path.ts';
import { type Operation, openOperation } from '../repositories/repository.ts';
import { inLeftOutFolder, type Skipped, WHOLE_TREE } from '../snapshot/skipped.ts';
import { take } from '../snapshot/take.ts';
import { type Difference, difference, type Entry, emptyTree, lookUp } from '../snapshot/tree.ts';
import { lookAt } from '../snapshot/working-file.ts';
import { readLast } from '../snapshot/working-state.ts';
import { openTurns } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';
import { checkContents, type Unavailable } from './contents.ts';
import { ignoredThen } from './ignored-then.ts';
import { obstructed } from './obstructed.ts';
import { type Source, sourceOf } from './source.ts';
import { namedPath, unknownPaths } from './unknown-paths.ts';
import type { Failed } from './write-files.ts';

export interface RewindOptions {
  /** Files and directories from the root; whoever changed them. */
  readonly paths?: readonly string[];
  /** These files and nothing else, by names that need not be UTF-8. */
  readonly exactly?: readonly RawPath[];
  /** Where files of `exactly` lie that the checkpoint has left out, from the state directory. */
  readonly displaced?: ReadonlyMap<RawPath, string>;
  /** Also what people changed since. Without this, and without paths, only what agents changed comes back. */
  readonly everything?: boolean;
}

export type KeptReason = 'changed-by-you' | 'not-in-checkpoint' | 'not-recorded' | 'in-the-way' | 'ignored' | 'submodule';

export interface Kept {
  readonly path: RawPath;
  readonly reason: KeptReason;
}

/** One file that will be written, or deleted where neither `entry` nor `from` says what it shall be. */
export interface Step {
  readonly path: RawPath;
  readonly entry: Entry | null;
  /** What its bytes are made from. */
  readonly source: Source | null;
  /** What lies there now is in no checkpoint, and is moved away first. */
  readonly unrecorded?: boolean;
  /** Where what was moved away lies, from the state directory. */
  readonly from?: string;
  /** The rewind that is taken back has made it: it was not there before, whatever ignores it. */
  readonly isMade?: boolean;
}

export interface RewindPlan {
  readonly result: 'plan';
  readonly target: RewindTarget;
  /** What the working tree is now: what the rewind is undone with. */
  readonly safety: Checkpoint;
  readonly steps: readonly Step[];
  readonly kept: readonly Kept[];
  /** Of the files that are meant, those that the target does not have, and why: nothing can bring them back. */
  readonly leftOut: readonly Skipped[];
  /** Files that the target has and that cannot be given back, and why: they are left alone. */
  readonly unavailable: readonly Unavailable[];
  /** Calls since then of which nothing was kept: what they changed does not come back. */
  readonly gaps: readonly LoggedCall[];
  /** Files among the steps that a person changed since as well: that goes too. */
  readonly alsoYours: readonly RawPath[];
  /** Files among the steps of which nobody can tell whether a person changed them: that would go too. */
  readonly shared: readonly RawPath[];
  /** HEAD is elsewhere than it was: the files come back, commits and branches stay. */
  readonly headMoved: boolean;
}

export type Refused =
  | { readonly result: 'refused'; readonly reason: 'no-such-checkpoint' | 'other-worktree' | 'nothing-to-undo' }
  | { readonly result: 'refused'; readonly reason: 'no-such-path'; readonly paths: readonly string[] }
  /** Of that call nothing was kept. */
  | { readonly result: 'refused'; readonly reason: 'no-way-back'; readonly call: string; readonly why: string }
  | { readonly result: 'refused'; readonly reason: 'operation-open'; readonly operation: Operation }
  /** The disk is full, or a folder is not ours to write: nothing was changed. */
  | { readonly result: 'refused'; readonly reason: 'cannot-write'; readonly failed: readonly Failed[] }
  | { readonly result: 'failed'; readonly error: string };

/** What a rewind would do. It makes a checkpoint first, so that everything it may touch can come back. */
export async function planRewind(worktree: Worktree, id: string, options: RewindOptions = {}): Promise<RewindPlan | Refused> {
  try {
    return await plan(worktree, id, options);
  } catch (error) {
    if (!isPlaceAtFault(error)) throw error;
    return { result: 'failed', error: failureReason(error) };
  }
}

async function plan(worktree: Worktree, id: string, options: RewindOptions): Promise<RewindPlan | Refused> {
  const { git, repository } = worktree;
  const operation = openOperation(repository);
  if (operation) return { result: 'refused', reason: 'operation-open', operation };
  const found = await findCheckpoint(git, repository, id);
  const call = found ? undefined : findCall(worktree, id);
  if (!found && !call) return { result: 'refused', reason: 'no-such-checkpoint' };
  if (found && !isHere(found, repository)) return { result: 'refused', reason: 'other-worktree' };
  if (call?.wayBack.kind === 'none') return { result: 'refused', reason: 'no-way-back', call: callName(call), why: call.wayBack.why };
  const unknown = found ? await unknownPaths(worktree, found, options.paths ?? []) : [];
  if (unknown.length > 0) return { result: 'refused', reason: 'no-such-path', paths: unknown };
  const turns = await openTurns(worktree);
  const [open, ...others] = turns.some(({ calls }) => calls === undefined) ? turns : [];
  const by = others.length > 0 ? 'shared' : open ? 'agent' : 'human';
  const workOf = others.length > 0 ? null : (open?.session ?? null);
  const name = `Before rewinding to ${(found?.name ?? callName(call as LoggedCall)).replace(/^(?:Before rewinding to |Rewound to )+/, '')}`;
  const about = { kind: 'prompt', by, name, session: null, workOf, agent: null, turn: open?.turn ?? null } as const;
  const looked = by === 'human' ? (await settleUntilNow(worktree, null)).looked : undefined;
  const taken = await take(worktree, { ...about, ...(looked && { looked }) });
  if (taken.result === 'failed') return isPlaceAtFault(taken.error) ? { ...taken, error: failureReason(taken.error) } : taken;
  const latest = taken.result === 'made' ? taken.checkpoint : await findCheckpoint(git, repository, taken.id);
  if (!latest) return { result: 'failed', error: `checkpoint of the current state is gone: ${taken.result}` };
  // Where only that has changed which is left out, the latest checkpoint is an older one.
  const safety = { ...latest, skipped: (await readLast(worktree.state))?.skipped ?? latest.skipped };
  const before = call && callTarget(worktree, call);
  const target: RewindTarget = found ?? (await composeTarget(worktree, before as CallTarget, safety));
  const unnamed = call ? await unknownPaths(worktree, target, options.paths ?? []) : [];
  if (unnamed.length > 0) return { result: 'refused', reason: 'no-such-path', paths: unnamed };
  const gaps = before?.gaps ?? [];
  return {
    result: 'plan',
    target,
    safety,
    gaps,
    headMoved: target.base !== safety.base,
    ...(await steps(worktree, target, safety, options)),
  };
}

async function steps(worktree: Worktree, target: RewindTarget, safety: Checkpoint, options: RewindOptions) {
  const [all, then, now] = await Promise.all([
    difference(worktree.git, worktree.repository.root, safety.commit, target.commit),
    verbatimBlobs(worktree, target),
    verbatimBlobs(worktree, safety),
  ]);
  const stepTo = (path: RawPath, entry: Entry | null): Step => ({
    ...{ path, entry, source: sourceOf(worktree, target, entry, then.get(path)) },
  });
  const inTree = async ({ commit }: Checkpoint, paths: readonly RawPath[]) =>
    paths.length > 0 ? lookUp(worktree.git, worktree.repository.root, commit, paths) : new Map<RawPath, Entry>();
  const found = new Map<RawPath, Step>(all.map(({ path, after }) => [path, stepTo(path, after)]));
  // The same in both trees: the bytes on disk may differ. Of what older versions did not keep beside the tree nobody knows.
  const flipped = [...new Set([...then.keys(), ...(target.asOnDisk ? now.keys() : [])])].filter((path) => !found.has(path));
  for (const [path, entry] of await inTree(target, flipped))
    if ((then.get(path) ?? entry).oid !== (now.get(path) ?? entry).oid) found.set(path, stepTo(path, entry));
  const wanted = await chosen(worktree, target, safety, options);
  // What the present has left out would not come back by itself; what the target left out it does not know.
  const unrecorded = unstored(safety, now);
  const unknown = new Set([...unstored(target, then), ...(options.displaced?.keys() ?? [])]);
  const inFolder = inLeftOutFolder(target.skipped);
  const before = new Map(all.map((one) => [one.path, one.before]));
  // What a checkpoint has left out stands in its tree as HEAD has it, or not at all, and so need not differ from the other's.
  const hidden = [...unrecorded].filter((path) => !found.has(path) && !unknown.has(path));
  const hiddenThen = await inTree(target, hidden);
  for (const [path, entry] of hiddenThen) if (entry.mode !== '160000') found.set(path, stepTo(path, entry));
  const displaced = [...(options.displaced?.keys() ?? [])].filter((path) => !found.has(path));
  const present = await inTree(safety, displaced);
  for (const path of displaced) {
    found.set(path, { path, entry: null, source: null });
    before.set(path, present.get(path) ?? null);
  }
  // What the rewind that is taken back has made may be ignored by what it brought back, and so be in no checkpoint.
  const made = new Set<RawPath>();
  for (const path of options.exactly ?? []) if (!found.has(path) && (await isThere(worktree, path))) made.add(path);
  for (const path of (await inTree(target, [...made])).keys()) made.delete(path);
  for (const path of made) found.set(path, { path, entry: null, source: null });
  const inside: Step[] = [];
  // What came since then and is in no checkpoint stays.
  const kept: Kept[] = hidden.filter((path) => !hiddenThen.has(path) && wanted(path)).map((path) => ({ path, reason: 'not-recorded' }));
  for (const step of found.values()) {
    const was = before.get(step.path);
    const isUnknown = unknown.has(step.path) || (!step.entry && inFolder(step.path));
    const from = isUnknown ? options.displaced?.get(step.path) : undefined;
    const back = from === undefined ? step : { ...step, from };
    if (!wanted(step.path)) options.exactly ?? options.paths ?? kept.push({ path: step.path, reason: 'changed-by-you' });
    else if (step.entry?.mode === '160000' || was?.mode === '160000') kept.push({ path: step.path, reason: 'submodule' });
    else if (made.has(step.path) && !isUnknown) inside.push({ ...step, unrecorded: true, isMade: true });
    else if (unrecorded.has(step.path) && (from !== undefined || (step.entry && !isUnknown))) inside.push({ ...back, unrecorded: true });
    else if (unrecorded.has(step.path) || (was === null && (await isThere(worktree, step.path))))
      kept.push({ path: step.path, reason: 'not-recorded' });
    else if (isUnknown) {
      if (from === undefined) kept.push({ path: step.path, reason: 'not-in-checkpoint' });
      else inside.push(back);
    } else inside.push(options.exactly && !step.entry ? { ...step, isMade: true } : step);
  }
  const yours = await changedBetween(worktree, target, safety, ({ by }) => by === 'human');
  const ignored = await ignoredThen(worktree, inside);
  for (const path of ignored) kept.push({ path, reason: 'ignored' });
  const going = inside.filter(({ path }) => !ignored.has(path));
  const inTheWay = await obstructed(worktree, going);
  for (const path of inTheWay) kept.push({ path, reason: 'in-the-way' });
  const { steps: possible, unavailable } = await checkContents(
    worktree,
    going.filter(({ path }) => !inTheWay.has(path)),
  );
  const named = [...(options.exactly ?? []), ...(options.paths ?? []).map(namedPath)];
  const isMeant = (path: RawPath): boolean =>
    (options.exactly ?? options.paths) === undefined ||
    wanted(path) ||
    named.some((one) => path === WHOLE_TREE || one.startsWith(`${path}/`));
  const leftOut = target.skipped.filter(({ path }) => unknown.has(path) && isMeant(path) && !options.displaced?.has(path));
  const nobodys = await changedBetween(worktree, target, safety, ({ by }) => by === 'shared');
  const paths = possible.map(({ path }) => path);
  const alsoYours = paths.filter((path) => yours.has(path));
  const shared = paths.filter((path) => nobodys.has(path) && !yours.has(path));
  return { steps: possible, unavailable, kept, leftOut, alsoYours, shared };
}

/** Something that the present's checkpoint does not have: ignored since, or made this very moment. */
async function isThere({ repository }: Worktree, path: RawPath): Promise<boolean> {
  const { kind } = lookAt(repository.root, path);
  return kind !== 'absent' && kind !== 'directory';
}

/** Paths that a checkpoint lists as left out, but for those of which it has the bytes all the same. */
function unstored({ skipped }: Checkpoint, verbatim: ReadonlyMap<RawPath, Entry>): Set<RawPath> {
  return new Set(skipped.map(({ path }) => path).filter((path) => !verbatim.has(path)));
}

async function verbatimBlobs({ git, repository }: Worktree, { id, verbatim, verbatimTree }: RewindTarget): Promise<Map<RawPath, Entry>> {
  if (!verbatim) return new Map();
  const all = await difference(git, repository.root, emptyTree(repository.objectFormat), verbatimTree ?? verbatimRef(id));
  return new Map(all.flatMap(({ path, after }) => (after ? [[path, after] as const] : [])));
}

async function chosen(
  worktree: Worktree,
  target: RewindTarget,
  safety: Checkpoint,
  options: RewindOptions,
): Promise<(path: RawPath) => boolean> {
  if (options.exactly) {
    const wanted = new Set(options.exactly);
    return (path) => wanted.has(path);
  }
  if (options.paths) {
    const wanted = options.paths.map(namedPath);
    return (path) => wanted.some((one) => one === '' || path === one || path.startsWith(`${one}/`));
  }
  if (options.everything) return () => true;
  if (target.exact) {
    const known = new Set(target.exact);
    return (path) => known.has(path);
  }
  const agents = await changedBetween(worktree, target, safety, ({ by }) => by !== 'human');
  return (path) => agents.has(path);
}

/** Paths that changed between two checkpoints, in the hands of some. */
async function changedBetween(
  worktree: Worktree,
  from: RewindTarget,
  to: Checkpoint,
  theirs: (checkpoint: Checkpoint) => boolean,
): Promise<Set<RawPath>> {
  const { git, repository } = worktree;
  const all = await listCheckpoints(git, repository, { here: true });
  const at = (wanted: string | null) => all.findIndex(({ id }) => id === wanted);
  const later = all.slice(at(from.after === undefined ? from.id : from.after) + 1, at(to.id) + 1);
  const intervals = later.map((checkpoint, index) => ({ checkpoint, before: later[index - 1] ?? from }));
  const paths = new Set<RawPath>();
  if (from.after !== undefined) {
    const [split, first] = [all.find(({ id }) => id === from.after), intervals.shift()?.checkpoint];
    for (const path of await sinceCall(worktree, from, split, first ?? to, first !== undefined && theirs(first), theirs)) paths.add(path);
  }
  const work = intervals.filter(({ checkpoint, before }) => theirs(checkpoint) && differ(checkpoint, before));
  for (let first = 0; first < work.length; first += 8) {
    const some = work.slice(first, first + 8).map(({ checkpoint, before }) => changedPaths(worktree, before, checkpoint));
    for (const { path } of (await Promise.all(some)).flat()) paths.add(path);
  }
  return paths;
}

/**
 * From a call to the first checkpoint after it. Such a checkpoint tells of what changed since the one before, `split`, which is older than
 * the call: what has gone back to how that one has it, has changed all the same, and it was no person who put it back.
 */
async function sinceCall(
  worktree: Worktree,
  call: RewindTarget,
  split: Checkpoint | undefined,
  first: Checkpoint,
  isTheirs: boolean,
  theirs: (checkpoint: Checkpoint) => boolean,
): Promise<RawPath[]> {
  const changed = (await changedPaths(worktree, call, first)).map(({ path }) => path);
  const told = new Set(split ? (await changedPaths(worktree, split, first)).map(({ path }) => path) : changed);
  const puttingBackCounts = theirs({ ...first, by: 'shared' });
  return changed.filter((path) => (told.has(path) ? isTheirs : puttingBackCounts));
}

const differ = (a: Checkpoint, b: Checkpoint) => a.tree !== b.tree || a.verbatim || b.verbatim || skippedIn(a) !== skippedIn(b);

const skippedIn = ({ skipped }: Checkpoint): string =>
  skipped
    .map(({ path }) => path)
    .sort()
    .join('\0');

/** What differs between two checkpoints, also where only the verbatim bytes do, or where one has left out what the other has not. */
export async function changedPaths(worktree: Worktree, before: RewindTarget, after: Checkpoint): Promise<Pick<Difference, 'path'>[]> {
  const trees = await difference(worktree.git, worktree.repository.root, before.commit, after.commit);
  const [then, now] = await Promise.all([verbatimBlobs(worktree, before), verbatimBlobs(worktree, after)]);
  // Of what older versions did not keep nobody knows whether it was the same.
  const beside = before.asOnDisk === after.asOnDisk ? [...new Set([...then.keys(), ...now.keys()])] : [];
  const verbatim = beside.filter((path) => then.get(path)?.oid !== now.get(path)?.oid);
  const [outThen, outNow] = [unstored(before, then), unstored(after, now)];
  const leftOut = [...new Set([...outThen, ...outNow])].filter((path) => outThen.has(path) !== outNow.has(path));
  return [...trees, ...[...verbatim, ...leftOut].map((path) => ({ path }))];
}
