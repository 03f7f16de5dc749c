import type { CanonicalEvent, JsonObject, Reduced, Verdict } from '@piton/contracts';
import type { Draft, Rule } from './answer-draft.ts';

/** The verdicts that an agent is told of. */
export type ActiveVerdict = Exclude<Verdict, 'observe'>;

const NOBODY = 'nobody can answer here, so the question became a deny';

/** What is left of a verdict before a tool: an `ask` that nobody can answer is a deny that says so. */
export function verdictOf(
  draft: Draft<ActiveVerdict>,
  decision: Reduced,
  attended: boolean,
): { verdict: Reduced['verdict']; reason: string } {
  const reason = decision.reason ?? '';
  if (decision.verdict !== 'ask' || attended) {
    if (decision.verdict !== 'observe') draft.deliver({ decision: decision.verdict, how: 'now' });
    return { verdict: decision.verdict, reason };
  }
  draft.deliver({ decision: 'ask', how: 'degraded', note: NOBODY });
  return { verdict: 'deny', reason: `${reason} (Piton: ${NOBODY})`.trim() };
}

/** Where an agent has no question, an `ask` is refused as a deny is. */
export const isRefusal = ({ verdict }: Reduced): boolean => verdict === 'deny' || verdict === 'ask';

export function reportRefusal(draft: Draft<'ask' | 'deny'>, { verdict }: Reduced, noQuestion: string): void {
  draft.deliver(verdict === 'ask' ? { decision: 'ask', how: 'degraded', note: noQuestion } : { decision: 'deny', how: 'now' });
}

/** For agents that take an empty reason for a failed hook. */
export const reasonOf = ({ reason }: Pick<Reduced, 'reason'>): string => reason?.trim() || 'denied by a hook';

/** Before a tool, in agents that have no question: a refusal is a deny in `hookSpecificOutput`. */
export function addDeny(draft: Draft<'ask' | 'deny'>, decision: Reduced, noQuestion: string): void {
  const reason = decision.verdict === 'deny' ? reasonOf(decision) : `${decision.reason ?? ''} (Piton: ${noQuestion})`.trim();
  Object.assign(draft.specific, { permissionDecision: 'deny', permissionDecisionReason: reason });
  reportRefusal(draft, decision, noQuestion);
}

/** A verdict before a tool, in the names of Claude Code. */
export function addPermission(answer: Draft['top'], { verdict, reason }: { verdict: Reduced['verdict']; reason: string }): void {
  if (verdict === 'observe') return;
  answer.permissionDecision = verdict;
  if (reason !== '') answer.permissionDecisionReason = reason;
}

/** `write` puts the input into the draft in the agent's terms, or says why it cannot. */
export function addInput(
  draft: Draft<'modify'>,
  { input }: Reduced,
  denied: boolean,
  write: (input: JsonObject) => string | undefined,
): void {
  if (input === undefined) return;
  const obstacle = denied ? 'denied: nothing runs' : write(input);
  draft.deliver(obstacle === undefined ? { decision: 'modify', how: 'now' } : { decision: 'modify', how: 'none', note: obstacle });
}

/** The end of the run alone would let the tool run: it always stands beside a deny. */
export function addEnd(draft: Draft, decision: Reduced, reason = decision.reason ?? ''): void {
  if (!decision.endRun) return;
  draft.ended = true;
  Object.assign(draft.top, { continue: false, stopReason: reason });
}

export function block(draft: Draft, reason: string): void {
  Object.assign(draft.top, { decision: 'block', reason });
}

export const addContext: Rule<'replace'> = (draft, { content }) => {
  if (content === undefined) return;
  draft.specific.additionalContext = content;
  draft.deliver({ decision: 'replace', how: 'now' });
};

export const deferContext: Rule<'replace'> = (draft, { content }) => {
  if (content === undefined) return;
  draft.deferred = content;
  draft.deliver({ decision: 'replace', how: 'deferred', note: 'until the next session start, prompt or tool' });
};

/** `refuse` keeps the prompt from the model; what it does not refuse may bring context. */
export const promptRule =
  (
    noQuestion: string,
    refuse: (draft: Draft, decision: Reduced) => void,
    context: Rule<'replace'> = addContext,
  ): Rule<'ask' | 'deny' | 'replace'> =>
  (draft, decision, event, given) => {
    if (!isRefusal(decision)) return context(draft, decision, event, given);
    refuse(draft, decision);
    reportRefusal(draft, decision, noQuestion);
    if (decision.content !== undefined) draft.deliver({ decision: 'replace', how: 'none', note: 'denied: the model gets no prompt' });
  };

/** `end` ends the run where a hook asked for it, which is stronger than to refuse the stop. */
export const stopRule =
  (refuse: (draft: Draft, reason: string) => void, end: (draft: Draft, decision: Reduced) => void = addEnd): Rule<'continue'> =>
  (draft, decision) => {
    end(draft, decision);
    if (decision.continue === undefined) return;
    if (decision.endRun) return draft.deliver({ decision: 'continue', how: 'none', note: 'a hook ended the run' });
    refuse(draft, decision.continue);
    draft.deliver({ decision: 'continue', how: 'now' });
  };

/** After a tool a deny undoes nothing. The texts that the model reads in its stead: the reason, then what hooks add. */
export function reportFeedback(draft: Draft<'deny' | 'replace'>, { verdict, reason, content }: Reduced, note: string): string[] {
  if (verdict === 'deny') draft.deliver({ decision: 'deny', how: 'degraded', note });
  if (content !== undefined) draft.deliver({ decision: 'replace', how: 'now' });
  return [verdict === 'deny' ? reason : undefined, content].filter((text) => text !== undefined);
}

/** For agents whose block after a tool is a reason that the model reads beside the result. */
export const blockFeedback =
  (note: string): Rule<'deny'> =>
  (draft, decision) => {
    if (decision.verdict !== 'deny') return;
    block(draft, decision.reason ?? '');
    draft.deliver({ decision: 'deny', how: 'degraded', note });
    addEnd(draft, decision);
  };

/** At a permission request an `ask` is what the agent is about to do by itself: there is nothing to answer. */
export function isAskedAnyway(draft: Draft<'ask'>, { verdict }: Reduced, attended: boolean, title: string): boolean {
  if (verdict !== 'ask' || !attended) return false;
  draft.deliver({ decision: 'ask', how: 'degraded', note: `${title} asks by itself here, without the reason` });
  return true;
}

export interface PermissionDialect {
  readonly title: string;
  /** The fields in which a deny says why. */
  denial(reason: string): JsonObject;
  nativeInput(event: CanonicalEvent, input: JsonObject): JsonObject;
}

/** A permission request where `allow` can carry a new input. */
export const permissionRule =
  ({ title, denial, nativeInput }: PermissionDialect): Rule<ActiveVerdict | 'modify'> =>
  (draft, decision, event, { attended }) => {
    if (isAskedAnyway(draft, decision, attended, title)) return;
    const { verdict, reason } = verdictOf(draft, decision, attended);
    if (verdict === 'deny') {
      draft.specific.decision = { behavior: 'deny', ...denial(reason), ...(decision.endRun && { interrupt: true }) };
      draft.ended = decision.endRun === true;
      return;
    }
    if (verdict === 'observe' && decision.input === undefined) return;
    const updatedInput = decision.input && nativeInput(event, decision.input);
    draft.specific.decision = { behavior: 'allow', ...(updatedInput !== undefined && { updatedInput }) };
    if (updatedInput === undefined) return;
    const note = verdict === 'observe' ? 'a new input is taken here only with a grant, so this grants it' : undefined;
    draft.deliver({ decision: 'modify', how: 'now', ...(note !== undefined && { note }) });
  };

export const asTextForModel = (output: unknown): string => (typeof output === 'string' ? output : JSON.stringify(output));
