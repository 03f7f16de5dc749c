import { beginsBoot, isWithinTurn, orderOf, type Position } from './order.ts';

export type Phase = 'idle' | 'active' | 'ended';
/** What an event means for a session. */
export type SessionInput =
  | { readonly kind: 'start'; readonly source: string | null }
  | { readonly kind: 'end'; readonly reason: string | null }
  /** `again`: a prompt that the agent repeats within a turn. */
  | { readonly kind: 'prompt' | 'again' | 'stop' | 'failure' | 'tool' | 'compact' | 'commit' | 'crash' | 'activity' };

export interface SessionEvent {
  readonly position: Position;
  readonly input: SessionInput;
  readonly denied: boolean;
}

export type CloseReason = 'stop' | 'failure' | 'prompt' | 'end' | 'crash' | 'interrupted';
export interface Turn {
  /** The stamp of the event that opened it. */
  readonly id: string;
  readonly number: number;
  readonly opened: Position;
  readonly tools: number;
  readonly denials: number;
  readonly commits: number;
}

export interface SessionState {
  readonly phase: Phase;
  readonly turns: number;
  /** Open in the phase `active`, and only there. */
  readonly turn: Turn | null;
  /** Set in the phase `ended`, and only there. */
  readonly ended: { readonly wallUs: number; readonly reason: string } | null;
  readonly tools: number;
  readonly denials: number;
  readonly compactions: number;
  readonly commits: number;
  readonly startedUs: number | null;
  readonly lastUs: number | null;
  /** The first event of each boot, oldest boot first. */
  readonly boots: readonly Position[];
  readonly last: Position | null;
}

export type Effect =
  | { readonly kind: 'resumed' | 'ended' }
  | { readonly kind: 'turn-opened'; readonly turn: Turn }
  | { readonly kind: 'turn-closed'; readonly turn: Turn; readonly at: Position; readonly why: CloseReason }
  | { readonly kind: 'repeated' }
  /** It belongs before an event that is already counted and would change the result: fold the session's events again. */
  | { readonly kind: 'out-of-order' };
export interface Step {
  readonly state: SessionState;
  readonly effects: readonly Effect[];
}

export const NEW_SESSION: SessionState = {
  phase: 'idle',
  turns: 0,
  turn: null,
  ended: null,
  tools: 0,
  denials: 0,
  compactions: 0,
  commits: 0,
  startedUs: null,
  lastUs: null,
  boots: [],
  last: null,
};

/** Applies one event. Never throws, and accepts any event in any phase: agents omit, repeat and reorder events. */
export function step(state: SessionState, event: SessionEvent): Step {
  const order = orderOf(state, event.position);
  if (order === 'same') return { state, effects: [{ kind: 'repeated' }] };
  if (order === 'before') {
    const { kind } = event.input;
    // Inside the open turn, or if nothing depends on the order, counting it now gives the same result as sorting.
    if (kind === 'activity' && !event.denied && !beginsBoot(state.boots, event.position))
      return { state: seen(state, event.position), effects: [] };
    const counts = kind === 'activity' || kind === 'tool' || kind === 'commit' || kind === 'compact';
    if (!counts || state.turn === null || !isWithinTurn(state.turn.opened, event.position))
      return { state, effects: [{ kind: 'out-of-order' }] };
    return { state: seen(count(state, event), event.position), effects: [] };
  }
  const effects: Effect[] = [];
  const moved = move(state, event, effects);
  return { state: arrive(seen(count(moved, event), event.position), event.position), effects };
}

/** The phases. A stop, a notification or a commit does not wake an ended session. */
function move(state: SessionState, { input, position }: SessionEvent, effects: Effect[]): SessionState {
  switch (input.kind) {
    case 'start': {
      const open = wake(state, effects);
      // A prompt may come before its session start, and a compaction fires one within a turn. Only these two sources mean that the turn was lost.
      return input.source === 'resume' || input.source === 'clear' ? close(open, position, 'interrupted', effects) : open;
    }
    case 'prompt':
      return openTurn(close(wake(state, effects), position, 'prompt', effects), position, effects);
    case 'tool':
    case 'again':
      return state.turn === null ? openTurn(wake(state, effects), position, effects) : state;
    case 'compact':
      return wake(state, effects);
    case 'stop':
    case 'failure':
      return close(state, position, input.kind, effects);
    case 'end':
      return end(close(state, position, 'end', effects), position, input.reason ?? 'end', effects);
    case 'crash':
      return end(close(state, position, 'crash', effects), position, 'crash', effects);
    case 'commit':
    case 'activity':
      return state;
  }
}

function wake(state: SessionState, effects: Effect[]): SessionState {
  if (state.phase !== 'ended') return state;
  effects.push({ kind: 'resumed' });
  return { ...state, phase: 'idle', ended: null };
}

function openTurn(state: SessionState, position: Position, effects: Effect[]): SessionState {
  const turn: Turn = { id: position.stamp, number: state.turns + 1, opened: position, tools: 0, denials: 0, commits: 0 };
  effects.push({ kind: 'turn-opened', turn });
  return { ...state, phase: 'active', turn, turns: turn.number };
}

function close(state: SessionState, at: Position, why: CloseReason, effects: Effect[]): SessionState {
  if (state.turn === null) return state;
  effects.push({ kind: 'turn-closed', turn: state.turn, at, why });
  return { ...state, phase: 'idle', turn: null };
}

function end(state: SessionState, position: Position, reason: string, effects: Effect[]): SessionState {
  if (state.phase === 'ended') return state;
  effects.push({ kind: 'ended' });
  return { ...state, phase: 'ended', ended: { wallUs: position.wallUs, reason } };
}

function count(state: SessionState, { input, denied }: SessionEvent): SessionState {
  const tools = input.kind === 'tool' ? 1 : 0;
  const commits = input.kind === 'commit' ? 1 : 0;
  const compactions = input.kind === 'compact' ? 1 : 0;
  const denials = denied ? 1 : 0;
  if (tools + commits + compactions + denials === 0) return state;
  const { turn } = state;
  return {
    ...state,
    tools: state.tools + tools,
    commits: state.commits + commits,
    compactions: state.compactions + compactions,
    denials: state.denials + denials,
    turn: turn && { ...turn, tools: turn.tools + tools, commits: turn.commits + commits, denials: turn.denials + denials },
  };
}

const seen = (state: SessionState, { wallUs }: Position): SessionState => ({
  ...state,
  startedUs: state.startedUs === null ? wallUs : Math.min(state.startedUs, wallUs),
  lastUs: state.lastUs === null ? wallUs : Math.max(state.lastUs, wallUs),
});

const arrive = (state: SessionState, position: Position): SessionState => ({
  ...state,
  last: position,
  boots: state.last?.bootId === position.bootId ? state.boots : [...state.boots, position],
});
