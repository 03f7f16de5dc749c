import type { HookCase, HookExpectation } from '@piton/artifacts';
import type { Decision, Reduced } from '@piton/contracts';
import { subjectOf } from '../events/row.ts';
import { oneLine, truncate } from '../output/text.ts';
import type { FullEvent } from './backtest/stored-events.ts';

const MAX_NAME_LENGTH = 80;
/** People read cases: a long text is matched by its beginning. */
const MAX_PATTERN_LENGTH = 400;

/** A recorded event as a test case: its payload, and what was decided. Undefined if nothing was decided. */
export function recordedCase(event: FullEvent, hook?: string): HookCase | undefined {
  const expect = hook === undefined ? decided(event) : hookDecision(event, hook);
  if (expect === undefined) return undefined;
  return {
    name: truncate(oneLine(`${event.event} ${subjectOf(event)}`), MAX_NAME_LENGTH),
    agent: event.agent,
    event: event.event,
    native_event: event.nativeEvent,
    payload: event.envelope.payload,
    cwd: event.projectPath,
    expect,
  };
}

function decided({ outcome }: FullEvent): HookExpectation | undefined {
  return outcome === null ? undefined : expectation(outcome.decision);
}

/** The decision of this one hook, whatever the others decided. */
function hookDecision({ outcome, hookRuns }: FullEvent, hook: string): HookExpectation | undefined {
  const ran = outcome?.trace.flatMap((entry) => (entry.did === 'ran' && entry.hook === hook ? [entry.said] : [])) ?? [];
  const decision = ran.find(({ decision }) => decision !== 'observe') ?? ran[0];
  if (decision !== undefined) return expectation(decision);
  const later = hookRuns.find((run) => run.hook === hook && run.observed && run.said !== null);
  return later?.said ? { decision: later.said } : undefined;
}

function expectation(decision: Reduced | Decision): HookExpectation {
  const reason = 'reason' in decision ? decision.reason : undefined;
  const goOn = 'continue' in decision ? decision.continue : undefined;
  const content = 'content' in decision ? decision.content : undefined;
  const text = reason ?? goOn;
  return {
    decision: decision.decision,
    ...(text !== undefined && { reason_matches: patternOf(text) }),
    ...(content !== undefined && { content_matches: patternOf(content) }),
  };
}

const patternOf = (text: string): string => text.slice(0, MAX_PATTERN_LENGTH).replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
