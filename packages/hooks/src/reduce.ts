import {
  DECISION_NAMES,
  DECISIONS,
  type Decision,
  type DecisionName,
  type NativeAnswer,
  OBSERVE,
  type Reduced,
  type ReducedPart,
  ruleOf,
  VERDICTS,
  type Verdict,
} from '@piton/contracts';

/** What one hook answered: often one decision, sometimes several (allow, with this input, and this for the model). */
export interface Part {
  readonly decisions: readonly Decision[];
  /** For the person. */
  readonly userMessage?: string;
  /** The run is to end here. */
  readonly endRun?: boolean;
  /** @internal Of a hook that answers in the agent's own form: passed on as it is, if no other hook has answered. */
  readonly native?: NativeAnswer;
}

/** The strongest of some decisions: what the trace names. */
export function strongest(decisions: readonly Decision[]): Decision {
  for (const name of DECISION_NAMES) {
    const found = decisions.find(({ decision }) => decision === name);
    if (found !== undefined) return found;
  }
  return { decision: 'observe' };
}

/** Puts together what all hooks of one event answered, in their order. The verdict does not depend on that order. */
export function reduce(parts: readonly Part[]): Reduced {
  const all = parts.flatMap((part) => part.decisions);
  const userMessage = joined(parts.map((part) => part.userMessage));
  const endRun = parts.some((part) => part.endRun);
  const verdict = VERDICTS.find((name) => all.some(({ decision }) => decision === name)) ?? 'observe';
  const isVoid = { deny: verdict === 'deny', endRun };
  const counted = all.filter(({ decision }) => {
    const rule = ruleOf(decision);
    return rule.part === 'verdict' || rule.voidedBy === undefined || !isVoid[rule.voidedBy];
  });
  const reason = reasonFor(verdict, counted);
  const reduced: Reduced = {
    decision: strongest(counted).decision,
    verdict,
    ...(reason !== undefined && { reason }),
    ...besideVerdict(counted),
    ...(userMessage !== undefined && { userMessage }),
    ...(endRun && { endRun }),
  };
  return Object.keys(reduced).length === 2 && reduced.decision === 'observe' ? OBSERVE : reduced;
}

type BesideVerdict = Exclude<DecisionName, Verdict>;
const BESIDE_VERDICT = (Object.keys(DECISIONS) as DecisionName[]).filter(
  (name): name is BesideVerdict => DECISIONS[name].part !== 'verdict',
);

/** The parts that stand beside a verdict, each merged as the table of decisions says. */
function besideVerdict(decisions: readonly Decision[]): Partial<Reduced> {
  const parts: Partial<Record<ReducedPart, unknown>> = {};
  for (const name of BESIDE_VERDICT) {
    const { part, field, merge } = DECISIONS[name];
    const values = decisions
      .filter(({ decision }) => decision === name)
      .map((decision) => (decision as Readonly<Record<string, unknown>>)[field]);
    if (values.length > 0) parts[part] = MERGES[merge](values);
  }
  return parts as Partial<Reduced>;
}

const MERGES: { readonly [Merge in (typeof DECISIONS)[BesideVerdict]['merge']]: (values: readonly unknown[]) => unknown } = {
  last: (values) => values.at(-1),
  joined: (values) => [...new Set(values)].join('\n'),
};

/** Of those that gave the verdict; where there is none, of those that changed the input. */
function reasonFor(verdict: Verdict, decisions: readonly Decision[]): string | undefined {
  const from = verdict === 'observe' ? 'modify' : verdict;
  return joined(decisions.map((said) => (said.decision === from && 'reason' in said ? said.reason : undefined)));
}

/** Each text once: several hooks, or one on several files, may say the same. */
function joined(texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined);
  return given.length > 0 ? [...new Set(given)].join('\n') : undefined;
}
