import { DECISION_NAMES, type Decision, type JsonObject, type NativeAnswer, OBSERVE, type Reduced, type Verdict } from '@piton/contracts';

/** What one hook said: often one decision, sometimes several (allow, with this input, and this for the model). */
export interface Part {
  readonly decisions: readonly Decision[];
  /** For the person. */
  readonly userMessage?: string;
  /** The run is to end here. */
  readonly endRun?: boolean;
  /** @internal Of a hook that speaks the agent's own language: goes there as it is, if nobody else has said anything. */
  readonly native?: NativeAnswer;
}

/** Strongest first. */
const VERDICTS: readonly Exclude<Verdict, 'observe'>[] = ['deny', 'ask', 'allow'];

/** The strongest of some decisions: what the trace names. */
export function strongest(decisions: readonly Decision[]): Decision {
  for (const name of DECISION_NAMES) {
    const found = decisions.find((decision) => decision.decision === name);
    if (found !== undefined) return found;
  }
  return { decision: 'observe' };
}

/** Puts together what all hooks of one event said, in their order. The verdict does not depend on that order. */
export function reduce(parts: readonly Part[]): Reduced {
  const all = parts.flatMap((part) => part.decisions);
  const userMessage = joined(parts.map((part) => part.userMessage));
  const endRun = parts.some((part) => part.endRun);
  const verdict = VERDICTS.find((name) => all.some((decision) => decision.decision === name)) ?? 'observe';
  let reason = joined(all.map((said) => (said.decision === verdict && 'reason' in said ? said.reason : undefined)));
  let input: JsonObject | undefined;
  let output: { value: unknown } | undefined;
  for (const said of all) {
    if (said.decision === 'modify') input = said.input;
    if (said.decision === 'rewrite') output = { value: said.output };
  }
  if (verdict === 'observe') reason = joined(all.map((said) => (said.decision === 'modify' ? said.reason : undefined)));
  const content = joined(all.map((said) => (said.decision === 'replace' ? said.content : undefined)));
  // Ending the run is the stronger wish: at stop both cannot be had.
  const onward = endRun ? undefined : joined(all.map((said) => (said.decision === 'continue' ? said.reason : undefined)));
  const kept = all.filter((said) => !(endRun && said.decision === 'continue'));
  const reduced: Reduced = {
    decision: strongest(kept).decision,
    verdict,
    ...(reason !== undefined && { reason }),
    // What is not done needs no input.
    ...(input !== undefined && verdict !== 'deny' && { input }),
    ...(output !== undefined && { output: output.value }),
    ...(content !== undefined && { content }),
    ...(onward !== undefined && { continue: onward }),
    ...(userMessage !== undefined && { userMessage }),
    ...(endRun && { endRun }),
  };
  return Object.keys(reduced).length === 2 && reduced.decision === 'observe' ? OBSERVE : reduced;
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined);
  return said.length > 0 ? said.join('\n') : undefined;
}
