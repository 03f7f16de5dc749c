import type { CanonicalEvent, Outcome, TraceEntry } from '@piton/contracts';
import type { FrameOutcome, PreparedFrame } from '@piton/lifecycle';
import { describe, expect, it } from 'vitest';
import { failuresOf, raisedBy, subscriptionFailed } from '../../src/subscriptions/raised.ts';
import { frame } from '../frames.ts';

const CONTEXT = { redact: (text: string) => text.replace('secret', '…'), sessionRoot: '/began' };
const frameOf = (event: CanonicalEvent['event'], depth = 0): PreparedFrame => {
  const said: CanonicalEvent = {
    ...{ event, names: [event], agent: 'claude', nativeEvent: 'X', sessionId: 's1', cwd: '/here', portable: {}, raw: {} },
  };
  return { event: said, depth, frame: frame({}, { stamp: '01KA3V5D2M8Q0WJ6N4T7ZB9XCE' }) } as unknown as PreparedFrame;
};
const ran = (hook: string, more: object = {}): TraceEntry => ({
  ...{ hook, scope: 'user', event: 'pre_tool_use', did: 'ran', exitCode: 0, durationMs: 1, said: { decision: 'observe' } },
  ...{ stdout: '', stderr: '', ...more },
});
const outcomeOf = (outcome: Partial<Outcome>): Extract<FrameOutcome, { kind: 'decided' }> => ({
  ...{
    stamp: '01KA3V5D2M8Q0WJ6N4T7ZB9XCE',
    kind: 'decided',
    serverUs: 1,
    depth: 0,
    parent: null,
    repo: '/here',
    branch: 'main',
    derived: [],
  },
  outcome: { decision: { decision: 'observe', verdict: 'observe' }, trace: [], delivered: [], ...outcome },
});
const DENY = { decision: 'deny', verdict: 'deny', reason: 'no secret' } as const;
const ASK_AS_DENY = {
  decision: { decision: 'ask', verdict: 'ask', reason: 'sure?' },
  delivered: [{ decision: 'ask', how: 'degraded' }],
} as const;

describe('what an answered event raises', () => {
  it('is nothing if nothing was denied and nothing failed', () => {
    expect(raisedBy(frameOf('pre_tool_use'), outcomeOf({ trace: [ran('a')] }), CONTEXT)).toEqual([]);
  });

  it('is a deny with the hook that decided it, redacted', () => {
    const trace = [ran('a'), ran('b', { said: { decision: 'deny', reason: 'no secret' } })];
    expect(raisedBy(frameOf('pre_tool_use'), outcomeOf({ decision: DENY, trace }), CONTEXT)).toMatchObject([
      {
        ...{ cwd: '/here', sessionRoot: '/began', child: false },
        event: { event: 'decision-denied', decision: 'deny', reason: 'no …', hook: 'b', tool: null, repo: '/here', branch: 'main' },
      },
    ]);
  });

  it('names a policy that could not run, and not one that did not match', () => {
    const skipped = (hook: string, why: 'no-match' | 'broken'): TraceEntry => ({
      ...{ hook, scope: 'user', event: 'pre_tool_use', did: 'skipped', why },
    });
    const trace = [skipped('a', 'no-match'), skipped('b', 'broken')];
    expect(raisedBy(frameOf('pre_tool_use'), outcomeOf({ decision: DENY, trace }), CONTEXT)).toMatchObject([{ event: { hook: 'b' } }]);
  });

  it('is a deny if nobody could be asked, unless the agent asks by itself', () => {
    expect(raisedBy(frameOf('pre_tool_use'), outcomeOf(ASK_AS_DENY), CONTEXT)).toMatchObject([
      { event: { decision: 'ask', reason: 'sure?' } },
    ]);
    expect(raisedBy(frameOf('permission_request'), outcomeOf(ASK_AS_DENY), CONTEXT)).toEqual([]);
  });

  it('is one event per failure, which is not delivered if it happened inside a hook', () => {
    const trace = [ran('a', { failed: 'exit', note: 'it exited with code 1' }), ran('a', { failed: 'timeout' }), ran('b')];
    const raised = failuresOf(frameOf('stop', 1), trace, { repo: null, branch: null }, CONTEXT);
    expect(raised).toMatchObject([
      { child: true, event: { event: 'hook-failed', hook: 'a', failed: 'exit', reason: 'it exited with code 1' } },
      { child: true, event: { hook: 'a', failed: 'timeout', reason: 'timeout' } },
    ]);
    expect(new Set(raised.map(({ event }) => event.id)).size).toBe(2);
  });

  it('is nothing if a subscription to failures fails', () => {
    const [failed] = failuresOf(frameOf('stop'), [ran('a', { failed: 'exit' })], { repo: null, branch: null }, CONTEXT);
    const entry = { ...ran('s', { failed: 'exit' }), event: 'hook-failed' } as const;
    expect(failed && subscriptionFailed(failed, entry as never, 0, CONTEXT.redact)).toBeNull();
  });
});
