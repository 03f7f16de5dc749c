import { findCheckpoint } from './listing.ts';
import type { Place } from './place.ts';
import type { RawPath } from './raw-path.ts';
import { type Rewound, rewind } from './rewind.ts';
import { changedPaths, planRewind, type Refused, type RewindOptions, type RewindPlan } from './rewind-plan.ts';
import { lastRewind, sightingOf, type UndoRecord } from './undo-record.ts';
import type { Sighting } from './working-file.ts';

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

async function undoneBy(place: Place, record: UndoRecord, plan: RewindPlan): Promise<Undoes> {
  const { target, atMs, after } = record;
  const find = (id: string | undefined) => (id === undefined ? null : findCheckpoint(place.git, place.repository, id));
  const [to, left] = await Promise.all([find(target), find(after)]);
  return {
    at: atMs === undefined ? null : new Date(atMs),
    target: target ?? null,
    name: to?.name ?? null,
    changedSince:
      left &&
      [...new Set([...(await changedPaths(place, left, plan.safety)).map(({ path }) => path), ...touched(place, record, plan)])].sort(),
  };
}

/**
 * Of the files in its way that no checkpoint takes, those that are not as the rewind left them. They may be large: their time stamps
 * tell, and nobody edits a file in the same tick of the clock. What older versions wrote tells nothing of them.
 */
function touched(place: Place, { leftOut }: UndoRecord, { steps }: RewindPlan): RawPath[] {
  const then = new Map(leftOut);
  const stamp = (sighting: Sighting | null | undefined) => sighting?.slice(0, 4).join(' ');
  const paths = steps.filter(({ unrecorded }) => unrecorded).map(({ path }) => path);
  return paths.filter((path) => !then.has(path) || stamp(then.get(path)) !== stamp(sightingOf(place, path)));
}
