import type { CanonicalEvent, EventName, Reduced } from '@piton/contracts';
import { beforeEach, expect, it } from 'vitest';
import { CONTINUATION_LIMIT, type SessionLog, SessionMemory } from '../src/session/memory.ts';

let log: SessionLog;
beforeEach(() => {
  const lines: string[] = [];
  log = { read: () => [...lines], append: (line) => lines.push(JSON.stringify(line)) };
});

const event = (name: EventName, more: Partial<CanonicalEvent> = {}): CanonicalEvent => ({
  event: name,
  names: [name],
  agent: 'claude',
  nativeEvent: name,
  sessionId: 's1',
  cwd: '/repo',
  portable: {},
  raw: {},
  ...more,
});
const goOn: Reduced = { decision: 'continue', verdict: 'observe', continue: 'the tests have not run' };

it('stop loops without a cap: lets a stop be refused eight times in a row, and then no more', () => {
  const sessions = new SessionMemory(log);
  const capped = Array.from({ length: CONTINUATION_LIMIT + 1 }, () => sessions.cap(event('stop'), goOn).capped);
  expect(capped).toEqual([...Array(8).fill(false), true]);
});

it('removes only the continuation: its content still reaches the agent', () => {
  const sessions = new SessionMemory(log);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  const { reduced } = sessions.cap(event('stop'), { ...goOn, content: 'by the way' });
  expect(reduced).toEqual({ decision: 'replace', verdict: 'observe', content: 'by the way' });
});

it('names the rest by its strongest part: a deny with content stays a deny', () => {
  const sessions = new SessionMemory(log);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  const { reduced } = sessions.cap(event('stop'), { ...goOn, verdict: 'deny', reason: 'no', content: 'by the way' });
  expect(reduced).toEqual({ decision: 'deny', verdict: 'deny', reason: 'no', content: 'by the way' });
});

it('restarts the count after a prompt of the person', () => {
  const sessions = new SessionMemory(log);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  sessions.prompted(event('user_prompt_submit', { prompt: 'now do something else' }));
  expect(sessions.cap(event('stop'), goOn).capped).toBe(false);
});

it('does not restart the count after a prompt that is our own reason', () => {
  const sessions = new SessionMemory(log);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  sessions.prompted(event('user_prompt_submit', { prompt: 'Stop hook feedback: the tests have not run' }));
  expect(sessions.cap(event('stop'), goOn).capped).toBe(true);
});

it('counts each subagent and the main agent separately', () => {
  const sessions = new SessionMemory(log);
  for (let i = 0; i < 8; i++) sessions.cap(event('subagent_stop', { agentId: 'a' }), goOn);
  expect(sessions.cap(event('subagent_stop', { agentId: 'b' }), goOn).capped).toBe(false);
  expect(sessions.cap(event('stop'), goOn).capped).toBe(false);
  expect(sessions.cap(event('subagent_stop', { agentId: 'a' }), goOn).capped).toBe(true);
});

it('keeps the root of a session when the directory changes, and across a restart', () => {
  expect(new SessionMemory(log).rootOf(event('session_start'))).toBe('/repo');
  const restarted = new SessionMemory(log);
  expect(restarted.rootOf(event('pre_tool_use', { cwd: '/elsewhere' }))).toBe('/repo');
  expect(restarted.rootOf(event('pre_tool_use', { cwd: '/elsewhere', sessionId: 's2' }))).toBe('/elsewhere');
});

it('returns deferred content once, in order', () => {
  const sessions = new SessionMemory(log);
  sessions.defer(event('pre_compact'), 'one');
  sessions.defer(event('pre_compact'), 'two');
  expect(sessions.takeDeferred(event('session_start', { sessionId: 'other' }))).toBeUndefined();
  expect(sessions.takeDeferred(event('session_start'))).toBe('one\ntwo');
  expect(sessions.takeDeferred(event('session_start'))).toBeUndefined();
});

it('does not keep very long deferred content across a restart', () => {
  new SessionMemory(log).defer(event('pre_compact'), 'x'.repeat(100_000));
  expect(new SessionMemory(log).takeDeferred(event('session_start'))).toBeUndefined();
});

it('continues counting refused stops across a restart', () => {
  for (let i = 0; i < 8; i++) new SessionMemory(log).cap(event('stop'), goOn);
  expect(new SessionMemory(log).cap(event('stop'), goOn).capped).toBe(true);
});

it('session ends that come several times: all but the first are repeated, until another event comes', () => {
  const sessions = new SessionMemory(log);
  const ends = () => sessions.endsAgain(event('session_end'));
  expect([ends(), ends(), ends()]).toEqual([false, true, true]);
  expect(sessions.endsAgain(event('session_end', { sessionId: 's2' }))).toBe(false);
  sessions.endsAgain(event('session_start'));
  expect(ends()).toBe(false);
});

it('repeated prompt events: the reason of a refused stop is recognised as a prompt, and nothing else is', () => {
  const sessions = new SessionMemory(log);
  const prompt = (text: string) => sessions.isContinuation(event('user_prompt_submit', { prompt: text }));
  expect(prompt('the tests have not run')).toBe(false);
  sessions.cap(event('stop'), goOn);
  expect(prompt('Hook: the tests have not run')).toBe(true);
  expect(prompt('something else')).toBe(false);
});

it('subagents that look like the main agent: the task of a subagent does not count as a prompt of the person', () => {
  const sessions = new SessionMemory(log);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  sessions.prompted(event('user_prompt_submit', { prompt: 'SUBTASK: list files', agentId: 'a1' }));
  expect(sessions.cap(event('stop'), goOn).capped).toBe(true);
});
