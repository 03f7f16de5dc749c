import type { CanonicalEvent, EventName } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { ToolCalls } from '../src/tool-calls.ts';

const event = (name: EventName, command: string, more: Partial<CanonicalEvent> = {}): CanonicalEvent => ({
  event: name,
  names: [name],
  agent: 'gemini',
  nativeEvent: name,
  sessionId: 's1',
  cwd: '/',
  portable: { tool_name: 'Bash' },
  raw: {},
  tool: { name: 'Bash', nativeName: 'run_shell_command', kind: 'shell', input: { command }, files: [] },
  ...more,
});
const idOf = (named: CanonicalEvent): string | undefined => named.tool?.useId;

describe('missing tool-call ids are paired by order', () => {
  it('the end of a call gets the id of its beginning, for hooks as well', () => {
    const calls = new ToolCalls();
    const began = calls.withId(event('pre_tool_use', 'ls'), '01A');
    const ended = calls.withId(event('post_tool_use', 'ls'), '01B');
    expect(idOf(began)).toBeTruthy();
    expect(idOf(ended)).toBe(idOf(began));
    expect(ended.portable.tool_use_id).toBe(idOf(began));
  });
  it('of equal calls the older one ends first', () => {
    const calls = new ToolCalls();
    const [one, two] = ['01A', '01B'].map((stamp) => idOf(calls.withId(event('pre_tool_use', 'ls'), stamp)));
    expect([1, 2].map((n) => idOf(calls.withId(event('post_tool_use', 'ls'), `02${n}`)))).toEqual([one, two]);
  });
  it('overlapping calls are matched by their input', () => {
    const calls = new ToolCalls();
    const one = idOf(calls.withId(event('pre_tool_use', 'sleep 1'), '01A'));
    const two = idOf(calls.withId(event('pre_tool_use', 'ls'), '01B'));
    expect(idOf(calls.withId(event('post_tool_use_failure', 'ls'), '01C'))).toBe(two);
    expect(idOf(calls.withId(event('post_tool_use', 'sleep 1 # rewritten'), '01D'))).toBe(one);
  });
  it('a permission request has the id of the call and does not end it', () => {
    const calls = new ToolCalls();
    const began = idOf(calls.withId(event('pre_tool_use', 'ls'), '01A'));
    expect(idOf(calls.withId(event('permission_request', 'ls'), '01B'))).toBe(began);
    expect(idOf(calls.withId(event('post_tool_use', 'ls'), '01C'))).toBe(began);
  });
  it('a denied call does not wait for an end', () => {
    const calls = new ToolCalls();
    calls.denied(calls.withId(event('pre_tool_use', 'ls'), '01A'));
    const next = idOf(calls.withId(event('pre_tool_use', 'ls'), '01B'));
    expect(idOf(calls.withId(event('post_tool_use', 'ls'), '01C'))).toBe(next);
  });
  it('sessions and subagents are separate', () => {
    const calls = new ToolCalls();
    calls.withId(event('pre_tool_use', 'ls'), '01A');
    expect(idOf(calls.withId(event('post_tool_use', 'ls', { sessionId: 's2' }), '01B'))).toBeUndefined();
    expect(idOf(calls.withId(event('post_tool_use', 'ls', { agentId: 'a1' }), '01C'))).toBeUndefined();
  });
  it('an id from the agent stays, and an end without a beginning gets none', () => {
    const calls = new ToolCalls();
    const given = event('pre_tool_use', 'ls');
    const own = { ...given, tool: { ...(given.tool as NonNullable<CanonicalEvent['tool']>), useId: 'toolu_1' } };
    expect(calls.withId(own, '01A')).toBe(own);
    expect(idOf(calls.withId(event('post_tool_use', 'ls'), '01B'))).toBeUndefined();
  });
});
