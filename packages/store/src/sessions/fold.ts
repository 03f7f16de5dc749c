import { type Effect, NEW_SESSION, type SessionEvent, type SessionState, step } from './machine.ts';
import { sortByPosition } from './order.ts';

/** Folds a session from all its events, in any order, with duplicates. */
export function foldSession(events: readonly SessionEvent[]): { readonly state: SessionState; readonly effects: readonly Effect[] } {
  const effects: Effect[] = [];
  let state = NEW_SESSION;
  for (const event of sortByPosition(events)) {
    const next = step(state, event);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}
