import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hooksRead, type NativeEventOf, recordedSession } from './recorded-session.ts';

const SESSIONS = {
  claude: '2.1.325/session',
  codex: '0.166.0/session',
  qwen: '0.24.4/session',
  opencode: '1.18.33',
  kilo: '7.7.7',
  copilot: '1.0.102/session',
  droid: '0.215.0/session',
  cline: '3.0.65/session',
} as const;
const each = Object.entries(SESSIONS);

describe('a subagent', () => {
  it.each(each)('has its type when it stops: %s', async (agent, folder) => {
    const { payloads } = await hooksRead(agent, recordedSession(agent, folder), ['subagent_stop']);
    expect(payloads).toHaveLength(1);
    expect(payloads[0]).toMatchObject({
      hook_event_name: 'SubagentStop',
      agent_id: expect.any(String),
      agent_type: expect.stringMatching(/\w/),
    });
  });
  it.each(each)('gets its task without a prompt of the person’s: %s', async (agent, folder) => {
    const { payloads } = await hooksRead(agent, recordedSession(agent, folder), ['user_prompt_submit']);
    expect(payloads.filter(({ prompt }) => String(prompt).includes('SUBTASK'))).toEqual([]);
  });
  it('is no reason to miss a prompt that looks like a task', async () => {
    const task = recordedSession('droid', SESSIONS.droid).filter(({ event }) => event === 'UserPromptSubmit');
    expect((await hooksRead('droid', task, ['user_prompt_submit'])).payloads).toHaveLength(1);
  });
});

describe('the last message', () => {
  const folder = mkdtempSync(join(tmpdir(), 'piton-last-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const stopWith = async (agent: string, event: string, payload: object, transcript: string) => {
    const path = join(folder, `${agent}.jsonl`);
    writeFileSync(path, transcript);
    const named = agent === 'copilot' ? { transcriptPath: path } : { transcript_path: path, hook_event_name: event, cwd: '/code' };
    const stdin = JSON.stringify({ ...payload, ...named });
    return (await hooksRead(agent, [{ event, stdin }], ['stop'])).payloads[0]?.last_assistant_message;
  };
  const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

  it('is one in Gemini, which sends all of the turn', async () => {
    const transcript = lines(
      { id: '1', type: 'user', content: 'go' },
      { id: '2', type: 'gemini', content: 'Running a command.' },
      { id: '3', type: 'gemini', content: 'Final answer.' },
    );
    const payload = { session_id: 's', prompt_response: 'Running a command.\nFinal answer.' };
    expect(await stopWith('gemini', 'AfterAgent', payload, transcript)).toBe('Final answer.');
  });
  it('stays as Gemini sent it where its transcript is behind', async () => {
    const payload = { session_id: 's', prompt_response: 'One.\nTwo.' };
    expect(await stopWith('gemini', 'AfterAgent', payload, lines({ id: '1', type: 'gemini', content: 'Before.' }))).toBe('One.\nTwo.');
  });
  it('comes from the transcript in Copilot', async () => {
    const message = (content: string) => ({ id: content, type: 'assistant.message', data: { content } });
    const user = { id: 'u', type: 'user.message', data: { content: 'go' } };
    const payload = { sessionId: 's', stopReason: 'end_turn' };
    expect(await stopWith('copilot', 'agentStop', payload, lines(message('Before.'), user, message('Working.'), message('Done.')))).toBe(
      'Done.',
    );
    expect(await stopWith('copilot', 'agentStop', payload, lines(message('Before.'), user))).toBeUndefined();
  });
  it('comes from the transcript in Droid', async () => {
    const message = (role: string, text: string) => ({ type: 'message', id: text, message: { role, content: [{ type: 'text', text }] } });
    expect(await stopWith('droid', 'Stop', { session_id: 's' }, lines(message('user', 'go'), message('assistant', 'Done.')))).toBe('Done.');
  });
  it('is not looked for where nobody asks', async () => {
    const stop: NativeEventOf = { event: 'agentStop', stdin: JSON.stringify({ sessionId: 's', transcriptPath: '/dev/zero' }) };
    expect((await hooksRead('copilot', [stop], ['session_start'])).payloads).toEqual([]);
  });
});

describe('a number that JavaScript cannot hold', () => {
  it.each([
    ['claude', 'PreToolUse', { session_id: 's', tool_name: 'Bash', tool_use_id: 't', transcript_path: '/t' }, 'tool_input'],
    ['codex', 'PreToolUse', { session_id: 's', tool_name: 'mcp__a__b', tool_use_id: 't', turn_id: 'u' }, 'tool_input'],
    ['droid', 'PreToolUse', { session_id: 's', tool_name: 'a___b' }, 'tool_input'],
    ['copilot', 'preToolUse', { sessionId: 's', toolName: 'a-b' }, 'toolArgs'],
  ])('reaches a hook unharmed: %s', async (agent, event, payload, field) => {
    const input =
      '{"command":"x","id":12345678901234567890,"list":[-9007199254740993,1.0000000000000000001e30],"text":"12345678901234567890"}';
    const stdin = `${JSON.stringify(payload).slice(0, -1)},"${field}":${input}}`;
    const { texts } = await hooksRead(agent, [{ event, stdin }], ['pre_tool_use']);
    expect(texts).toHaveLength(1);
    // In the input and in the native payload.
    for (const number of ['12345678901234567890', '-9007199254740993'])
      expect(texts[0]?.split(`${number}`).length).toBeGreaterThanOrEqual(number.startsWith('-') ? 3 : 5);
    expect(texts[0]).toContain('"id":12345678901234567890');
    expect(texts[0]).toContain('"text":"12345678901234567890"');
  });
});
