/** What a hook answers, and in the end what Piton answers. `observe` is nothing to say; it is not `allow`. */
export type Decision =
  | { readonly decision: 'observe' }
  | { readonly decision: 'replace'; readonly content: string }
  | { readonly decision: 'allow'; readonly reason?: string }
  | { readonly decision: 'ask'; readonly reason: string }
  | { readonly decision: 'deny'; readonly reason: string }
  | { readonly decision: 'modify'; readonly input: JsonObject; readonly reason?: string }
  | { readonly decision: 'rewrite'; readonly output: unknown }
  | { readonly decision: 'continue'; readonly reason: string };

export type DecisionName = Decision['decision'];
/** Those that ask something of the agent. */
export type ActiveDecision = Exclude<DecisionName, 'observe'>;
export type DecisionOf<Name extends DecisionName> = Extract<Decision, { readonly decision: Name }>;
export type JsonObject = { readonly [key: string]: unknown };

export type Verdict = 'deny' | 'ask' | 'allow' | 'observe';

/** All decisions of one event put together: one verdict, and what else was decided beside it. */
export interface Reduced {
  readonly decision: DecisionName;
  readonly verdict: Verdict;
  /** Why, for the verdict: of the hooks that gave it, in order, joined by newlines. */
  readonly reason?: string;
  readonly input?: JsonObject;
  readonly output?: unknown;
  readonly content?: string;
  /** At stop: the reason to go on working. */
  readonly continue?: string;
  /** For the person, not for the model. */
  readonly userMessage?: string;
  /** A hook asked for the run to end here (Claude's `continue: false`); always beside a deny. */
  readonly endRun?: boolean;
}

export const OBSERVE: Reduced = { decision: 'observe', verdict: 'observe' };

/** The part of `Reduced` that a kind of decision fills. */
export type ReducedPart = 'verdict' | 'input' | 'output' | 'content' | 'continue';

interface DecisionRule {
  /** 1 is the strongest. The strongest of an event names it in records and listings. */
  readonly rank: number;
  /** A project's hook needs `piton trust --may` for it. */
  readonly needsPermission?: true;
  /** One call on several files: enough of one file, unless it is needed of every file, or no agent takes it. */
  readonly severalFiles?: 'every' | 'none';
  /** Once a later hook has changed the input: the hook is asked again, unless it stays or is dropped. */
  readonly changedInput?: 'stays' | 'dropped';
}
/** The strongest verdict counts, with the reasons of those that gave it. */
interface VerdictRule extends DecisionRule {
  readonly part: 'verdict';
}
/** What stands beside a verdict. */
interface PartRule<Name extends DecisionName> extends DecisionRule {
  readonly part: Exclude<ReducedPart, 'verdict'>;
  /** Its field that fills that part. */
  readonly field: Exclude<keyof DecisionOf<Name>, 'decision'>;
  /**
   * How several become one. `last`: each hook sees what the one before it made of the event, so the last has it all.
   * `joined`: in order, by newlines.
   */
  readonly merge: 'last' | 'joined';
  /** What makes it void: a deny, since what is not done needs no input; the end of the run, which is the stronger request. */
  readonly voidedBy?: 'deny' | 'endRun';
}

type Rules = { readonly [Name in DecisionName]: VerdictRule | PartRule<Name> };

/**
 * All that the engine must know of the kinds of decisions. What is merged, recorded, shown or delivered by kind is read from
 * here, or stands in a table over all kinds: a new kind does not compile until each place has an answer.
 */
export const DECISIONS = {
  deny: { rank: 1, part: 'verdict' },
  ask: { rank: 2, part: 'verdict', changedInput: 'stays' },
  allow: { rank: 7, part: 'verdict', needsPermission: true, severalFiles: 'every', changedInput: 'dropped' },
  modify: {
    ...{ rank: 3, part: 'input', field: 'input', merge: 'last', voidedBy: 'deny' },
    ...{ needsPermission: true, severalFiles: 'none', changedInput: 'stays' },
  },
  rewrite: { rank: 4, part: 'output', field: 'output', merge: 'last' },
  replace: { rank: 6, part: 'content', field: 'content', merge: 'joined' },
  continue: { rank: 5, part: 'continue', field: 'reason', merge: 'joined', voidedBy: 'endRun' },
  observe: { rank: 8, part: 'verdict' },
} as const satisfies Rules;

/** The rule of a kind as any kind may have it. */
export const ruleOf = (name: DecisionName): Rules[DecisionName] => DECISIONS[name];

/** The verdicts first, then what may come with one: the order in which an answer is reported. */
const KINDS = Object.keys(DECISIONS) as DecisionName[];

/** Strongest first. */
export const DECISION_NAMES: readonly DecisionName[] = [...KINDS].sort((one, other) => DECISIONS[one].rank - DECISIONS[other].rank);

export const VERDICTS: readonly Verdict[] = DECISION_NAMES.filter((name): name is Verdict => DECISIONS[name].part === 'verdict');

/** Everything that a reduced decision holds, the verdict first: all of it must be accounted for. */
export const decisionsIn = (reduced: Omit<Reduced, 'decision'>): ActiveDecision[] =>
  KINDS.filter((name): name is ActiveDecision => name !== 'observe' && isIn(reduced, name));

/** The name under which it is recorded and shown: the strongest kind that it holds. */
export const decisionNameOf = (reduced: Omit<Reduced, 'decision'>): DecisionName =>
  DECISION_NAMES.find((name) => isIn(reduced, name)) ?? 'observe';

function isIn(reduced: Omit<Reduced, 'decision'>, name: DecisionName): boolean {
  const { part } = DECISIONS[name];
  return part === 'verdict' ? reduced.verdict === name : reduced[part] !== undefined;
}

/** The field of the bare form for each field of `Reduced`; null is left out. */
const BARE: Readonly<Record<keyof Reduced, string | null>> = {
  ...{ decision: 'decision', verdict: null, reason: 'reason' },
  ...{ input: 'input', output: 'output', content: 'content', continue: 'reason' },
  ...{ userMessage: null, endRun: null },
};

/** The decision as the envelope route answers it: its name and its fields, no verdict beside it. */
export const bareDecision = (reduced: Reduced): JsonObject =>
  Object.fromEntries(
    Object.entries(reduced).flatMap(([key, value]) => {
      const field = BARE[key as keyof Reduced];
      return field === null ? [] : [[field, value]];
    }),
  );
