import { findCheckpoint } from '../history/listing.ts';
import type { RawPath } from '../raw-path.ts';
import type { Sighting } from '../snapshot/working-file.ts';
import type { Worktree } from '../worktree.ts';
import { type Rewound, rewind } from './rewind.ts';
import { changedPaths, planRewind, type Refused, type RewindOptions, type RewindPlan } from './rewind-plan.ts';
import { lastRewind, sightingOf, type UndoRecord } from './undo-record.ts';

/** The rewind that would be taken back. */
export interface Undoes {
  readonly at: Date | null;
  readonly target: string | null;
  /** What the checkpoint that it went to is called. */
  readonly name: string | null;
  /** Files that somebody changed after it; null where it was cut short, so that nobody can tell. */
  readonly changedSince: readonly RawPath[] | null;
}

export interface UndoPlan extends RewindPlan {
  readonly undoes: Undoes;
}

const optionsOf = ({ files, aside }: UndoRecord): RewindOptions => ({ exactly: files, displaced: new Map(aside) });

/** Takes back the last rewind: the files that it touched become what they were before it. */
export async function undoRewind(worktree: Worktree): Promise<Rewound | Refused> {
  const last = await lastRewind(worktree);
  return last ? rewind(worktree, last.safety, optionsOf(last)) : { result: 'refused', reason: 'nothing-to-undo' };
}

/** What `undoRewind` would do, and what has happened since the rewind that it would take back. */
export async function planUndo(worktree: Worktree): Promise<UndoPlan | Refused> {
  const last = await lastRewind(worktree);
  if (!last) return { result: 'refused', reason: 'nothing-to-undo' };
  const plan = await planRewind(worktree, last.safety, optionsOf(last));
  return plan.result === 'plan' ? { ...plan, undoes: await undoneBy(worktree, last, plan) } : plan;
}

async function undoneBy(worktree: Worktree, record: UndoRecord, plan: RewindPlan): Promise<Undoes> {
  const { target, atMs, after } = record;
  const find = (id: string | undefined) => (id === undefined ? null : findCheckpoint(worktree.git, worktree.repository, id));
  const [to, left] = await Promise.all([find(target), find(after)]);
  return {
    at: atMs === undefined ? null : new Date(atMs),
    target: target ?? null,
    name: to?.name ?? null,
    changedSince:
      left &&
      [
        ...new Set([...(await changedPaths(worktree, left, plan.safety)).map(({ path }) => path), ...touched(worktree, record, plan)]),
      ].sort(),
  };
}

/**
 * Of the files in its way that no checkpoint takes, those that are not as the rewind left them. They may be large: their time stamps
 * tell, and nobody edits a file in the same tick of the clock. What older versions wrote tells nothing of them.
 */
function touched(worktree: Worktree, { leftOut }: UndoRecord, { steps }: RewindPlan): RawPath[] {
  const then = new Map(leftOut);
  const stamp = (sighting: Sighting | null | undefined) => sighting?.slice(0, 4).join(' ');
  const paths = steps.filter(({ unrecorded }) => unrecorded).map(({ path }) => path);
  return paths.filter((path) => !then.has(path) || stamp(then.get(path)) !== stamp(sightingOf(worktree, path)));
}
