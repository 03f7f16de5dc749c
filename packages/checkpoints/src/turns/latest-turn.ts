import { isUlid, ulidTime } from '@piton/contracts';
import type { Checkpoint } from '../checkpoint.ts';
import type { LoggedCall } from '../images/call-log.ts';
import { NO_ANSWER } from '../kept/kept-call.ts';
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
): Checkpoint | BeforeCall | NoWayBack | undefined {
  const inTurns = all.filter(({ kind, session, turn }) => kind !== 'commit' && session !== null && turn !== null);
  const firstOf = (one: Pick<Checkpoint, 'session' | 'turn'> | undefined) =>
    inTurns.find(({ session, turn }) => session === one?.session && turn === one?.turn);
  const began = beginnings(all, firstOf);
  const last = firstOf(inTurns.at(-1));
  const latest = [...open].sort((a, b) => compare(began.ofOpen(a), began.ofOpen(b))).at(-1);
  // One that died without a stop is open for hours, while others begin and end.
  const running = last && latest && compare(began.ofFirst(last), began.ofOpen(latest)) > 0 ? undefined : latest;
  const first = running ? firstOf(running) : last;
  const gap = calls.findLast(isGap);
  const known = running ? began.ofOpen(running) : first && began.ofFirst(first);
  const isIts = gap && (gap.turn === running?.turn || gap.turn === first?.turn);
  if (gap && (isIts || known === undefined || compare(began.ofGap(gap), known) > 0)) return wayBackOf(gap, calls);
  if (running?.laid === false) return { result: 'no-way-back', why: running.noWayBack ?? 'the state before it was not saved' };
  if (first) return beginningOf(all, first);
  return running && (all.find(({ id }) => id === running.after) ?? all.findLast(({ at }) => at.getTime() <= running.startedMs));
}

/** The same of any turn that has a checkpoint, by its id. */
export function beforeTurn(
  all: readonly Checkpoint[],
  turn: string,
  calls: readonly LoggedCall[] = [],
): Checkpoint | BeforeCall | NoWayBack | undefined {
  const gap = calls.find((call) => call.turn === turn && isGap(call));
  if (gap) return wayBackOf(gap, calls);
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

/** Nobody looked at the prompt, and somebody did before the first call. */
export interface BeforeCall {
  readonly result: 'before-call';
  readonly id: string;
}

/** A turn without a state before it; or a call whose turn nobody saw begin. */
const isGap = ({ wholeTurn, late, turn, id }: LoggedCall): boolean => wholeTurn === true || (late === true && turn === id);

function wayBackOf(gap: LoggedCall, calls: readonly LoggedCall[]): BeforeCall | NoWayBack {
  const first = gap.late && gap.wholeTurn ? calls.find(({ turn, wholeTurn }) => turn === gap.turn && !wholeTurn) : undefined;
  if (first?.wayBack.kind === 'image' && !first.late) return { result: 'before-call', id: first.id };
  return { result: 'no-way-back', why: gap.wayBack.kind === 'none' ? gap.wayBack.why : NO_ANSWER };
}

/**
 * When a turn began: how many checkpoints were there, which no clock can change, and the time. Of some nobody noted how many: then it is
 * known within limits.
 */
interface Beginning {
  readonly atLeast: number;
  readonly atMost: number;
  readonly ms: number;
}

function beginnings(all: readonly Checkpoint[], firstOf: (turn: OpenTurn) => Checkpoint | undefined) {
  const limits = (after: string | null | undefined): Omit<Beginning, 'ms'> => {
    const found = all.findIndex(({ id }) => id === after);
    return after === undefined || (after !== null && found < 0)
      ? { atLeast: 0, atMost: all.length }
      : { atLeast: found + 1, atMost: found + 1 };
  };
  /** The first checkpoint of a turn may be that of its end. */
  const upTo = (first: Checkpoint) => ({ atLeast: first.kind === 'prompt' ? all.indexOf(first) : 0, atMost: all.indexOf(first) });
  return {
    ofFirst: (first: Checkpoint): Beginning => ({ ...upTo(first), ms: beganMs(first) }),
    ofOpen(turn: OpenTurn): Beginning {
      const first = firstOf(turn);
      return { ...(first?.kind === 'prompt' ? upTo(first) : limits(turn.after)), ms: turn.startedMs };
    },
    ofGap: ({ turn, atMs, after }: LoggedCall): Beginning => ({
      ...limits(after ?? undefined),
      ms: Math.max(isUlid(turn) ? ulidTime(turn) : 0, atMs),
    }),
  };
}

/** Clocks are set back; the order of checkpoints is that in which they were made. */
function compare(a: Beginning, b: Beginning): number {
  if (a.atLeast > b.atMost) return 1;
  return b.atLeast > a.atMost ? -1 : a.ms - b.ms;
}

/** A turn is named after its prompt; its first checkpoint may be that of its end. */
const beganMs = ({ turn, at }: Checkpoint): number => (turn !== null && isUlid(turn) ? ulidTime(turn) : at.getTime());
