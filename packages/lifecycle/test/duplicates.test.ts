import type { CanonicalEvent, Reduced } from '@piton/contracts';
import { expect, it } from 'vitest';
import { Duplicates, sharedDecision } from '../src/duplicates.ts';

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

it('double fire from two levels: two registrations with one tool-call id are one event', () => {
  const duplicates = new Duplicates();
  expect(duplicates.firstOf(event('t1'), 'claude:PreToolUse:user', 'A', 0, quiet)).toBeUndefined();
  expect(duplicates.firstOf(event('t1'), 'copilot:preToolUse:project', 'B', 9000, quiet)?.stamp).toBe('A');
});

it('the same registration twice is two events, whatever the content', () => {
  const duplicates = new Duplicates();
  duplicates.firstOf(event('t1'), 'claude:PreToolUse:user', 'A', 0, quiet);
  expect(duplicates.firstOf(event('t1'), 'claude:PreToolUse:user', 'B', 1, quiet)).toBeUndefined();
});

it('without a tool-call id the same input counts as one for two seconds', () => {
  const duplicates = new Duplicates();
  duplicates.firstOf(event(), 'claude:PreToolUse:user', 'A', 0, quiet);
  expect(duplicates.firstOf(event(), 'copilot:preToolUse:user', 'B', 2000, quiet)?.stamp).toBe('A');
  expect(duplicates.firstOf(event(), 'copilot:preToolUse:user', 'C', 2001, quiet)).toBeUndefined();
});

it('old entries are removed without another event', () => {
  const duplicates = new Duplicates();
  duplicates.firstOf(event('old'), 'claude:PreToolUse:user', 'A', 0, quiet);
  duplicates.firstOf(event('young'), 'claude:PreToolUse:user', 'B', 5000, quiet);
  duplicates.sweep(10_001);
  expect(duplicates.firstOf(event('old'), 'copilot:preToolUse:project', 'C', 5000, quiet)).toBeUndefined();
  expect(duplicates.firstOf(event('young'), 'copilot:preToolUse:project', 'D', 5000, quiet)?.stamp).toBe('B');
});

it('the second gets verdict and input, but neither context nor output', () => {
  const input = { command: 'ls -l' };
  expect(sharedDecision({ decision: 'deny', verdict: 'deny', reason: 'no', content: 'c', output: 'o', continue: 'go' })).toEqual({
    decision: 'deny',
    verdict: 'deny',
    reason: 'no',
  });
  expect(sharedDecision({ decision: 'modify', verdict: 'allow', input, content: 'c' })).toEqual({
    decision: 'modify',
    verdict: 'allow',
    input,
  });
  expect(sharedDecision({ decision: 'replace', verdict: 'observe', content: 'c' })).toEqual({ decision: 'observe', verdict: 'observe' });
});

it('different native events of one kind are different events', () => {
  const duplicates = new Duplicates();
  const other = (nativeEvent: string): CanonicalEvent => {
    const { tool: _, ...rest } = event();
    return { ...rest, event: 'other', names: ['other'], nativeEvent, raw: { nativeEvent } };
  };
  expect(duplicates.firstOf(other('ConfigChange'), 'claude:PreToolUse:user', 'A', 0, quiet)).toBeUndefined();
  expect(duplicates.firstOf(other('CwdChanged'), 'claude:PreToolUse:project', 'B', 1, quiet)).toBeUndefined();
  expect(duplicates.firstOf(other('CwdChanged'), 'claude:PreToolUse:user', 'C', 2, quiet)?.stamp).toBe('B');
});

it('double fire under two names: a call that an agent reports as two native events is one', () => {
  const duplicates = new Duplicates();
  duplicates.firstOf(event(), 'cursor:preToolUse:user', 'A', 0, quiet);
  expect(duplicates.firstOf(event(), 'cursor:beforeShellExecution:user', 'B', 1, quiet)?.stamp).toBe('A');
});

it('the order of fields does not matter', () => {
  const duplicates = new Duplicates();
  const input = (fields: Record<string, unknown>): CanonicalEvent => {
    const given = event();
    return { ...given, tool: { ...(given.tool as NonNullable<CanonicalEvent['tool']>), input: fields } };
  };
  duplicates.firstOf(input({ command: 'ls', nested: { a: 1, b: 2 } }), 'claude:PreToolUse:project', 'A', 0, quiet);
  expect(duplicates.firstOf(input({ nested: { b: 2, a: 1 }, command: 'ls' }), 'copilot:preToolUse:user', 'B', 1, quiet)?.stamp).toBe('A');
});
