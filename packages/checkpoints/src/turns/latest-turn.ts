import { isUlid, ulidTime } from '@piton/contracts';
import type { Checkpoint } from '../checkpoint.ts';
import type { LoggedCall } from '../images/call-log.ts';
import { stateBefore } from './boundary-checkpoint.ts';
import type { OpenTurn } from './turn-file.ts';

/**
 * The state before the latest turn that is known to have begun. A prompt has a checkpoint of its own only if a person changed
 * something since the turn before it; otherwise the last checkpoint of that turn is the state.
 */
export function beforeLatestTurn(
  all: readonly Checkpoint[],
  open: readonly OpenTurn[],
  calls: readonly LoggedCall[] = [],
): Checkpoint | NoWayBack | undefined {
  const inTurns = all.filter(({ kind, session, turn }) => kind !== 'commit' && session !== null && turn !== null);
  const firstOf = (one: Pick<Checkpoint, 'session' | 'turn'> | undefined) =>
    inTurns.find(({ session, turn }) => session === one?.session && turn === one?.turn);
  const last = firstOf(inTurns.at(-1));
  const latest = [...open].sort((a, b) => a.startedMs - b.startedMs).at(-1);
  // One that died without a stop is open for hours, while others begin and end.
  const running = last && latest && beganMs(last) > latest.startedMs ? undefined : latest;
  const first = running ? firstOf(running) : last;
  const missing = withoutWayBack(running, first, calls);
  if (missing !== null) return missing;
  if (first) return beginningOf(all, first);
  return running && all.findLast(({ at }) => at.getTime() <= running.startedMs);
}

/** The same of any turn that has a checkpoint, by its id. */
export function beforeTurn(
  all: readonly Checkpoint[],
  turn: string,
  calls: readonly LoggedCall[] = [],
): Checkpoint | NoWayBack | undefined {
  const gap = calls.find((call) => call.wholeTurn && call.turn === turn);
  if (gap?.wayBack.kind === 'none') return { result: 'no-way-back', why: gap.wayBack.why };
  const first = all.find((one) => one.kind !== 'commit' && one.turn === turn);
  return first && beginningOf(all, first);
}

/** The state before a turn, by its first checkpoint. */
const beginningOf = (all: readonly Checkpoint[], first: Checkpoint): Checkpoint | undefined =>
  first.kind === 'prompt' ? first : (stateBefore(all, first) ?? all[all.indexOf(first) - 1]);

/** The latest turn is there, and the state before it is not: the state before another turn is no answer. */
export interface NoWayBack {
  readonly result: 'no-way-back';
  readonly why: string;
}

function withoutWayBack(running: OpenTurn | undefined, first: Checkpoint | undefined, calls: readonly LoggedCall[]): NoWayBack | null {
  const gap = calls.findLast(({ wholeTurn }) => wholeTurn);
  const timeOf = (turn: string | null | undefined): number => (turn && isUlid(turn) ? ulidTime(turn) : 0);
  const began = Math.max(first ? beganMs(first) : 0, running?.startedMs ?? 0);
  const isLatest = gap && (gap.turn === running?.turn || gap.turn === first?.turn || Math.max(timeOf(gap.turn), gap.atMs) > began);
  if (isLatest && gap.wayBack.kind === 'none') return { result: 'no-way-back', why: gap.wayBack.why };
  if (running?.laid === false) return { result: 'no-way-back', why: running.noWayBack ?? 'the state before it was not saved' };
  return null;
}

/** A turn is named after its prompt; its first checkpoint may be that of its end. */
const beganMs = ({ turn, at }: Checkpoint): number => (turn !== null && isUlid(turn) ? ulidTime(turn) : at.getTime());
