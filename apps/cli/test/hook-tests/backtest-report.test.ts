import { describe, expect, it } from 'vitest';
import { groupsOf, quantile } from '../../src/hook-tests/backtest/report.ts';
import type { BacktestCall } from '../../src/hook-tests/backtest/run.ts';

const call = (eventId: string, subject: string, reason: string): BacktestCall => ({
  ...{ eventId, subject, reason, agent: 'a', session: null, wallUs: 0, said: 'deny' },
  ...{ reachesAgent: true, ms: 1, failure: null, redacted: false, fate: null },
});

describe('calls that would have been denied', () => {
  it('are grouped by subject and reason, most frequent first, each group in order', () => {
    const calls = [call('1', 'x', 'no'), call('2', 'y', 'no'), call('3', 'y', 'never'), call('4', 'y', 'no')];
    expect(groupsOf(calls).map((group) => [group.subject, group.reason, group.calls.map(({ eventId }) => eventId)])).toEqual([
      ['y', 'no', ['2', '4']],
      ['x', 'no', ['1']],
      ['y', 'never', ['3']],
    ]);
  });
});

describe('a quantile', () => {
  it('is the smallest value that so many did not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect([quantile(hundred, 0.5), quantile(hundred, 0.95), quantile([7], 0.95), quantile([], 0.5)]).toEqual([50, 95, 7, null]);
  });
});
