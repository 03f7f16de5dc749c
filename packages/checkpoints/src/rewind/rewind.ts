import { constants } from 'node:fs';
import { access, rmdir, unlink } from 'node:fs/promises';
import { failureReason, isPlaceAtFault } from '../failure-reason.ts';
import { onDisk, type RawPath } from '../raw-path.ts';
import { take } from '../snapshot/take.ts';
import { ignoredAmong } from '../snapshot/touched.ts';
import { readLast } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { Displacing, displacedPaths, dropOldDisplaced } from './displaced.ts';
import { dropDrafts, lstatOrNull, parentsOf, removeDrafts } from './drafts.ts';
import { mayHaveBeenThere } from './ignored-then.ts';
import { isAllGoing, isDeletion } from './obstructed.ts';
import { type Kept, planRewind, type Refused, type RewindOptions, type RewindPlan, type Step } from './rewind-plan.ts';
import { RoomForFolders } from './room-for-folders.ts';
import { beginUndo, forgetEarlierUndo, lastRewind, restoreUndo, sightingOf, type UndoRecord, writeUndo } from './undo-record.ts';
import { type Failed, type Prepared, placeFiles, writeDrafts } from './write-files.ts';

export interface Rewound {
  readonly result: 'rewound';
  readonly plan: RewindPlan;
  readonly written: readonly RawPath[];
  readonly deleted: readonly RawPath[];
  readonly kept: readonly Kept[];
  /** Files that could not be written, with what git or the system said. */
  readonly failed: readonly Failed[];
}

/** Puts the files back as a checkpoint has them. The index, HEAD, branches and ignored files stay as they are. */
export async function rewind(worktree: Worktree, id: string, options: RewindOptions = {}): Promise<Rewound | Refused> {
  const before = await lastRewind(worktree);
  if (before && before.after === undefined) await removeDrafts(worktree, before.files);
  const plan = await planRewind(worktree, id, options);
  if (plan.result !== 'plan') return plan;
  // Before the first file is touched: a rewind that dies half-way can be undone as well. One that does nothing leaves the last one to undo.
  const files = plan.steps.map(({ path }) => path);
  const displaced = displacedPaths(worktree, plan.steps);
  const record: UndoRecord = { safety: plan.safety.id, files, aside: [...displaced], target: plan.target.id, atMs: worktree.now() };
  try {
    if (files.length > 0) await beginUndo(worktree, record);
  } catch (error) {
    if (!isPlaceAtFault(error)) throw error;
    return { result: 'failed', error: failureReason(error) };
  }
  const displacing = new Displacing(worktree, displaced);
  const { drafts, room, failed } = await prepare(worktree, plan.steps, displacing);
  if (failed.length > 0) {
    await room.drop();
    await displacing.drop();
    await restoreUndo(worktree);
    return { result: 'refused', reason: 'cannot-write', failed };
  }
  const done = await applyAll(worktree, plan.steps, { drafts, displacing, room });
  await room.drop();
  await displacing.drop();
  const written = new Set(done.written);
  // Of what came in its way in this very moment.
  await dropDrafts([...drafts].flatMap(([path, draft]) => (written.has(path) ? [] : [draft])));
  await noteDone(worktree, plan, record, done).catch((error: unknown) => {
    // It is done, though there is no room to write down how it ended: then nobody can tell what came after it.
    if (!isPlaceAtFault(error)) throw error;
  });
  return { result: 'rewound', plan, ...done, kept: [...plan.kept, ...done.kept] };
}

/** What it left behind. */
async function noteDone(worktree: Worktree, plan: RewindPlan, record: UndoRecord, { written }: Done): Promise<void> {
  const { files } = record;
  if (files.length > 0) await forgetEarlierUndo(worktree);
  await dropOldDisplaced(worktree);
  const name = `Rewound to ${plan.target.name.replace(/^(?:Before rewinding to |Rewound to )+/, '')}`;
  const taken = await take(worktree, { kind: 'prompt', by: 'shared', name, session: null, agent: null, turn: null, rewound: true });
  if (files.length === 0 || taken.result === 'failed') return;
  const after = taken.result === 'made' ? taken.checkpoint.id : taken.id;
  const skipped = new Set((await readLast(worktree.state))?.skipped.map(({ path }) => path));
  const ignored = await ignoredAmong(worktree, written);
  const noneHas = files.filter((path) => skipped.has(path) || ignored.has(path));
  const leftOut = noneHas.map((path) => [path, sightingOf(worktree, path)] as const);
  await writeUndo(worktree, { ...record, after, leftOut });
}

type Done = Pick<Rewound, 'written' | 'deleted' | 'kept' | 'failed'>;

/** Before anything is changed: all that will be written lies beside what it replaces, with room for its folders, and what will be deleted can be. */
async function prepare(worktree: Worktree, steps: readonly Step[], displacing: Displacing) {
  const room = new RoomForFolders(worktree);
  const undeleted = await undeletable(worktree, steps);
  const failed = undeleted.length > 0 ? undeleted : await displacing.prepare();
  if (failed.length > 0) return { drafts: new Map(), room, failed };
  const written = await writeDrafts(worktree, steps);
  if (written.failed.length > 0) return { ...written, room };
  const paths = steps.filter((step) => !isDeletion(step)).map(({ path }) => path);
  try {
    await room.hold(paths);
  } catch (error) {
    await dropDrafts(written.drafts.values());
    const inNewFolders = paths.filter((path) => parentsOf(path).length > 0);
    return { drafts: new Map(), room, failed: inNewFolders.map((path): Failed => ({ path, error: String(error) })) };
  }
  return { ...written, room };
}

/**
 * What is ignored comes first: a file that was ignored then looks new while its pattern is gone, and must not be deleted
 * for that. And how files of older checkpoints are written is said by attributes.
 */
async function applyAll(worktree: Worktree, steps: readonly Step[], from: Prepared): Promise<Done> {
  const isPattern = ({ path }: Step) => /(?:^|\/)\.git(?:ignore|attributes)$/.test(path);
  const patterns = steps.filter(isPattern).map(({ path }) => path);
  // What is in their way goes with them: a folder in the place of one, or a file in the place of its folder.
  const isInWay = (step: Step) =>
    isDeletion(step) && patterns.some((path) => path.startsWith(`${step.path}/`) || step.path.startsWith(`${path}/`));
  const isFirst = (step: Step) => isPattern(step) || isInWay(step);
  const first = await apply(worktree, steps.filter(isFirst), from);
  const rest = steps.filter((step) => !isFirst(step));
  const older = first.written.length + first.deleted.length > 0 ? rest.filter(({ source }) => source?.kind === 'checkout') : [];
  const again = older.length > 0 ? await writeDrafts(worktree, older) : { drafts: new Map<RawPath, Buffer>(), failed: [] };
  await dropDrafts([...again.drafts.keys()].flatMap((path) => from.drafts.get(path) ?? []));
  const [problem] = again.failed;
  const lost = problem ? older.map(({ path }) => again.failed.find((one) => one.path === path) ?? { ...problem, path }) : [];
  const drafts = new Map([...from.drafts, ...again.drafts]);
  for (const { path } of lost) drafts.delete(path);
  const ignored = await ignoredAmong(worktree, mayHaveBeenThere(rest));
  const second = await apply(
    worktree,
    rest.filter((step) => !isDeletion(step) || !ignored.has(step.path)),
    { ...from, drafts },
  );
  return {
    written: [...first.written, ...second.written],
    deleted: [...first.deleted, ...second.deleted],
    failed: [...first.failed, ...lost, ...second.failed],
    kept: [...first.kept, ...second.kept, ...[...ignored].map((path): Kept => ({ path, reason: 'ignored' }))],
  };
}

async function apply(worktree: Worktree, steps: readonly Step[], from: Prepared): Promise<Done> {
  const { root } = worktree.repository;
  const deleted: RawPath[] = [];
  const kept: Kept[] = [];
  const failed: Failed[] = [];
  for (const { path } of steps.filter(isDeletion)) {
    if (await isDirectory(root, path)) kept.push({ path, reason: 'in-the-way' });
    else {
      try {
        if (await throughSymlink(root, path)) continue;
        await (from.displacing.has(path) ? from.displacing.move(path) : unlink(onDisk(root, path)));
        deleted.push(path);
        await removeEmptyParents(root, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failed.push({ path, error: String(error) });
      }
    }
  }
  const free: Step[] = [];
  for (const step of steps.filter((one) => !isDeletion(one))) {
    if (await isBlocked(root, step.path)) kept.push({ path: step.path, reason: 'in-the-way' });
    else free.push(step);
  }
  return { written: await placeFiles(worktree, free, { ...from, failed }), deleted, kept, failed };
}

/** Files that cannot be deleted, because their folder is not ours to write. */
async function undeletable({ repository: { root } }: Worktree, steps: readonly Step[]): Promise<Failed[]> {
  const folders = new Map<RawPath, string | null>();
  const failed: Failed[] = [];
  for (const { path } of steps.filter(isDeletion)) {
    const folder = parentsOf(path).at(-1) ?? '';
    if (!folders.has(folder))
      folders.set(
        folder,
        await access(onDisk(root, folder), constants.W_OK).then(
          () => null,
          (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' || error.code === 'ENOTDIR' ? null : String(error)),
        ),
      );
    const error = folders.get(folder);
    if (error) failed.push({ path, error });
  }
  return failed;
}

const isDirectory = async (root: string, path: RawPath) => (await lstatOrNull(root, path))?.isDirectory() ?? false;

async function throughSymlink(root: string, path: RawPath): Promise<boolean> {
  for (const parent of parentsOf(path)) if ((await lstatOrNull(root, parent))?.isSymbolicLink()) return true;
  return false;
}

/** Once all is deleted that goes: a directory that holds something, or something that is no directory on the way there. */
async function isBlocked(root: string, path: RawPath): Promise<boolean> {
  for (const parent of parentsOf(path)) {
    const found = await lstatOrNull(root, parent);
    if (found && !found.isDirectory()) return true;
  }
  // Empty folders, one in another, are nothing: git does not see them.
  return (await isDirectory(root, path)) && !(await isAllGoing(root, path, new Set()));
}

/** Directories that a deletion emptied; one with anything left in it stays, since `rmdir` refuses. */
async function removeEmptyParents(root: string, path: RawPath): Promise<void> {
  for (const parent of parentsOf(path).reverse()) {
    const gone = await rmdir(onDisk(root, parent)).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}
