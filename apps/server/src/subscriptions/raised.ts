import type { DecisionDenied, HookFailed, SubscriptionEntry, TraceEntry } from '@piton/contracts';
import type { FrameOutcome, PreparedFrame } from '@piton/lifecycle';
import { type Fired, identity } from './fired.ts';

type Decided = Extract<FrameOutcome, { kind: 'decided' }>;
/** The answered event, as far as Piton's events need it. */
export type AnsweredEvent = Pick<PreparedFrame, 'frame' | 'event' | 'depth'>;
type Redact = (text: string) => string;
/** What is not in the event itself. */
export interface PublishContext {
  readonly redact: Redact;
  readonly sessionRoot: string | null;
}
/** A hook that hangs may fail on every event, so reasons are limited to what people read. */
const LONGEST_REASON = 4000;

/** The Piton events that an answered event raises: that it was denied, and that hooks failed on it. */
export function raisedBy(source: AnsweredEvent, frameOutcome: Decided, context: PublishContext): Fired[] {
  return [...deniedBy(source, frameOutcome, context), ...failuresOf(source, frameOutcome.outcome.trace, frameOutcome, context)];
}

function deniedBy(source: AnsweredEvent, frameOutcome: Decided, { redact, sessionRoot }: PublishContext): Fired[] {
  const { decision, delivered, trace } = frameOutcome.outcome;
  // On a permission_request the agent agentAsks the person itself. Elsewhere an ask that it cannot show became a deny.
  const agentAsks = source.event.event === 'permission_request';
  const askBecameDeny = !agentAsks && delivered.some((each) => each.decision === 'ask' && each.how === 'degraded');
  if (decision.verdict !== 'deny' && !askBecameDeny) return [];
  const denial = decision.verdict === 'deny' ? 'deny' : 'ask';
  const event: DecisionDenied = {
    ...identity('decision-denied', Date.now(), frameOutcome.stamp),
    ...about(source, frameOutcome),
    decision: denial,
    reason: redact(decision.reason ?? '').slice(0, LONGEST_REASON),
    tool: source.event.tool?.name ?? null,
    hook: decidingHook(trace, denial),
    hook_event: source.event.event,
    event_id: frameOutcome.stamp,
  };
  return [firedAt(source, event, sessionRoot)];
}

/** The hook that decided, or a policy that denied because it could not run. */
function decidingHook(trace: readonly TraceEntry[], denial: 'deny' | 'ask'): string | null {
  const decided = trace.find((entry) => entry.did === 'ran' && entry.said.decision === denial);
  const blocked = trace.find((entry) => entry.did === 'skipped' && !IRRELEVANT_SKIPS.has(entry.why));
  return (decided ?? blocked)?.hook ?? null;
}
const IRRELEVANT_SKIPS: ReadonlySet<string> = new Set(['disabled', 'no-match', 'not-trusted', 'agent-not-targeted', 'repeated']);

/** Failed runs of hooks, before or after the answer. */
export function failuresOf(
  source: AnsweredEvent,
  trace: readonly TraceEntry[],
  where: Where,
  { redact, sessionRoot }: PublishContext,
): Fired[] {
  return trace.flatMap((entry, at) => {
    if (entry.did !== 'ran' || entry.failed === undefined) return [];
    const stamp = source.frame.stamp;
    const facts = about(source, where);
    const event = hookFailed(entry, `${stamp}:${at}:${entry.observed === true}`, stamp, facts, redact);
    return [firedAt(source, event, sessionRoot)];
  });
}

type Facts = Pick<HookFailed, 'checkpoint_id' | 'commit_sha' | 'session_id' | 'agent' | 'branch' | 'repo'>;

function hookFailed(
  entry: Extract<TraceEntry | SubscriptionEntry, { did: 'ran' }>,
  key: string,
  eventId: string,
  { checkpoint_id, commit_sha, session_id, agent, branch, repo }: Facts,
  redact: Redact,
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

/** `hook-failed` for a subscription. Null if it was itself subscribed to `hook-failed`: that would loop. */
export function subscriptionFailed(fired: Fired, entry: SubscriptionEntry, at: number, redact: Redact): Fired | null {
  if (entry.did !== 'ran' || entry.failed === undefined || fired.event.event === 'hook-failed') return null;
  const { event } = fired;
  return { ...fired, event: hookFailed(entry, `${event.id}:${at}`, event.id, event, redact) };
}

type Where = Pick<Decided, 'repo' | 'branch'>;
const about = ({ event }: AnsweredEvent, { repo, branch }: Where): Facts => ({
  ...{ checkpoint_id: null, commit_sha: null, session_id: event.sessionId === '' ? null : event.sessionId },
  ...{ agent: event.agent, branch, repo },
});

const firedAt = ({ event, depth }: AnsweredEvent, raised: Fired['event'], sessionRoot: string | null): Fired => ({
  event: raised,
  cwd: event.cwd,
  sessionRoot,
  child: depth > 0,
});
