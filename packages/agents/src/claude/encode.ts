import {
  type CanonicalEvent,
  type Delivery,
  type EncodeContext,
  type Encoded,
  type NativeAnswer,
  type Reduced,
  SILENCE,
} from '@piton/contracts';
import { isKnown } from './events.ts';
import { type Draft, type Part, partsOf, RULES } from './rules.ts';

/** Here even `{}` would say something: it is taken as instructions, shown to the person, or read as a path. */
const SILENT: ReadonlySet<string> = new Set(['PreCompact', 'PostCompact', 'WorktreeCreate']);

/** Where Claude Code drops a message for the person. */
const NO_USER_MESSAGE =
  /^(?:Notification|SessionEnd|StopFailure|PreCompact|PostCompact|ConfigChange|InstructionsLoaded|Worktree.*|MessageDisplay|Elicitation.*)$/;

export function noop(nativeEvent: string): NativeAnswer {
  return SILENT.has(nativeEvent) || !isKnown(nativeEvent) ? SILENCE : { ...SILENCE, stdout: '{}' };
}

export function encode(event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded {
  const draft: Draft = { top: {}, specific: {}, delivered: [] };
  RULES[event.event]?.(draft, decision, event, context);
  for (const part of partsOf(decision)) {
    if (draft.delivered.some((delivery) => delivery.decision === part)) continue;
    draft.delivered.push(undelivered(part, event.nativeEvent));
  }
  addUserMessage(draft, decision, event);
  return {
    answer: answerOf(draft, event.nativeEvent),
    delivered: decision.endRun && !draft.ended ? draft.delivered.map(runGoesOn) : draft.delivered,
    ...(draft.deferred !== undefined && { deferred: draft.deferred }),
  };
}

function answerOf({ top, specific }: Draft, nativeEvent: string): NativeAnswer {
  const nested = Object.keys(specific).length > 0 ? { hookSpecificOutput: { hookEventName: nativeEvent, ...specific } } : {};
  const whole = { ...top, ...nested };
  return Object.keys(whole).length === 0 ? noop(nativeEvent) : { ...SILENCE, stdout: JSON.stringify(whole) };
}

function addUserMessage(draft: Draft, { userMessage }: Reduced, event: CanonicalEvent): void {
  if (userMessage === undefined) return;
  if (isKnown(event.nativeEvent) && !NO_USER_MESSAGE.test(event.nativeEvent)) draft.top.systemMessage = userMessage;
  else draft.delivered.push({ decision: 'replace', how: 'none', note: `the message for the person is not shown on ${event.nativeEvent}` });
}

const runGoesOn = (delivery: Delivery): Delivery =>
  delivery.decision === 'deny'
    ? { ...delivery, note: [delivery.note, 'the run cannot be ended here'].filter(Boolean).join('; ') }
    : delivery;

const undelivered = (part: Part, nativeEvent: string): Delivery => ({
  decision: part,
  how: 'none',
  note: `Claude Code takes no ${part} on ${nativeEvent}`,
});
