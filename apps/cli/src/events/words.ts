import type { DecisionName, EventTable, KindEvent } from '@piton/contracts';
import type { EventHeader } from '@piton/store';
import type { Colour } from '../output/paint.ts';
import { decidedEvent, type Happening } from './happening.ts';
import { decisionColour, subjectOf } from './row.ts';

/** What happened, if the event is about no tool and no prompt. */
const HAPPENED: EventTable<string, Exclude<KindEvent, 'todo_update'>> = {
  session_start: 'session started',
  session_end: 'session ended',
  user_prompt_submit: 'prompt',
  pre_tool_use: 'tool call',
  post_tool_use: 'tool call',
  post_tool_use_failure: 'tool call',
  permission_request: 'asked for permission',
  permission_denied: 'permission denied',
  subagent_start: 'subagent started',
  subagent_stop: 'subagent ended',
  todo_update: 'to-do list changed',
  stop: 'turn ended',
  stop_failure: 'turn ended with an error',
  pre_compact: 'context about to be compacted',
  post_compact: 'context compacted',
  notification: 'notification',
  other: '',
};

/** What happened, in a person's words. */
export function whatHappened({ event }: Happening): string {
  if (event.tool || event.prompt) return subjectOf(event);
  const words = event.event === 'other' ? event.nativeEvent : (HAPPENED[event.event as keyof typeof HAPPENED] ?? event.event);
  const detail = event.source ?? event.agentId;
  return detail ? `${words} (${detail})` : words;
}

const DECIDED: Readonly<Record<Exclude<DecisionName, 'observe'>, string>> = {
  deny: 'denied',
  ask: 'approval asked',
  modify: 'changed',
  rewrite: 'changed',
  continue: 'sent back to work',
  replace: 'context added',
  allow: 'allowed',
};

export interface Result {
  /** Who did what. */
  readonly text: string;
  /** The hook's words. */
  readonly reason: string | null;
  readonly colour: Colour;
}

/** What came of it. */
export function resultOf(happening: Happening): Result {
  const decided = decidedEvent(happening);
  const { decision } = decided;
  if (decision === null || decision === 'observe') {
    const end = endOf(happening);
    return { text: end, reason: null, colour: end === 'failed' ? 'yellow' : 'dim' };
  }
  const hooks = decided.decidedBy.map(hookName).join(', ');
  const text = `${DECIDED[decision]}${hooks ? ` by ${hooks}` : ''}`;
  const isHeld = decision === 'deny' || decision === 'ask' || decision === 'continue';
  const end = isHeld ? '' : endOf(happening);
  return { text: end ? `${text}, ${end}` : text, reason: isHeld ? decided.reason : null, colour: decisionColour(decision) };
}

function endOf({ event, parts }: Happening): string {
  if (parts.some((part) => part.event === 'post_tool_use_failure')) return 'failed';
  if (parts.some((part) => part.event === 'post_tool_use')) return 'ran';
  return event.late ? 'recorded late, no hooks ran' : '';
}

/** The last word of its id, as it is listed. Piton's own are named in full. */
export const hookName = (id: string): string => (id.startsWith('piton:') ? id : (/[^/:]+$/.exec(id)?.[0] ?? id));

/** Nothing that a person asks for: it follows from another row, or is a test. */
export const isInternal = ({ derived, canary, event, decision }: EventHeader): boolean =>
  derived || canary || (event === 'post_tool_use' && decision === null);
