import type { CanonicalEvent, JsonObject, Reduced, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { pi } from '../../src/pi/index.ts';
import { plugin } from '../../src/pi/plugin.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';

const { documented, text } = pluginFixtures('pi');
const decode = (name: string, sample: JsonObject = documented(name)): CanonicalEvent =>
  pi.decode(sample, { nativeEvent: name.replace(/\.(mcp|read|write|edit)$/, ''), cwd: '/w', variables: {} });
const answerTo = (event: CanonicalEvent, decision: Partial<Reduced>) => {
  const { answer, delivered } = pi.encode(event, { decision: 'observe', verdict: 'observe', ...decision }, { attended: true });
  return { said: answer.stdout === '' ? {} : JSON.parse(answer.stdout), delivered };
};

describe('what a hook reads', () => {
  it('is portable: names and fields of tools are Claude Code’s', () => {
    expect(decode('tool_call').portable).toMatchObject({ tool_name: 'Bash', tool_input: { command: expect.any(String) } });
    expect(decode('tool_call.write')).toMatchObject({
      names: ['pre_tool_use', 'pre_file_edit'],
      tool: { name: 'Write', input: { file_path: expect.any(String), content: expect.any(String) }, files: [expect.any(String)] },
    });
    expect(decode('tool_call.mcp').tool).toMatchObject({ kind: 'mcp', name: 'mcp__mock__echo' });
    expect(decode('tool_result').portable.tool_response).toMatchObject({ stdout: expect.any(String) });
  });
  it('is one Edit for one replacement and a MultiEdit for several', () => {
    const call = (edits: object[]) => decode('tool_call', { type: 'tool_call', toolName: 'edit', input: { path: '/w/a', edits } }).tool;
    const [first, second] = [
      { oldText: 'a', newText: 'b' },
      { oldText: 'c', newText: 'd' },
    ];
    expect(call([first])).toMatchObject({ name: 'Edit', input: { file_path: '/w/a', old_string: 'a', new_string: 'b' } });
    expect(call([first, second])).toMatchObject({ name: 'MultiEdit', input: { edits: [{ old_string: 'a' }, { old_string: 'c' }] } });
  });
  it('tells a failure, the end of a run and its error apart', () => {
    expect(decode('tool_result.error')).toMatchObject({ event: 'post_tool_use_failure', text: expect.any(String) });
    expect(decode('agent_before_settle').event).toBe('stop');
    expect(decode('agent_before_settle.error')).toMatchObject({ event: 'stop_failure', source: 'unknown', portable: { error: 'unknown' } });
    expect(decode('session_start')).toMatchObject({ source: 'startup', transcriptPath: expect.stringMatching(/\.jsonl$/) });
  });
});

describe('what it answers', () => {
  it('denies by a reason and by nothing else', () => {
    expect(answerTo(decode('tool_call'), { verdict: 'deny', reason: 'no' }).said).toEqual({ deny: 'no' });
    expect(answerTo(decode('tool_call'), { verdict: 'allow' })).toMatchObject({ said: {}, delivered: [{ how: 'none' }] });
    expect(answerTo(decode('tool_call'), { verdict: 'ask', reason: 'may I?' }).said.deny).toContain('may I?');
  });
  it('turns a changed edit back into its own form', () => {
    const edit = decode('tool_call.edit');
    expect(answerTo(edit, { input: { file_path: '/w/b', old_string: 'a', new_string: 'b' } }).said).toEqual({
      input: { path: '/w/b', edits: [{ oldText: 'a', newText: 'b' }] },
    });
    expect(answerTo(edit, { input: { file_path: '/w/b', edits: [{ old_string: 'a', new_string: 'b' }] } }).said).toEqual({
      input: { path: '/w/b', edits: [{ oldText: 'a', newText: 'b' }] },
    });
    expect(answerTo(decode('tool_call'), { input: { command: 'true' } }).said).toEqual({ input: { command: 'true' } });
  });
  it('never loses a part without a word', () => {
    const everything: Partial<Reduced> = { verdict: 'deny', reason: 'r', input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of pi.events) {
      const parts = answerTo(decode(name), everything).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
});

describe('whether it runs', () => {
  const judge = (trust: object | null, settings: object | null = null, scope: 'user' | 'project' = 'project') =>
    pi.readiness?.judge({
      scope,
      home: '/home/dev',
      project: '/home/dev/project',
      env: {},
      texts: {
        '.pi/agent/trust.json': trust && JSON.stringify(trust),
        '.pi/agent/settings.json': settings && JSON.stringify(settings),
      },
      probed: null,
      installed: [],
    });
  it('says that pi does not trust the project', () => {
    expect(judge(null)).toMatchObject({ runs: false, remedy: expect.stringContaining('/trust') });
    expect(judge({ '/home/dev/other': true })?.runs).toBe(false);
    expect(judge({ '/home/dev/project': false, '/home/dev': true })?.runs).toBe(false);
  });
  it('takes the closest decision, and else what is usual', () => {
    expect(judge({ '/home/dev': true })?.runs).toBe(true);
    expect(judge(null, { defaultProjectTrust: 'always' })?.runs).toBe(true);
    expect(judge(null, null, 'user')?.runs).toBe(true);
  });
  it('writes the decision as pi does, beside those that are there', () => {
    const verdict = judge({ '/z': true });
    const consent = verdict && !verdict.runs ? verdict.consent : undefined;
    expect(consent?.file.path).toBe('.pi/agent/trust.json');
    expect(consent?.edit('{\n  "/z": true\n}\n')).toMatchObject({
      ok: true,
      edit: { text: '{\n  "/home/dev/project": true,\n  "/z": true\n}\n' },
    });
    expect(consent?.edit(null)).toMatchObject({ ok: true });
    expect(consent?.edit('{ broken')).toMatchObject({ ok: false });
  });
});

describe('a transcript', () => {
  const { read } = pi.transcript as TranscriptFormat;
  const session = text('transcripts/session.jsonl');
  it('tells who said what, which tools ran and which failed', () => {
    const { entries, consumed } = read(session);
    expect(consumed).toBe(session.length);
    expect(entries.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []))).toEqual(['Do the scripted work.']);
    expect(entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.text] : []))).toEqual(['Running a command.', 'Final answer.']);
    expect(entries.flatMap((entry) => (entry.kind === 'tool-call' ? [entry.name] : []))).toEqual([
      'bash',
      'write',
      'edit',
      'read',
      'bash',
      'read',
    ]);
    expect(entries.filter((entry) => entry.kind === 'tool-result' && entry.failed)).toHaveLength(2);
    expect(entries.filter((entry) => entry.kind === 'usage')[0]).toMatchObject({ model: 'mock', input: 10, output: 5 });
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    const whole = read(session).entries;
    for (const cut of [0, 1, 500, 2000, session.length - 1]) {
      const first = read(session.slice(0, cut));
      expect([...first.entries, ...read(session.slice(first.consumed)).entries]).toEqual(whole);
    }
  });
  it('survives lines that make no sense', () => {
    const { entries } = read('{\nnull\n[]\n{}\n{"type":"message"}\n{"type":"message","message":{"role":"assistant","content":[null]}}\n');
    expect(entries.every((entry) => entry.kind === 'unknown')).toBe(true);
  });
});

describe('the extension', () => {
  const context = {
    ...{ cwd: '/w', mode: 'print', hasUI: false, ui: { notify: () => {} } },
    sessionManager: { getSessionId: () => 's', getSessionFile: () => undefined },
  };
  function start(answer: object) {
    const handlers = new Map<string, (event: JsonObject, context: unknown) => Promise<unknown>>();
    const sent: unknown[] = [];
    const host = {
      on: (name: string, handler: (event: JsonObject, context: never) => Promise<unknown>) =>
        void handlers.set(name, handler as (event: JsonObject, context: unknown) => Promise<unknown>),
      sendMessage: (message: object) => sent.push(message),
    };
    plugin(host, { send: async (name) => (name === 'session_before_compact' ? answer : {}) });
    return { sent, fire: (name: string, event: JsonObject = {}) => handlers.get(name)?.({ type: name, ...event }, context) };
  }
  const SUMMARY = { role: 'compactionSummary', summary: 'short' };
  const AFTER = { role: 'user', content: 'go on' };

  it('puts the context of a compaction behind its summary until it is in the session', async () => {
    const { fire, sent } = start({ context: 'what was done' });
    await fire('session_before_compact');
    expect(await fire('context', { messages: [AFTER] })).toBeUndefined();
    await fire('session_compact');
    expect(sent).toEqual([{ customType: 'piton', content: 'what was done', display: false }]);
    expect(await fire('context', { messages: [SUMMARY, AFTER] })).toMatchObject({
      messages: [SUMMARY, { role: 'custom', content: 'what was done' }, AFTER],
    });
    expect(await fire('context', { messages: [AFTER] })).toMatchObject({ messages: [AFTER, { content: 'what was done' }] });
    expect(await fire('context', { messages: [SUMMARY, { role: 'custom', content: 'what was done' }, AFTER] })).toBeUndefined();
  });

  it('says nothing after a compaction that failed, or that nobody said anything about', async () => {
    for (const [answer, event] of [
      [{}, 'session_compact'],
      [{ context: 'what was done' }, 'session_compact_failed'],
    ] as const) {
      const { fire, sent } = start(answer);
      await fire('session_before_compact');
      await fire(event);
      expect(await fire('context', { messages: [SUMMARY, AFTER] })).toBeUndefined();
      expect(sent).toEqual([]);
    }
  });
});
