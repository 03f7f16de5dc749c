import { findCheckpoint } from './listing.ts';
import type { Place } from './place.ts';
import type { RawPath } from './raw-path.ts';
import { type Rewound, rewind } from './rewind.ts';
import { changedPaths, planRewind, type Refused, type RewindOptions, type RewindPlan } from './rewind-plan.ts';
import { lastRewind, type UndoRecord } from './undo-record.ts';

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

const optionsOf = ({ files, aside }: UndoRecord): RewindOptions => ({ exactly: files, aside: new Map(aside) });

/** Takes back the last rewind: the files that it touched become what they were before it. */
export async function undoRewind(place: Place): Promise<Rewound | Refused> {
  const last = await lastRewind(place);
  return last ? rewind(place, last.safety, optionsOf(last)) : { result: 'refused', reason: 'nothing-to-undo' };
}

/** What `undoRewind` would do, and what has happened since the rewind that it would take back. */
export async function planUndo(place: Place): Promise<UndoPlan | Refused> {
  const last = await lastRewind(place);
  if (!last) return { result: 'refused', reason: 'nothing-to-undo' };
  const plan = await planRewind(place, last.safety, optionsOf(last));
  return plan.result === 'plan' ? { ...plan, undoes: await undoneBy(place, last, plan) } : plan;
}

async function undoneBy(place: Place, { target, atMs, after }: UndoRecord, { safety }: RewindPlan): Promise<Undoes> {
  const find = (id: string | undefined) => (id === undefined ? null : findCheckpoint(place.git, place.repository, id));
  const [to, left] = await Promise.all([find(target), find(after)]);
  return {
    at: atMs === undefined ? null : new Date(atMs),
    target: target ?? null,
    name: to?.name ?? null,
    changedSince: left && [...new Set((await changedPaths(place, left, safety)).map(({ path }) => path))].sort(),
  };
}
