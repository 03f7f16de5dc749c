import type { DecisionDenied, HookFailed, SubscriptionEntry, TraceEntry } from '@piton/contracts';
import type { FrameOutcome, PreparedFrame } from '@piton/lifecycle';
import { type Fired, identity } from './fired.ts';

type Decided = Extract<FrameOutcome, { kind: 'decided' }>;
/** As much of what was heard as its own events tell. */
export type Told = Pick<PreparedFrame, 'frame' | 'event' | 'depth'>;
type Words = (text: string) => string;
/** What an event does not say of itself. */
export interface Raising {
  readonly redact: Words;
  readonly sessionRoot: string | null;
}
/** A hook that hangs may fail on every event: no reason is longer than people read. */
const LONGEST_REASON = 4000;

/** What an answered event raises of Piton's own: that it was denied, and that hooks failed on it. */
export function raisedBy(heard: Told, verdict: Decided, raising: Raising): Fired[] {
  return [...deniedBy(heard, verdict, raising), ...failuresOf(heard, verdict.outcome.trace, verdict, raising)];
}

function deniedBy(heard: Told, verdict: Decided, { redact, sessionRoot }: Raising): Fired[] {
  const { decision, delivered, trace } = verdict.outcome;
  // Where the agent itself is about to ask, the question is left to it; elsewhere it became a deny.
  const asks = heard.event.event === 'permission_request';
  const unasked = !asks && delivered.some((each) => each.decision === 'ask' && each.how === 'degraded');
  if (decision.verdict !== 'deny' && !unasked) return [];
  const said = decision.verdict === 'deny' ? 'deny' : 'ask';
  const event: DecisionDenied = {
    ...identity('decision-denied', Date.now(), verdict.stamp),
    ...about(heard, verdict),
    decision: said,
    reason: redact(decision.reason ?? '').slice(0, LONGEST_REASON),
    tool: heard.event.tool?.name ?? null,
    hook: sayerOf(trace, said),
    hook_event: heard.event.event,
    event_id: verdict.stamp,
  };
  return [firedAt(heard, event, sessionRoot)];
}

/** Who said it; a policy that could not run has said it by that. */
function sayerOf(trace: readonly TraceEntry[], said: 'deny' | 'ask'): string | null {
  const sayer = trace.find((entry) => entry.did === 'ran' && entry.said.decision === said);
  const unable = trace.find((entry) => entry.did === 'skipped' && !UNCONCERNED.has(entry.why));
  return (sayer ?? unable)?.hook ?? null;
}
const UNCONCERNED: ReadonlySet<string> = new Set(['disabled', 'no-match', 'not-trusted', 'agent-not-targeted', 'repeated']);

/** Runs of hooks that failed, before the answer or after it. */
export function failuresOf(heard: Told, trace: readonly TraceEntry[], where: Where, { redact, sessionRoot }: Raising): Fired[] {
  return trace.flatMap((entry, at) => {
    if (entry.did !== 'ran' || entry.failed === undefined) return [];
    const stamp = heard.frame.stamp;
    const facts = about(heard, where);
    const event = hookFailed(entry, `${stamp}:${at}:${entry.observed === true}`, stamp, facts, redact);
    return [firedAt(heard, event, sessionRoot)];
  });
}

type Facts = Pick<HookFailed, 'checkpoint_id' | 'commit_sha' | 'session_id' | 'agent' | 'branch' | 'repo'>;

function hookFailed(
  entry: Extract<TraceEntry | SubscriptionEntry, { did: 'ran' }>,
  key: string,
  eventId: string,
  { checkpoint_id, commit_sha, session_id, agent, branch, repo }: Facts,
  redact: Words,
): HookFailed {
  return {
    ...identity('hook-failed', Date.now(), key, entry.hook),
    ...{ checkpoint_id, commit_sha, session_id, agent, branch, repo },
    hook: entry.hook,
    hook_event: entry.event,
    failed: entry.failed ?? 'exit',
    reason: redact(entry.note ?? entry.failed ?? '').slice(0, LONGEST_REASON),
    event_id: eventId,
  };
}

/** A subscription that failed; where it was one to failures, nobody is told: that would go round for ever. */
export function subscriptionFailed(fired: Fired, entry: SubscriptionEntry, at: number, redact: Words): Fired | null {
  if (entry.did !== 'ran' || entry.failed === undefined || fired.event.event === 'hook-failed') return null;
  const { event } = fired;
  return { ...fired, event: hookFailed(entry, `${event.id}:${at}`, event.id, event, redact) };
}

type Where = Pick<Decided, 'repo' | 'branch'>;
const about = ({ event }: Told, { repo, branch }: Where): Facts => ({
  ...{ checkpoint_id: null, commit_sha: null, session_id: event.sessionId === '' ? null : event.sessionId },
  ...{ agent: event.agent, branch, repo },
});

const firedAt = ({ event, depth }: Told, own: Fired['event'], sessionRoot: string | null): Fired => ({
  event: own,
  cwd: event.cwd,
  sessionRoot,
  child: depth > 0,
});
