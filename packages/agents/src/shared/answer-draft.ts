import {
  type ActiveDecision,
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

/**
 * An answer in the making, in which a rule may report the kinds of decisions in `Kinds`. A rule's type thus names what it can
 * deliver, and `ruleTable` adds up whether a kind was forgotten.
 */
export interface Draft<Kinds extends ActiveDecision = never> {
  readonly top: Record<string, unknown>;
  /** What stands in `hookSpecificOutput`, for agents that have it. */
  readonly specific: Record<string, unknown>;
  readonly deliver: (delivery: Delivery & { readonly decision: Kinds }) => void;
  deferred?: string;
  /** The run ends here, as a hook asked. */
  ended?: boolean;
}

export type Rule<Kinds extends ActiveDecision> = (
  draft: Draft<Kinds>,
  decision: Reduced,
  event: CanonicalEvent,
  context: EncodeContext,
) => void;

type KindsIn<Rules> = { [Name in keyof Rules]: Rules[Name] extends Rule<infer Kinds> ? Kinds : never }[keyof Rules];
export type Rules = Readonly<Partial<Record<EventName, Rule<ActiveDecision>>>>;

/**
 * How each event takes a decision. What is in no rule reaches nobody, and is reported so. A new kind of decision does not compile
 * until a rule delivers it, or it is among the `Untaken` of the agent's capabilities.
 */
export const ruleTable =
  <Unanswered extends EventName, Untaken extends ActiveDecision = never>() =>
  <const Given extends AgentTable<Rule<ActiveDecision>, Unanswered>>(
    rules: Given & Readonly<Record<Exclude<ActiveDecision, Untaken | KindsIn<Given>>, 'is delivered by no rule'>>,
  ): Rules =>
    rules;

/** How one agent takes decisions. */
export interface AnswerDialect {
  readonly title: string;
  readonly rules: Rules;
  noop(nativeEvent: string): NativeAnswer;
  /** Writes a message for the person into the draft; false where nobody would see it. */
  addUserMessage(draft: Draft, message: string, event: CanonicalEvent): boolean;
}

export function encoderOf({ title, rules, noop, addUserMessage }: AnswerDialect): Agent['encode'] {
  return (event, decision, context) => {
    const delivered: Delivery[] = [];
    const draft: Draft<ActiveDecision> = { top: {}, specific: {}, deliver: (delivery) => void delivered.push(delivery) };
    rules[event.event]?.(draft, decision, event, context);
    for (const part of decisionsIn(decision))
      if (!delivered.some((delivery) => delivery.decision === part)) delivered.push(noPlaceFor(part, title, event.nativeEvent));
    if (decision.userMessage !== undefined && !addUserMessage(draft, decision.userMessage, event))
      delivered.push({ decision: 'replace', how: 'none', note: `the message for the person is not shown on ${event.nativeEvent}` });
    const nested =
      Object.keys(draft.specific).length > 0 ? { hookSpecificOutput: { hookEventName: event.nativeEvent, ...draft.specific } } : {};
    const whole = { ...draft.top, ...nested };
    return {
      answer: Object.keys(whole).length === 0 ? noop(event.nativeEvent) : { ...SILENCE, stdout: JSON.stringify(whole) },
      delivered: decision.endRun && !draft.ended ? withoutEnd(delivered) : delivered,
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
