import { isUlid, ulidTime } from '@piton/contracts';
import type { Checkpoint } from '../checkpoint.ts';
import { stateBefore } from './boundary-checkpoint.ts';
import type { OpenTurn } from './open-turns.ts';

/**
 * The state before the latest turn that is known to have begun. A prompt has a checkpoint of its own only if a person changed
 * something since the turn before it; otherwise the last checkpoint of that turn is the state.
 */
export function beforeLatestTurn(all: readonly Checkpoint[], open: readonly OpenTurn[]): Checkpoint | undefined {
  const inTurns = all.filter(({ kind, session, turn }) => kind !== 'commit' && session !== null && turn !== null);
  const firstOf = (one: Pick<Checkpoint, 'session' | 'turn'> | undefined) =>
    inTurns.find(({ session, turn }) => session === one?.session && turn === one?.turn);
  const last = firstOf(inTurns.at(-1));
  const latest = [...open].sort((a, b) => a.startedMs - b.startedMs).at(-1);
  // One that died without a stop is open for hours, while others begin and end.
  const running = last && latest && beganMs(last) > latest.startedMs ? undefined : latest;
  const first = running ? firstOf(running) : last;
  if (first?.kind === 'prompt') return first;
  if (first) return stateBefore(all, first) ?? all[all.indexOf(first) - 1];
  return running && all.findLast(({ at }) => at.getTime() <= running.startedMs);
}

/** A turn is named after its prompt; its first checkpoint may be that of its end. */
const beganMs = ({ turn, at }: Checkpoint): number => (turn !== null && isUlid(turn) ? ulidTime(turn) : at.getTime());
