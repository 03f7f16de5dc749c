import type { CanonicalEvent, JsonObject, Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { omp } from '../../src/omp/index.ts';
import { plugin } from '../../src/omp/plugin.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';

const { documented } = pluginFixtures('omp');

const OWNER = '/s/2026-11-19T14-50-56-250Z_01a1f44a-0d7a-7536-b05b-ab0cfef644ea';
const MAIN = { id: 'main', file: `${OWNER}.jsonl` };
const SUB = { id: 'sub', file: `${OWNER}/ShakySwift.jsonl` };

function start(answers: Readonly<Record<string, object>> = {}) {
  const handlers = new Map<string, (event: JsonObject, context: unknown) => Promise<unknown>>();
  const said: string[] = [];
  const payloads: JsonObject[] = [];
  const into: unknown[] = [];
  let aborted = 0;
  const host = {
    arktype: {},
    on: (name: string, handler: (event: JsonObject, context: never) => Promise<unknown>) =>
      void handlers.set(name, handler as (event: JsonObject, context: unknown) => Promise<unknown>),
    sendMessage: (message: object) => into.push(message),
  };
  plugin(host, {
    send: async (name, payload) => {
      said.push(name);
      payloads.push(payload as JsonObject);
      return answers[name] ?? {};
    },
  });
  const contextOf = ({ id, file }: typeof MAIN) => ({
    ...{ cwd: '/w', mode: 'print', hasUI: false, ui: { notify: () => {} }, abort: () => void aborted++ },
    sessionManager: { getSessionId: () => id, getSessionFile: () => file, getEntries: () => [{ type: 'model_change' }] },
  });
  return {
    said,
    payloads,
    into,
    handlers,
    aborted: () => aborted,
    fire: (name: string, event: JsonObject = {}, session = MAIN) => handlers.get(name)?.({ type: name, ...event }, contextOf(session)),
  };
}

describe('the extension', () => {
  it('does nothing inside pi, which may read the same folder', () => {
    const handlers: string[] = [];
    plugin({ on: (name: string) => void handlers.push(name), sendMessage: () => {} }, { send: async () => ({}) });
    expect(handlers).toEqual([]);
  });
  it('gives the context of a session and of its prompt to the first request', async () => {
    const { fire, said } = start({ session_start: { context: 'one' }, before_agent_start: { context: 'two' } });
    await fire('session_start');
    expect(await fire('before_agent_start', { prompt: 'x' })).toEqual({
      message: { customType: 'piton', content: 'one\ntwo', display: false },
    });
    expect(said).toEqual(['session_start', 'before_agent_start']);
  });
  it('stops the turn of a prompt that is denied', async () => {
    const { fire, aborted } = start({ session_start: { context: 'one' }, before_agent_start: { deny: 'no' } });
    await fire('session_start');
    expect(await fire('before_agent_start', { prompt: 'x' })).toBeUndefined();
    expect(aborted()).toBe(1);
  });
  it('takes what it said itself for no prompt', async () => {
    const { fire, said } = start({ session_stop: { continue: 'go on' } });
    expect(await fire('session_stop', { stop_hook_active: false })).toEqual({ continue: true, additionalContext: 'go on' });
    await fire('before_agent_start', { prompt: 'go on' });
    await fire('before_agent_start', { prompt: 'go on, please' });
    expect(said).toEqual(['session_stop', 'before_agent_start']);
  });
  it('passes over the envelope of a call', async () => {
    const { fire, said } = start({ tool_call: { deny: 'no' } });
    expect(await fire('tool_call', { toolName: 'write', input: { path: 'xd://mcp__mock_echo', content: '{}' } })).toBeUndefined();
    expect(said).toEqual([]);
    expect(await fire('tool_call', { toolName: 'mcp__mock_echo', input: {} })).toEqual({ block: true, reason: 'no' });
    expect(await fire('tool_call', { toolName: 'write', input: { path: 'a.txt' } })).toMatchObject({ block: true });
  });
  it('changes a call, and puts what was said of it beside its result', async () => {
    const { fire } = start({ tool_call: { input: { command: 'true' }, context: 'mind' }, tool_result: { output: { stdout: 'new' } } });
    const event = { toolName: 'bash', toolCallId: 'c', input: { command: 'false' } };
    expect(await fire('tool_call', event)).toEqual({ input: { command: 'true' } });
    expect(await fire('tool_result', { ...event, content: [] })).toEqual({
      content: [
        { type: 'text', text: 'new' },
        { type: 'text', text: 'mind' },
      ],
    });
  });
  it('says with a question for a permission what was to be called', async () => {
    const { fire, said, payloads } = start();
    await fire('tool_call', { toolName: 'bash', toolCallId: 'c', input: { command: 'false' } });
    await fire('tool_approval_requested', { toolName: 'bash', toolCallId: 'c' });
    await fire('tool_approval_resolved', { toolName: 'bash', toolCallId: 'c', approved: false });
    await fire('tool_approval_resolved', { toolName: 'bash', toolCallId: 'c', approved: true });
    expect(said).toEqual(['tool_call', 'tool_approval_requested', 'tool_approval_resolved']);
    expect(payloads[1]).toMatchObject({ input: { command: 'false' } });
  });
  it('tells of a subagent that it begins and, once it has handed in its work, that it is done', async () => {
    const { fire, said } = start({ 'session_start.child': { context: 'for it' } });
    await fire('session_start', {}, SUB);
    expect(await fire('before_agent_start', { prompt: 'task' }, SUB)).toMatchObject({ message: { content: 'for it' } });
    await fire('agent_end', { messages: [{ role: 'assistant' }] }, SUB);
    await fire('before_agent_start', { prompt: 'reminder' }, SUB);
    await fire('agent_end', { messages: [{ role: 'assistant' }, { role: 'toolResult', toolName: 'yield' }] }, SUB);
    await fire('session_shutdown', {}, SUB);
    expect(said).toEqual(['session_start.child', 'agent_end.child']);
  });
  it('tells that a subagent is done when its session ends', async () => {
    const { fire, said } = start();
    await fire('session_start', {}, SUB);
    await fire('before_agent_start', { prompt: 'task' }, SUB);
    await fire('session_shutdown', {}, SUB);
    await fire('session_shutdown');
    expect(said).toEqual(['session_start.child', 'agent_end.child', 'session_shutdown']);
  });
  it('puts what is said before a compaction behind it, once', async () => {
    const { fire, into, payloads } = start({ session_before_compact: { context: 'what was done' } });
    await fire('auto_compaction_start', { reason: 'threshold' });
    expect(await fire('session_before_compact')).toBeUndefined();
    expect(into).toEqual([]);
    await fire('session_compact');
    await fire('session_compact');
    expect(into).toEqual([{ customType: 'piton', content: 'what was done', display: false }]);
    expect(payloads.map(({ reason }) => reason)).toEqual(['threshold', 'threshold', 'manual']);
  });
  it('tells a turn that failed from one that ended', async () => {
    const { fire, said, payloads } = start({ 'session_stop.error': { continue: 'no' } });
    expect(
      await fire('session_stop', { last_assistant_message: { role: 'assistant', stopReason: 'error', errorMessage: '429' } }),
    ).toBeUndefined();
    expect(said).toEqual(['session_stop.error']);
    expect(payloads[0]).toMatchObject({ error: '429' });
  });
  it('lets no error out: it would deny', async () => {
    const { handlers } = start();
    for (const handler of handlers.values()) await expect(handler({}, null)).resolves.toBeUndefined();
  });
  it('waits no longer than oh-my-pi does', () => {
    for (const { name, timeoutMs } of omp.events)
      expect([name, timeoutMs < (name === 'session_shutdown' ? 2000 : 30_000)]).toEqual([name, true]);
  });
});

describe('what it answers', () => {
  const decode = (name: string): CanonicalEvent =>
    omp.decode(documented(name), { nativeEvent: name.replace(/\.(mcp|read|write|edit|agent|todo|patch)$/, ''), cwd: '/w', variables: {} });
  const answerTo = (event: CanonicalEvent, decision: Partial<Reduced>) => {
    const { answer, delivered } = omp.encode(event, { decision: 'observe', verdict: 'observe', ...decision }, { attended: true });
    return { said: answer.stdout === '' ? {} : JSON.parse(answer.stdout), delivered };
  };
  it.each([
    ['tool_call.edit', { file_path: '/w/b', old_string: 'a', new_string: 'b' }, { path: '/w/b', old_string: 'a', new_string: 'b' }],
    ['tool_call.read', { file_path: '/w/b', selector: ':1-2' }, { path: '/w/b:1-2' }],
    ['tool_call.agent', { prompt: 'look', subagent_type: 'task' }, { task: 'look', agent: 'task' }],
    ['tool_call', { command: 'true' }, { command: 'true' }],
  ])('turns a changed input of %s back into its own form', (name, input, native) =>
    expect(answerTo(decode(name), { input }).said).toEqual({ input: native }),
  );
  it('says that a patch cannot be changed', () =>
    expect(answerTo(decode('tool_call.patch'), { input: { file_path: 'x' } })).toMatchObject({
      said: {},
      delivered: [{ decision: 'modify', how: 'none', note: expect.stringContaining('patch') }],
    }));
  it('never loses a part without a word', () => {
    const everything: Partial<Reduced> = { verdict: 'deny', reason: 'r', input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of omp.events) {
      const parts = answerTo(decode(name), everything).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
});
