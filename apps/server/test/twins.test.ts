import type { CanonicalEvent, Reduced } from '@piton/contracts';
import { expect, it } from 'vitest';
import { shareOf, Twins } from '../src/twins.ts';

const quiet = Promise.resolve<Reduced>({ decision: 'observe', verdict: 'observe' });
const event = (useId?: string): CanonicalEvent => ({
  event: 'pre_tool_use',
  names: ['pre_tool_use'],
  agent: 'claude',
  nativeEvent: 'PreToolUse',
  sessionId: 's1',
  cwd: '/',
  portable: {},
  raw: {},
  tool: { name: 'Bash', nativeName: 'Bash', kind: 'shell', input: { command: 'ls' }, files: [], ...(useId !== undefined && { useId }) },
});

it('two registrations with one tool-call id are one event', () => {
  const twins = new Twins();
  expect(twins.meet(event('t1'), 'claude:user', 'A', 0, quiet)).toBeUndefined();
  expect(twins.meet(event('t1'), 'copilot:project', 'B', 9000, quiet)?.stamp).toBe('A');
});

it('the same registration twice is two events, whatever it says', () => {
  const twins = new Twins();
  twins.meet(event('t1'), 'claude:user', 'A', 0, quiet);
  expect(twins.meet(event('t1'), 'claude:user', 'B', 1, quiet)).toBeUndefined();
});

it('without a tool-call id the same input counts as one for two seconds', () => {
  const twins = new Twins();
  twins.meet(event(), 'claude:user', 'A', 0, quiet);
  expect(twins.meet(event(), 'copilot:user', 'B', 2000, quiet)?.stamp).toBe('A');
  expect(twins.meet(event(), 'copilot:user', 'C', 2001, quiet)).toBeUndefined();
});

it('the second is given verdict and input, and neither context nor output', () => {
  const input = { command: 'ls -l' };
  expect(shareOf({ decision: 'deny', verdict: 'deny', reason: 'no', content: 'c', output: 'o', continue: 'go' })).toEqual({
    decision: 'deny',
    verdict: 'deny',
    reason: 'no',
  });
  expect(shareOf({ decision: 'modify', verdict: 'allow', input, content: 'c' })).toEqual({ decision: 'modify', verdict: 'allow', input });
  expect(shareOf({ decision: 'replace', verdict: 'observe', content: 'c' })).toEqual({ decision: 'observe', verdict: 'observe' });
});

it('different native events of one kind are different events', () => {
  const twins = new Twins();
  const other = (nativeEvent: string): CanonicalEvent => {
    const { tool: _, ...rest } = event();
    return { ...rest, event: 'other', names: ['other'], nativeEvent, raw: { nativeEvent } };
  };
  expect(twins.meet(other('ConfigChange'), 'claude:user', 'A', 0, quiet)).toBeUndefined();
  expect(twins.meet(other('CwdChanged'), 'claude:project', 'B', 1, quiet)).toBeUndefined();
  expect(twins.meet(other('CwdChanged'), 'claude:user', 'C', 2, quiet)?.stamp).toBe('B');
});
