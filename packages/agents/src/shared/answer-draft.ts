import {
  type Agent,
  type CanonicalEvent,
  type Delivery,
  decisionsIn,
  type EncodeContext,
  type EventName,
  type NativeAnswer,
  type Reduced,
  SILENCE,
} from '@piton/contracts';
import type { AgentTable } from './agent-table.ts';
import { noPlaceFor, withoutEnd } from './delivery-notes.ts';

/** An answer in the making. */
export interface Draft {
  readonly top: Record<string, unknown>;
  /** What stands in `hookSpecificOutput`, for agents that have it. */
  readonly specific: Record<string, unknown>;
  readonly delivered: Delivery[];
  deferred?: string;
  /** The run ends here, as a hook asked. */
  ended?: boolean;
}

export type Rule = (draft: Draft, decision: Reduced, event: CanonicalEvent, context: EncodeContext) => void;

/** How each event takes a decision. What is in no rule reaches nobody, and is reported so. */
export type RuleTable<Without extends EventName> = AgentTable<Rule, Without>;

/** How one agent takes decisions. */
export interface AnswerDialect {
  readonly title: string;
  readonly rules: Readonly<Partial<Record<EventName, Rule>>>;
  noop(nativeEvent: string): NativeAnswer;
  /** Writes a message for the person into the draft; false where nobody would see it. */
  addUserMessage(draft: Draft, message: string, event: CanonicalEvent): boolean;
}

export function encoderOf({ title, rules, noop, addUserMessage }: AnswerDialect): Agent['encode'] {
  return (event, decision, context) => {
    const draft: Draft = { top: {}, specific: {}, delivered: [] };
    rules[event.event]?.(draft, decision, event, context);
    for (const part of decisionsIn(decision))
      if (!draft.delivered.some((delivery) => delivery.decision === part)) draft.delivered.push(noPlaceFor(part, title, event.nativeEvent));
    if (decision.userMessage !== undefined && !addUserMessage(draft, decision.userMessage, event))
      draft.delivered.push({ decision: 'replace', how: 'none', note: `the message for the person is not shown on ${event.nativeEvent}` });
    const nested =
      Object.keys(draft.specific).length > 0 ? { hookSpecificOutput: { hookEventName: event.nativeEvent, ...draft.specific } } : {};
    const whole = { ...draft.top, ...nested };
    return {
      answer: Object.keys(whole).length === 0 ? noop(event.nativeEvent) : { ...SILENCE, stdout: JSON.stringify(whole) },
      delivered: decision.endRun && !draft.ended ? withoutEnd(draft.delivered) : draft.delivered,
      ...(draft.deferred !== undefined && { deferred: draft.deferred }),
    };
  };
}

/** `{}` on the events that it names, silence on the rest. */
export const emptyObjectOn =
  (isAnswered: (nativeEvent: string) => boolean) =>
  (nativeEvent: string): NativeAnswer =>
    isAnswered(nativeEvent) ? { ...SILENCE, stdout: '{}' } : SILENCE;

/** For agents with `systemMessage`: where the person sees it. */
export const systemMessageOn =
  (isShown: (nativeEvent: string) => boolean): AnswerDialect['addUserMessage'] =>
  (draft, message, { nativeEvent }) => {
    if (!isShown(nativeEvent)) return false;
    draft.top.systemMessage = message;
    return true;
  };
