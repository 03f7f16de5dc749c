import type { EventName, Outcome, Verdict } from '@piton/contracts';
import { clockValue } from '../clock.ts';
import type { EventRecord } from '../records.ts';
import type { SessionEvent, SessionInput } from './machine.ts';
import type { Position } from './order.ts';

interface EventFacts {
  readonly event: EventName;
  readonly source: string | null;
  readonly derived: boolean;
  /** It happened inside a hook of this session, so it does not change the phase of the session. */
  readonly child: boolean;
  readonly continued: boolean;
}

/** What an event means for its session. */
export function inputOf({ event, source, derived, child, continued }: EventFacts): SessionInput {
  if (derived || child) return { kind: 'activity' };
  switch (event) {
    case 'session_start':
      return { kind: 'start', source };
    case 'session_end':
      return { kind: 'end', reason: source };
    case 'user_prompt_submit':
      // The task of a subagent is not a prompt of the person, nor is the reason of a refused stop.
      return { kind: source === 'subagent' ? 'activity' : source === 'continuation' ? 'again' : 'prompt' };
    case 'pre_tool_use':
    case 'pre_shell_execution':
    case 'pre_mcp_execution':
    case 'pre_read_file':
    case 'pre_file_edit':
      return { kind: 'tool' };
    case 'stop':
      // A refused stop is not a stop: the agent continues in the same turn.
      return { kind: continued ? 'activity' : 'stop' };
    case 'stop_failure':
      return { kind: 'failure' };
    case 'pre_compact':
      return { kind: 'compact' };
    case 'post_tool_use':
    case 'post_tool_use_failure':
    case 'post_shell_execution':
    case 'post_mcp_execution':
    case 'post_file_edit':
    case 'permission_request':
    case 'permission_denied':
    case 'subagent_start':
    case 'subagent_stop':
    case 'todo_update':
    case 'post_compact':
    case 'notification':
    case 'other':
      return { kind: 'activity' };
  }
}

export const wasContinued = (outcome: Outcome | null): boolean =>
  outcome?.decision.continue !== undefined && outcome.delivered.some(({ decision, how }) => decision === 'continue' && how === 'now');

/** What the machine needs of an event, new or loaded from a store. */
export interface SessionFacts extends Omit<EventFacts, 'child'> {
  readonly position: Position;
  readonly depth: number;
  readonly verdict: Verdict | null;
}

export function sessionEventOf({ position, depth, verdict, ...facts }: SessionFacts, sessionDepth: number): SessionEvent {
  const { event, derived } = facts;
  return {
    position,
    input: inputOf({ ...facts, child: depth > sessionDepth }),
    // A deny counts at its own event, and not again in the events that the server derives from it.
    denied: !derived && (event === 'permission_denied' || verdict === 'deny'),
  };
}

export const factsOf = (record: EventRecord): SessionFacts => ({
  position: {
    bootId: record.bootId,
    monotonicUs: clockValue(record.monotonicUs),
    stamp: record.eventId,
    wallUs: clockValue(record.wallUs),
  },
  event: record.envelope.event,
  source: record.source,
  derived: record.derived,
  depth: record.depth,
  continued: wasContinued(record.outcome),
  verdict: record.outcome?.decision.verdict ?? null,
});
