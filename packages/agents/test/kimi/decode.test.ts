import { describe, expect, it } from 'vitest';
import { agentFor } from '../../src/index.ts';
import { kimi } from '../../src/kimi/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { documented, documentedNames, recordedAs } = fixturesOf('kimi');
const decode = (name: string, more: object = {}) =>
  kimi.decode({ ...documented(name), ...more }, { nativeEvent: name.split('.')[0] ?? '', cwd: '/elsewhere', variables: {} });
const decodeRecorded = (file: string) => {
  const { payload, context } = recordedAs(`2.1.0/${file}`);
  return kimi.decode(payload, context);
};

describe('what happened', () => {
  it('knows all native events, each with a payload', () => {
    expect(new Set(kimi.events.map((event) => event.name))).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each(documentedNames)('decodes %s without a problem', (name) => {
    expect(decode(name).problems).toBeUndefined();
    expect(decode(name)).toMatchObject({
      agent: 'kimi',
      cwd: '/home/dev/project',
      sessionId: expect.stringMatching(/^session_[\w-]{36}$/),
    });
  });
  it.each([
    ['SessionStart', { event: 'session_start', source: 'startup', model: 'mock' }],
    ['SessionEnd', { event: 'session_end', source: 'prompt_input_exit' }],
    ['UserPromptSubmit', { event: 'user_prompt_submit', prompt: 'Do the scripted work.' }],
    ['PreCompact', { event: 'pre_compact', source: 'auto' }],
    ['PostCompact', { event: 'post_compact', source: 'auto' }],
    ['StopFailure', { event: 'stop_failure', source: 'rate_limit' }],
    ['Interrupt', { event: 'other' }],
    ['TurnStarted.subagent', { event: 'other' }],
    ['SubagentStop', { event: 'subagent_stop', text: 'sub done' }],
  ])('picks the facts out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));

  it('says what was recorded in the words of Claude Code', () => {
    expect(decodeRecorded('model-error/04-StopFailure').portable).toMatchObject({
      error: 'authentication_failed',
      error_details: '403 no',
    });
    expect(decodeRecorded('background/08-Notification').portable).toMatchObject({ notification_type: 'agent_completed' });
    expect(decodeRecorded('session/34-SubagentStop').portable).toMatchObject({ agent_type: 'coder', last_assistant_message: 'sub done' });
    expect(decodeRecorded('session/02-UserPromptSubmit').portable).toMatchObject({ prompt: 'Do the scripted work.' });
  });
  it('takes a prompt of several parts for one text, without its pictures', () => {
    const prompt = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:' } },
      { type: 'text', text: 'here' },
    ];
    expect(decode('UserPromptSubmit', { prompt })).toMatchObject({ prompt: 'look\nhere', portable: { prompt: 'look\nhere' } });
  });
  it('is known by a field that nobody else has, through any registration', () => {
    const { payload, context } = recordedAs('2.1.0/session/04-PreToolUse');
    expect(agentFor('kimi', payload, context)?.id).toBe('kimi');
    expect(agentFor('claude', payload, context)?.id).toBe('unknown');
  });
});

describe('the tool', () => {
  it.each([
    ['04', { name: 'Bash', kind: 'shell', useId: 'call_m0_0', command: 'echo hi > shell-ran.txt; echo hi' }],
    ['06', { name: 'Write', kind: 'edit', files: ['a.txt'], input: { file_path: 'a.txt', content: 'one\n' } }],
    ['10', { name: 'Edit', kind: 'edit', files: ['a.txt'], input: { old_string: 'one', new_string: 'two' } }],
    ['08', { name: 'Read', kind: 'read', files: ['a.txt'] }],
    [
      '18',
      {
        name: 'TodoWrite',
        kind: 'todo',
        input: {
          todos: [
            { content: 'first', status: 'completed' },
            { content: 'second', status: 'pending' },
          ],
        },
      },
    ],
    ['20', { name: 'mcp__mock__echo', kind: 'mcp', input: { text: 'hello' } }],
    ['28', { name: 'Agent', kind: 'subagent', input: { subagent_type: 'coder' } }],
  ])('of the recorded call %s has its portable name, kind and input', (number, tool) => {
    expect(decodeRecorded(`session/${number}-PreToolUse`).tool).toMatchObject(tool);
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const tool_name of ['surprise', 'constructor', '__proto__'])
      expect(decode('PreToolUse', { tool_name }).tool).toMatchObject({ kind: 'other', name: tool_name });
  });
});

describe('a result', () => {
  it('of a command that failed begins with its exit code', () => {
    expect(decodeRecorded('session/13-PostToolUseFailure')).toMatchObject({
      text: 'Exit code 3\noops',
      portable: { error: 'Exit code 3\noops' },
    });
  });
  it('of another tool that failed is what it said', () => {
    expect(decodeRecorded('session/15-PostToolUseFailure').text).toBe('"missing.txt" does not exist.');
    expect(decodeRecorded('denied/05-PostToolUseFailure').text).toContain('TOKEN_DENY');
  });
  it('of a read has no numbers before its lines', () => {
    expect(decodeRecorded('session/09-PostToolUse').portable.tool_response).toMatchObject({ file: { content: 'one', numLines: 1 } });
  });
});
