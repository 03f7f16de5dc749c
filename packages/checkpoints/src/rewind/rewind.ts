import { readdir, rmdir, unlink } from 'node:fs/promises';
import { onDisk, type RawPath } from '../raw-path.ts';
import { take } from '../snapshot/take.ts';
import { ignoredAmong } from '../snapshot/touched.ts';
import { readLast } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { displacedPaths, dropOldDisplaced, restoreDisplaced } from './displaced.ts';
import { type Kept, planRewind, type Refused, type RewindOptions, type RewindPlan, type Step } from './rewind-plan.ts';
import { lastRewind, sightingOf, type UndoRecord, writeUndo } from './undo-record.ts';
import { lstatOrNull, parentsOf, removeDrafts, writeFiles } from './write-files.ts';

export interface Rewound {
  readonly result: 'rewound';
  readonly plan: RewindPlan;
  readonly written: readonly RawPath[];
  readonly deleted: readonly RawPath[];
  readonly kept: readonly Kept[];
  /** Files that could not be written, with what git or the system said. */
  readonly failed: readonly { readonly path: RawPath; readonly error: string }[];
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
  if (files.length > 0) await writeUndo(worktree, record);
  const done = await applyAll(worktree, plan.steps, displaced);
  await dropOldDisplaced(worktree);
  const name = `Rewound to ${plan.target.name.replace(/^(?:Before rewinding to |Rewound to )+/, '')}`;
  const taken = await take(worktree, { kind: 'prompt', by: 'shared', name, session: null, agent: null, turn: null, rewound: true });
  if (files.length > 0 && taken.result !== 'failed') {
    const after = taken.result === 'made' ? taken.checkpoint.id : taken.id;
    const skipped = new Set((await readLast(worktree.state))?.skipped.map(({ path }) => path));
    const leftOut = files.filter((path) => skipped.has(path)).map((path) => [path, sightingOf(worktree, path)] as const);
    await writeUndo(worktree, { ...record, after, leftOut });
  }
  return { result: 'rewound', plan, ...done, kept: [...plan.kept, ...done.kept] };
}

type Done = Pick<Rewound, 'written' | 'deleted' | 'kept' | 'failed'>;

/**
 * What is ignored comes first: a file that was ignored then looks new while its pattern is gone, and must not be deleted
 * for that. And how files of older checkpoints are written is said by attributes.
 */
async function applyAll(worktree: Worktree, steps: readonly Step[], displaced: ReadonlyMap<RawPath, string>): Promise<Done> {
  const isPattern = ({ path }: Step) => /(?:^|\/)\.git(?:ignore|attributes)$/.test(path);
  const first = await apply(worktree, steps.filter(isPattern), displaced);
  const rest = steps.filter((step) => !isPattern(step));
  const ignored = await ignoredAmong(
    worktree,
    rest.filter(isDeletion).map(({ path }) => path),
  );
  const second = await apply(
    worktree,
    rest.filter((step) => !isDeletion(step) || !ignored.has(step.path)),
    displaced,
  );
  return {
    written: [...first.written, ...second.written],
    deleted: [...first.deleted, ...second.deleted],
    failed: [...first.failed, ...second.failed],
    kept: [...first.kept, ...second.kept, ...[...ignored].map((path): Kept => ({ path, reason: 'ignored' }))],
  };
}

const isDeletion = ({ entry, from }: Step): boolean => !entry && from === undefined;

async function apply(worktree: Worktree, steps: readonly Step[], displaced: ReadonlyMap<RawPath, string>): Promise<Done> {
  const { root } = worktree.repository;
  const deleted: RawPath[] = [];
  const kept: Kept[] = [];
  const failed: { path: RawPath; error: string }[] = [];
  for (const { path } of steps.filter(isDeletion)) {
    if (await isDirectory(root, path)) kept.push({ path, reason: 'in-the-way' });
    else {
      try {
        if (await throughSymlink(root, path)) continue;
        await unlink(onDisk(root, path));
        deleted.push(path);
        await removeEmptyParents(root, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failed.push({ path, error: String(error) });
      }
    }
  }
  const free: Step[] = [];
  const written: RawPath[] = [];
  for (const step of steps.filter((one) => !isDeletion(one))) {
    const { path, from } = step;
    try {
      if (await isBlocked(root, path)) kept.push({ path, reason: 'in-the-way' });
      else if (from === undefined) free.push(step);
      else {
        await restoreDisplaced(worktree, path, from, displaced.get(path));
        written.push(path);
      }
    } catch (error) {
      failed.push({ path, error: String(error) });
    }
  }
  written.push(...(await writeFiles(worktree, free, displaced, failed)));
  return { written, deleted, kept, failed };
}

const isDirectory = async (root: string, path: RawPath) => (await lstatOrNull(root, path))?.isDirectory() ?? false;

async function throughSymlink(root: string, path: RawPath): Promise<boolean> {
  for (const parent of parentsOf(path)) if ((await lstatOrNull(root, parent))?.isSymbolicLink()) return true;
  return false;
}

/** A directory that holds something, or something that is no directory on the way there: never removed for a file of ours. */
async function isBlocked(root: string, path: RawPath): Promise<boolean> {
  for (const parent of parentsOf(path)) {
    const found = await lstatOrNull(root, parent);
    if (found && !found.isDirectory()) return true;
  }
  if (!(await isDirectory(root, path))) return false;
  return (await readdir(onDisk(root, path)).catch(() => ['?'])).length > 0;
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
