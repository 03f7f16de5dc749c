import {
  type CanonicalEvent,
  type Delivery,
  decisionsIn,
  type EncodeContext,
  type Encoded,
  type EventName,
  type NativeAnswer,
  type Reduced,
  SILENCE,
} from '@piton/contracts';

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

/** How one agent takes decisions. */
export interface AnswerDialect {
  readonly title: string;
  /** What is in no rule reaches nobody, and is reported so. */
  readonly rules: Partial<Record<EventName, Rule>>;
  noop(nativeEvent: string): NativeAnswer;
  /** Writes a message for the person into the draft; false where nobody would see it. */
  tellPerson(draft: Draft, message: string, event: CanonicalEvent): boolean;
}

export function encodeWith(dialect: AnswerDialect, event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded {
  const { title, rules, noop, tellPerson } = dialect;
  const draft: Draft = { top: {}, specific: {}, delivered: [] };
  rules[event.event]?.(draft, decision, event, context);
  for (const part of decisionsIn(decision)) {
    if (draft.delivered.some((delivery) => delivery.decision === part)) continue;
    draft.delivered.push({ decision: part, how: 'none', note: `${title} takes no ${part} on ${event.nativeEvent}` });
  }
  if (decision.userMessage !== undefined && !tellPerson(draft, decision.userMessage, event))
    draft.delivered.push({ decision: 'replace', how: 'none', note: `the message for the person is not shown on ${event.nativeEvent}` });
  const nested =
    Object.keys(draft.specific).length > 0 ? { hookSpecificOutput: { hookEventName: event.nativeEvent, ...draft.specific } } : {};
  const whole = { ...draft.top, ...nested };
  return {
    answer: Object.keys(whole).length === 0 ? noop(event.nativeEvent) : { ...SILENCE, stdout: JSON.stringify(whole) },
    delivered: decision.endRun && !draft.ended ? draft.delivered.map(runGoesOn) : draft.delivered,
    ...(draft.deferred !== undefined && { deferred: draft.deferred }),
  };
}

const runGoesOn = (delivery: Delivery): Delivery =>
  delivery.decision === 'deny'
    ? { ...delivery, note: [delivery.note, 'the run cannot be ended here'].filter(Boolean).join('; ') }
    : delivery;

const NOBODY = 'nobody can answer here, so the question became a deny';

/** What is left of a verdict before a tool: an `ask` that nobody can answer is a deny that says so. */
export function verdictOf(draft: Draft, decision: Reduced, attended: boolean): { verdict: Reduced['verdict']; reason: string } {
  const reason = decision.reason ?? '';
  if (decision.verdict !== 'ask' || attended) {
    if (decision.verdict !== 'observe') draft.delivered.push({ decision: decision.verdict, how: 'now' });
    return { verdict: decision.verdict, reason };
  }
  draft.delivered.push({ decision: 'ask', how: 'degraded', note: NOBODY });
  return { verdict: 'deny', reason: `${reason} (Piton: ${NOBODY})`.trim() };
}

export const addContext: Rule = (draft, { content }) => {
  if (content === undefined) return;
  draft.specific.additionalContext = content;
  draft.delivered.push({ decision: 'replace', how: 'now' });
};

export const deferContext: Rule = (draft, { content }) => {
  if (content === undefined) return;
  draft.deferred = content;
  draft.delivered.push({ decision: 'replace', how: 'deferred', note: 'until the next session start or prompt' });
};

export const asTextForModel = (output: unknown): string => (typeof output === 'string' ? output : JSON.stringify(output));
