import type { Checkpoint } from './checkpoint.ts';
import { stateBefore } from './own-checkpoint.ts';
import type { OpenTurn } from './turns.ts';

/**
 * The state before the latest turn that is known to have begun. A prompt has a checkpoint of its own only if a person changed
 * something since the turn before it; otherwise the last checkpoint of that turn is the state.
 */
export function beforeLatestTurn(all: readonly Checkpoint[], open: readonly OpenTurn[]): Checkpoint | undefined {
  const inTurns = all.filter(({ kind, session, turn }) => kind !== 'commit' && session !== null && turn !== null);
  const running = [...open].sort((a, b) => a.startedMs - b.startedMs).at(-1);
  const first = running
    ? inTurns.find(({ session, turn }) => session === running.session && turn === running.turn)
    : inTurns.find(({ session, turn }) => session === inTurns.at(-1)?.session && turn === inTurns.at(-1)?.turn);
  if (first?.kind === 'prompt') return first;
  if (first) return stateBefore(all, first) ?? all[all.indexOf(first) - 1];
  return running && all.findLast(({ at }) => at.getTime() <= running.startedMs);
}
