import { describe, expect, it } from 'vitest';
import { grok } from '../../src/grok/index.ts';
import { agentFor } from '../../src/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { documented, documentedNames, recorded, recordedAs } = fixturesOf('grok');
const decode = (name: string, more: object = {}) =>
  grok.decode({ ...documented(name), ...more }, { nativeEvent: name.split('.')[0] ?? '', cwd: '/elsewhere', variables: {} });
const decodeRecorded = (file: string) => {
  const { payload, context } = recordedAs(`1.0.41/${file}`);
  return grok.decode(payload, context);
};

describe('what happened', () => {
  it('knows all native events, each with a payload as its guide has it', () => {
    expect(new Set(grok.events.map((event) => event.name))).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each(documentedNames)('decodes %s without a problem', (name) => {
    expect(decode(name).problems).toBeUndefined();
    expect(decode(name)).toMatchObject({ agent: 'grok', cwd: '/home/dev/project', sessionId: expect.stringMatching(/^[\w-]{36}$/) });
  });
  it.each([
    ['SessionStart', { event: 'session_start', source: 'startup' }],
    ['SessionEnd', { event: 'session_end', source: 'other' }],
    ['UserPromptSubmit', { event: 'user_prompt_submit', prompt: 'fix the failing test' }],
    ['PreCompact', { event: 'pre_compact', source: 'auto' }],
    ['PostCompact', { event: 'post_compact', source: 'manual' }],
    ['StopFailure', { event: 'stop_failure', source: 'rate_limit', text: '429 Too Many Requests' }],
    ['StopCancelled', { event: 'other' }],
    ['Notification', { event: 'notification', text: 'Tool permission requested', source: 'permission_prompt' }],
    ['Stop', { event: 'stop', text: 'Done.' }],
    ['SubagentStop', { event: 'subagent_stop', text: 'Two files.', agentId: '01980000-0000-7000-8000-000000000002' }],
  ])('picks the facts out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));

  it('takes the stop that comes with the end of a session for none', () => {
    expect(decode('Stop', { reason: 'shutdown' }).event).toBe('other');
    expect(decode('Stop', { reason: undefined }).event).toBe('stop');
  });
  it('takes the task of a subagent, and what Grok Build tells itself, for no prompts', () => {
    const prompts = recorded
      .filter(({ name, context }) => name.includes('/session/') && context.nativeEvent === 'UserPromptSubmit')
      .map(({ payload, context }) => grok.decode(payload, context));
    expect(prompts.length).toBeGreaterThan(2);
    expect(prompts.filter(({ event }) => event === 'user_prompt_submit').map(({ prompt }) => prompt)).toEqual(['Do the scripted work.']);
  });
  it('has the fields of Claude Code once each, under its names', () => {
    const { portable } = decode('Stop');
    expect(portable).toMatchObject({ stop_hook_active: false, last_assistant_message: 'Done.', hook_event_name: 'Stop' });
    expect(Object.keys(portable).filter((key) => /[A-Z]/.test(key))).toEqual([]);
  });
  it('says which subagent it is, in a session of its own', () => {
    const own = decodeRecorded('session/30-PreToolUse');
    expect(own.portable).toMatchObject({ agent_type: 'general-purpose' });
    expect(own.sessionId).not.toBe(decodeRecorded('session/03-PreToolUse').sessionId);
  });
});

describe('the tool', () => {
  it.each([
    ['03', { name: 'Bash', kind: 'shell', useId: 'call_m1_0', input: { description: 'run' } }],
    ['05', { name: 'Write', kind: 'edit', files: ['$REPO/a.txt'], input: { content: 'one\n' } }],
    ['07', { name: 'Edit', kind: 'edit', files: ['$REPO/a.txt'], input: { old_string: 'one', new_string: 'two' } }],
    ['09', { name: 'Read', kind: 'read', files: ['$REPO/a.txt'], input: { file_path: '$REPO/a.txt' } }],
    ['17', { name: 'TodoWrite', kind: 'todo' }],
    ['19', { name: 'mcp__mock__echo', kind: 'mcp', nativeName: 'mock__echo', input: { text: 'hello' } }],
    ['27', { name: 'Agent', kind: 'subagent', input: { subagent_type: 'general-purpose' } }],
  ])('of the recorded call %s has its portable name, kind and input', (number, tool) => {
    expect(decodeRecorded(`session/${number}-PreToolUse`).tool).toMatchObject(tool);
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const tool_name of ['surprise', 'constructor', '__proto__'])
      expect(decode('PreToolUse', { toolName: tool_name, tool_name }).tool).toMatchObject({ kind: 'other', name: tool_name });
  });
  it('of a server is one too where its name stands in a file', () => {
    const called = {
      toolName: 'use_tool',
      tool_name: 'use_tool',
      toolInput: { file: '/tmp/call.json' },
      tool_input: { file: '/tmp/call.json' },
    };
    expect(decode('PreToolUse', called).tool).toMatchObject({ kind: 'mcp', nativeName: 'use_tool' });
  });
});

describe('a result', () => {
  it('that shows a failure is one, though it is told as a success', () => {
    expect(decodeRecorded('session/12-PostToolUse')).toMatchObject({ event: 'post_tool_use_failure', text: 'Exit code 3\noops' });
    expect(decodeRecorded('session/14-PostToolUse')).toMatchObject({
      event: 'post_tool_use_failure',
      text: expect.stringContaining('does not exist'),
    });
    expect(decodeRecorded('session/16-PostToolUse')).toMatchObject({
      event: 'post_tool_use_failure',
      text: expect.stringContaining('not found'),
    });
    expect(decodeRecorded('session/22-PostToolUseFailure')).toMatchObject({
      event: 'post_tool_use_failure',
      text: expect.stringContaining('it failed'),
    });
  });
  it('of a command has what it printed alone', () => {
    expect(decodeRecorded('session/04-PostToolUse').portable.tool_response).toMatchObject({ stdout: 'hi\n', stderr: '' });
  });
  it('that was cut is passed on as it came', () => {
    expect(decode('PostToolUse', { toolResult: 'cut…', tool_response: 'cut…', toolResultTruncated: true }).portable.tool_response).toBe(
      'cut…',
    );
  });
});

describe('through the configuration of another agent', () => {
  it('is claimed, whatever the registration is called', () => {
    const { payload, context } = recordedAs('1.0.41/claude-settings/03-PreToolUse');
    expect(agentFor('claude', payload, context)?.id).toBe('grok');
    expect(agentFor('cursor', payload, { ...context, nativeEvent: 'beforeShellExecution' })?.id).toBe('grok');
  });
  it.each(['PreToolUse', 'preToolUse', 'beforeShellExecution', 'beforeMCPExecution'])(
    'is the same event under the name %s',
    (nativeEvent) => {
      const { payload, context } = recordedAs('1.0.41/session/03-PreToolUse');
      expect(grok.decode(payload, { ...context, nativeEvent })).toEqual(grok.decode(payload, context));
    },
  );
});
