/** What a hook says, and in the end what Piton says. `observe` is nothing to say; it is not `allow`. */
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
export type JsonObject = { readonly [key: string]: unknown };

/** Strongest first: the name under which a reduced decision is recorded and shown. */
export const DECISION_NAMES = [
  'deny',
  'ask',
  'modify',
  'rewrite',
  'continue',
  'replace',
  'allow',
  'observe',
] as const satisfies readonly DecisionName[];

export type Verdict = 'deny' | 'ask' | 'allow' | 'observe';

/** All decisions of one event put together: one verdict, and what else was said beside it. */
export interface Reduced {
  readonly decision: DecisionName;
  readonly verdict: Verdict;
  /** Why, for the verdict: of the hooks that spoke it, in order, joined by newlines. */
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
