import type { Agent, DecisionName } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { rehearse } from '@piton/lifecycle';
import type { EventHeader, Store } from '@piton/store';
import { subjectOf } from '../../events/row.ts';
import { type CallResult, openCallResults } from '../call-results.ts';
import { runInParallel } from '../parallel.ts';
import type { SafeRunner } from '../safe-runner.ts';
import { failureOf, trialDecision } from '../trial.ts';
import { isReadable, occasionOfEvent, readFullEvent } from './stored-events.ts';

/** A recorded call on which the hook ran. */
export interface BacktestCall {
  readonly eventId: string;
  readonly agent: string;
  readonly session: string | null;
  readonly wallUs: number;
  readonly subject: string;
  readonly said: DecisionName;
  readonly reason: string | null;
  /** Does the agent support this decision on this event? */
  readonly reachesAgent: boolean;
  readonly ms: number;
  readonly failure: string | null;
  /** Its payload has placeholders instead of secrets. */
  readonly redacted: boolean;
  /** Only for calls that would have been denied, asked about or changed. */
  readonly fate: CallResult | null;
}
/** What is needed to look up how a call ended. The body can be freed. */
type CallRef = Pick<EventHeader, 'session' | 'tool' | 'event'>;
type CheckedCall = BacktestCall | 'expired' | 'unreadable' | 'unmatched';

export interface Backtest {
  /** Recorded calls of this event, and how many of them were checked. */
  readonly recorded: number;
  readonly looked: number;
  readonly expired: number;
  readonly unreadable: number;
  readonly calls: readonly BacktestCall[];
}

export interface BacktestOptions {
  readonly hook: HookDefinition;
  readonly since: number;
  readonly limit: number;
  readonly agents: readonly Agent[];
}

const PAGE = 1000;
const REDACTED = /\[redacted:[a-z]/;
/** Decisions that change how a call ends. */
export const CHANGES_CALL: Readonly<Record<DecisionName, boolean>> = {
  ...{ deny: true, ask: true, modify: true },
  ...{ allow: false, rewrite: false, replace: false, continue: false, observe: false },
};

export async function runBacktest(
  store: Store,
  options: BacktestOptions,
  runner: SafeRunner,
  signal: AbortSignal,
  step: (done: number, all: number) => void,
): Promise<Backtest> {
  const ids = await recordedCalls(store, options);
  const hook = runner.restrict(options.hook);
  const all = await runInParallel(
    ids,
    (id) => checkCall(store, id, hook, runner),
    signal,
    (count) => step(count, ids.length),
  );
  const looked = all.filter((one) => one !== undefined);
  const resultOf = openCallResults(store);
  const calls: BacktestCall[] = [];
  for (const one of looked) {
    if (typeof one === 'string') continue;
    const { ends, ...call } = one;
    calls.push(ends === null ? call : { ...call, fate: await resultOf(ends) });
  }
  const count = (what: CheckedCall): number => looked.filter((one) => one === what).length;
  return { recorded: ids.length, looked: looked.length, expired: count('expired'), unreadable: count('unreadable'), calls };
}

/** IDs of the calls to check, oldest first. If there are too many, the newest. */
async function recordedCalls(store: Store, { hook, since, limit, agents }: BacktestOptions): Promise<string[]> {
  const ids: string[] = [];
  for (let before: number | undefined; ids.length < limit; ) {
    const page = await store.events({ event: hook.event, since, canary: false, limit: PAGE, ...(before !== undefined && { before }) });
    for (const header of page) if (isRelevant(header, hook, agents) && ids.length < limit) ids.push(header.eventId);
    before = page.at(-1)?.seq;
    if (page.length < PAGE) break;
  }
  return ids.reverse();
}

/** Inside an agent that a hook started, only policies run. */
const isRelevant = ({ agent, derived, depth, names }: EventHeader, hook: HookDefinition, agents: readonly Agent[]): boolean =>
  !derived && (depth === 0 || hook.failClosed) && names.includes(hook.event) && agents.some(({ id }) => id === agent);

async function checkCall(
  store: Store,
  eventId: string,
  hook: HookDefinition,
  runner: SafeRunner,
): Promise<Exclude<CheckedCall, BacktestCall> | (BacktestCall & { readonly ends: CallRef | null })> {
  const event = await readFullEvent(store, { eventId });
  if (event === undefined) return 'expired';
  if (!isReadable(event)) return 'unreadable';
  const rehearsal = rehearse(occasionOfEvent(event), [hook], runner);
  if (!rehearsal.runs) return 'unmatched';
  const { outcome } = await rehearsal.perform();
  const runs = outcome.trace.filter((entry) => entry.did === 'ran');
  const said = trialDecision({ outcome, runs });
  const word = runs.find((run) => run.said.decision === said)?.said;
  return {
    ...{ eventId, agent: event.agent, session: event.session, wallUs: event.wallUs, subject: subjectOf(event), said },
    ends: CHANGES_CALL[said] ? { session: event.session, tool: event.tool, event: event.event } : null,
    reason: outcome.decision.reason ?? (word && 'reason' in word ? (word.reason ?? null) : null),
    reachesAgent: !outcome.delivered.some(({ decision, how }) => decision === said && how === 'none'),
    ms: runs.reduce((sum, run) => sum + run.durationMs, 0),
    failure: failureOf(outcome.trace) ?? null,
    redacted: REDACTED.test(JSON.stringify(event.envelope.payload)),
    fate: null,
  };
}
