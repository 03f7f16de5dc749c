import type { CanonicalEvent, Outcome, TraceEntry } from '@piton/contracts';
import type { FrameOutcome, PreparedFrame } from '@piton/lifecycle';
import { describe, expect, it } from 'vitest';
import { failuresOf, raisedBy, subscriptionFailed } from '../../src/subscriptions/raised.ts';
import { frame } from '../frames.ts';

const RAISING = { redact: (text: string) => text.replace('secret', '…'), sessionRoot: '/began' };
const heardOf = (event: CanonicalEvent['event'], depth = 0): PreparedFrame => {
  const said: CanonicalEvent = {
    ...{ event, names: [event], agent: 'claude', nativeEvent: 'X', sessionId: 's1', cwd: '/here', portable: {}, raw: {} },
  };
  return { event: said, depth, frame: frame({}, { stamp: '01KA3V5D2M8Q0WJ6N4T7ZB9XCE' }) } as unknown as PreparedFrame;
};
const ran = (hook: string, more: object = {}): TraceEntry => ({
  ...{ hook, scope: 'user', event: 'pre_tool_use', did: 'ran', exitCode: 0, durationMs: 1, said: { decision: 'observe' } },
  ...{ stdout: '', stderr: '', ...more },
});
const verdictOf = (outcome: Partial<Outcome>): Extract<FrameOutcome, { kind: 'decided' }> => ({
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
const UNASKED = {
  decision: { decision: 'ask', verdict: 'ask', reason: 'sure?' },
  delivered: [{ decision: 'ask', how: 'degraded' }],
} as const;

describe('what an answered event raises', () => {
  it('is nothing where nothing was denied and nothing failed', () => {
    expect(raisedBy(heardOf('pre_tool_use'), verdictOf({ trace: [ran('a')] }), RAISING)).toEqual([]);
  });

  it('is a deny with who said it, redacted', () => {
    const trace = [ran('a'), ran('b', { said: { decision: 'deny', reason: 'no secret' } })];
    expect(raisedBy(heardOf('pre_tool_use'), verdictOf({ decision: DENY, trace }), RAISING)).toMatchObject([
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
    expect(raisedBy(heardOf('pre_tool_use'), verdictOf({ decision: DENY, trace }), RAISING)).toMatchObject([{ event: { hook: 'b' } }]);
  });

  it('is a deny where a question found nobody, unless the agent asks it itself', () => {
    expect(raisedBy(heardOf('pre_tool_use'), verdictOf(UNASKED), RAISING)).toMatchObject([{ event: { decision: 'ask', reason: 'sure?' } }]);
    expect(raisedBy(heardOf('permission_request'), verdictOf(UNASKED), RAISING)).toEqual([]);
  });

  it('is each failure by itself, heard by nobody where it happened inside a hook', () => {
    const trace = [ran('a', { failed: 'exit', note: 'it exited with code 1' }), ran('a', { failed: 'timeout' }), ran('b')];
    const raised = failuresOf(heardOf('stop', 1), trace, { repo: null, branch: null }, RAISING);
    expect(raised).toMatchObject([
      { child: true, event: { event: 'hook-failed', hook: 'a', failed: 'exit', reason: 'it exited with code 1' } },
      { child: true, event: { hook: 'a', failed: 'timeout', reason: 'timeout' } },
    ]);
    expect(new Set(raised.map(({ event }) => event.id)).size).toBe(2);
  });

  it('is no failure of one that subscribed to failures', () => {
    const [failed] = failuresOf(heardOf('stop'), [ran('a', { failed: 'exit' })], { repo: null, branch: null }, RAISING);
    const entry = { ...ran('s', { failed: 'exit' }), event: 'hook-failed' } as const;
    expect(failed && subscriptionFailed(failed, entry as never, 0, RAISING.redact)).toBeNull();
  });
});
