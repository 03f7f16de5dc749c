import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CanonicalEvent, EventName, Reduced } from '@piton/contracts';
import { createRedactor } from '@piton/redact';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CONTINUATION_LIMIT, LiveSessions } from '../src/sessions.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 1) });
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-sessions-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

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
  const sessions = new LiveSessions(directory, redactor);
  const capped = Array.from({ length: CONTINUATION_LIMIT + 1 }, () => sessions.cap(event('stop'), goOn).capped);
  expect(capped).toEqual([...Array(8).fill(false), true]);
});

it('takes only the continuation away: content beside it still reaches the agent', () => {
  const sessions = new LiveSessions(directory, redactor);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  const { reduced } = sessions.cap(event('stop'), { ...goOn, content: 'by the way' });
  expect(reduced).toEqual({ decision: 'replace', verdict: 'observe', content: 'by the way' });
});

it('counts anew after a prompt of the person’s', () => {
  const sessions = new LiveSessions(directory, redactor);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  sessions.prompted(event('user_prompt_submit', { prompt: 'now do something else' }));
  expect(sessions.cap(event('stop'), goOn).capped).toBe(false);
});

it('does not count anew after a prompt that is our own reason come back', () => {
  const sessions = new LiveSessions(directory, redactor);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  sessions.prompted(event('user_prompt_submit', { prompt: 'Stop hook feedback: the tests have not run' }));
  expect(sessions.cap(event('stop'), goOn).capped).toBe(true);
});

it('counts subagents apart from the main agent and from each other', () => {
  const sessions = new LiveSessions(directory, redactor);
  for (let i = 0; i < 8; i++) sessions.cap(event('subagent_stop', { agentId: 'a' }), goOn);
  expect(sessions.cap(event('subagent_stop', { agentId: 'b' }), goOn).capped).toBe(false);
  expect(sessions.cap(event('stop'), goOn).capped).toBe(false);
  expect(sessions.cap(event('subagent_stop', { agentId: 'a' }), goOn).capped).toBe(true);
});

it('keeps a session’s root wherever it goes, and over a restart', () => {
  expect(new LiveSessions(directory, redactor).rootOf(event('session_start'))).toBe('/repo');
  const restarted = new LiveSessions(directory, redactor);
  expect(restarted.rootOf(event('pre_tool_use', { cwd: '/elsewhere' }))).toBe('/repo');
  expect(restarted.rootOf(event('pre_tool_use', { cwd: '/elsewhere', sessionId: 's2' }))).toBe('/elsewhere');
});

it('hands out what was deferred once, in order', () => {
  const sessions = new LiveSessions(directory, redactor);
  sessions.defer(event('pre_compact'), 'one');
  sessions.defer(event('pre_compact'), 'two');
  expect(sessions.takeDeferred(event('session_start', { sessionId: 'other' }))).toBeUndefined();
  expect(sessions.takeDeferred(event('session_start'))).toBe('one\ntwo');
  expect(sessions.takeDeferred(event('session_start'))).toBeUndefined();
});

it('keeps what was deferred over a restart, without its secrets, and hands it out once', () => {
  const secret = `ghp${'_'}${'Rt5'.repeat(12)}`;
  new LiveSessions(directory, redactor).defer(event('pre_compact'), `the plan was X with ${secret}`);
  expect(readFileSync(join(directory, 'session-roots.jsonl'), 'utf8')).not.toContain(secret);
  const restarted = new LiveSessions(directory, redactor);
  expect(restarted.takeDeferred(event('session_start'))).toMatch(/^the plan was X with \[redacted:github:/);
  expect(new LiveSessions(directory, redactor).takeDeferred(event('session_start'))).toBeUndefined();
});

it('forgets over a restart what is too long to be noted with every change', () => {
  new LiveSessions(directory, redactor).defer(event('pre_compact'), 'x'.repeat(100_000));
  expect(new LiveSessions(directory, redactor).takeDeferred(event('session_start'))).toBeUndefined();
});

it('writes no secret down, not even one in a path', () => {
  const secret = `ghp${'_'}${'Rt5'.repeat(12)}`;
  new LiveSessions(directory, redactor).rootOf(event('session_start', { sessionId: secret, cwd: `/tmp/${secret}` }));
  const kept = readFileSync(join(directory, 'session-roots.jsonl'), 'utf8');
  expect(kept).toContain('[redacted:github:');
  expect(kept).not.toContain(secret);
});

it('goes on counting refused stops over a restart', () => {
  for (let i = 0; i < 8; i++) new LiveSessions(directory, redactor).cap(event('stop'), goOn);
  expect(new LiveSessions(directory, redactor).cap(event('stop'), goOn).capped).toBe(true);
});

it('session ends that come several times: all but the first are repeated, until something else is heard', () => {
  const sessions = new LiveSessions(directory, redactor);
  const ends = () => sessions.endsAgain(event('session_end'));
  expect([ends(), ends(), ends()]).toEqual([false, true, true]);
  expect(sessions.endsAgain(event('session_end', { sessionId: 's2' }))).toBe(false);
  sessions.endsAgain(event('session_start'));
  expect(ends()).toBe(false);
});

it('repeated prompt events: the reason of a refused stop is known when it comes back, and nothing else is', () => {
  const sessions = new LiveSessions(directory, redactor);
  const prompt = (text: string) => sessions.isContinuation(event('user_prompt_submit', { prompt: text }));
  expect(prompt('the tests have not run')).toBe(false);
  sessions.cap(event('stop'), goOn);
  expect(prompt('Hook: the tests have not run')).toBe(true);
  expect(prompt('something else')).toBe(false);
});

it('subagents that look like the main agent: the task of a subagent does not count for a word of the person’s', () => {
  const sessions = new LiveSessions(directory, redactor);
  for (let i = 0; i < 8; i++) sessions.cap(event('stop'), goOn);
  sessions.prompted(event('user_prompt_submit', { prompt: 'SUBTASK: list files', agentId: 'a1' }));
  expect(sessions.cap(event('stop'), goOn).capped).toBe(true);
});
