import { describe, expect, it } from 'vitest';
import { auggie } from '../../src/auggie/index.ts';
import { agentFor } from '../../src/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { documented, documentedNames, recordedAs } = fixturesOf('auggie');
const decode = (name: string, more: object = {}) =>
  auggie.decode({ ...documented(name), ...more }, { nativeEvent: name.split('.')[0] ?? '', cwd: '/elsewhere', variables: {} });
const decodeRecorded = (file: string) => {
  const { payload, context } = recordedAs(`0.36.0/${file}`);
  return auggie.decode(payload, context);
};

describe('what happened', () => {
  it('knows all native events, each with a payload', () => {
    expect(new Set(auggie.events.map((event) => event.name))).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each(documentedNames)('decodes %s without a problem', (name) => {
    expect(decode(name).problems).toBeUndefined();
    expect(decode(name)).toMatchObject({ agent: 'auggie', cwd: '/home/dev/project', sessionId: expect.stringMatching(/^[\w-]{36}$/) });
  });
  it.each([
    ['SessionStart', { event: 'session_start' }],
    ['SessionEnd', { event: 'session_end', source: 'other' }],
    ['PromptSubmit', { event: 'user_prompt_submit', prompt: 'Do the scripted work.' }],
    ['PostToolUse.error', { event: 'post_tool_use_failure', text: 'Exit code 3\noops' }],
    ['Stop', { event: 'stop', text: 'Final answer.', model: 'mock' }],
  ])('picks the facts out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));

  it('says it in the fields of Claude Code, and in none of its own forms of them', () => {
    expect(decode('Stop').portable).toMatchObject({ last_assistant_message: 'Final answer.', cwd: '/home/dev/project' });
    expect(decode('PromptSubmit').portable).toMatchObject({ prompt: 'Do the scripted work.' });
    for (const name of documentedNames)
      expect(Object.keys(decode(name).portable)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:_exchange|tool_output|conversation_id)$/)]),
      );
  });
  it('takes the result that stands before a tool for none', () => {
    expect(documented('PreToolUse').tool_output).toBe('[undefined]');
    expect(decode('PreToolUse').portable).not.toHaveProperty('tool_response');
  });
  it('is in the directory that the registration ran in where the payload names none', () => {
    for (const workspace_roots of [[], null, ['']]) expect(decode('PreToolUse', { workspace_roots }).cwd).toBe('/elsewhere');
  });
  it('has a session of its own for a subagent, which nothing begins or ends', () => {
    expect(decodeRecorded('session/32-PreToolUse').sessionId).not.toBe(decodeRecorded('session/31-PreToolUse').sessionId);
  });
  it('is nobody of those whose configuration it does not run', () => {
    const { payload, context } = recordedAs('0.36.0/session/03-PreToolUse');
    expect(agentFor('auggie', payload, context)?.id).toBe('auggie');
    expect(agentFor('claude', payload, context)?.id).toBe('unknown');
  });
});

describe('the tool', () => {
  it.each([
    [
      '03',
      { name: 'Bash', kind: 'shell', command: 'echo hi > shell-ran.txt; echo hi', input: { run_in_background: false, timeout: 60_000 } },
    ],
    ['05', { name: 'Write', kind: 'edit', files: ['a.txt'], input: { file_path: 'a.txt', content: 'one\ntwo\n' } }],
    ['07', { name: 'Read', kind: 'read', files: ['a.txt'] }],
    ['09', { name: 'Edit', kind: 'edit', files: ['a.txt'], input: { old_string: 'one', new_string: 'three' } }],
    [
      '11',
      {
        name: 'MultiEdit',
        kind: 'edit',
        input: {
          edits: [
            { old_string: 'three', new_string: 'four' },
            { old_string: 'two', new_string: 'five' },
          ],
        },
      },
    ],
    ['13', { name: 'Edit', kind: 'edit', files: ['a.txt'], input: { old_string: '', new_string: 'six\n' } }],
    ['15', { name: 'Read', kind: 'read', input: { offset: 2, limit: 2 } }],
    ['17', { name: 'Read', kind: 'read', files: ['.'], input: { file_path: '.', type: 'directory' } }],
    [
      '23',
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
    ['25', { name: 'mcp__mock__echo', kind: 'mcp', nativeName: 'echo_mock', input: { text: 'hello' } }],
    ['29', { name: 'Bash', kind: 'shell', input: { run_in_background: true } }],
    ['31', { name: 'Agent', kind: 'subagent', input: { subagent_type: 'general-purpose', prompt: 'SUBTASK: run one command' } }],
    [
      '35',
      {
        name: 'Edit',
        kind: 'edit',
        files: ['a.txt', 'shell-ran.txt'],
        calls: [{ file: 'a.txt', name: 'Edit', input: { file_path: '$REPO/a.txt', deleted: true } }, { file: 'shell-ran.txt' }],
      },
    ],
  ])('of the recorded call %s has its portable name, kind and input', (number, tool) => {
    expect(decodeRecorded(`session/${number}-PreToolUse`).tool).toMatchObject(tool);
  });
  it('of a patch is a call on each of its files', () => {
    expect(decodeRecorded('patch/03-PreToolUse').tool).toMatchObject({ name: 'Write', files: ['new.txt'] });
    expect(decodeRecorded('patch/05-PreToolUse').tool).toMatchObject({
      files: ['new.txt', 'other.txt'],
      calls: [{ name: 'Edit' }, { name: 'Write' }],
    });
    expect(decodeRecorded('patch/09-PreToolUse').tool).toMatchObject({ files: ['new.txt'], input: { deleted: true } });
  });
  it('that edits with numbered fields has the same edits', () => {
    const tool_input = {
      command: 'str_replace',
      path: 'a.txt',
      old_str_1: 'a',
      new_str_1: 'b',
      old_str_2: 'c',
      new_str_2: 'd',
      old_str_start_line_number_1: 4,
    };
    expect(decode('PreToolUse.edit', { tool_input }).tool).toMatchObject({
      name: 'MultiEdit',
      files: ['a.txt'],
      input: {
        edits: [
          { old_string: 'a', new_string: 'b', old_str_start_line_number: 4 },
          { old_string: 'c', new_string: 'd' },
        ],
      },
    });
  });
  it('that types into a process is a command, which a shell may read', () => {
    const typed = { tool_name: 'write-process', tool_input: { terminal_id: 7, input_text: 'rm -rf build\n' } };
    expect(decode('PreToolUse', typed).tool).toMatchObject({ kind: 'shell', command: 'rm -rf build\n' });
  });
  it('of a server whose name has an underscore is parted at its last one', () => {
    const named = (tool_name: string) => decode('PreToolUse.mcp', { tool_name }).tool?.name;
    expect(named('save_issue_linear')).toBe('mcp__linear__save_issue');
    expect(named('x_my_server')).toBe('mcp__server__x_my');
    expect(named('alone')).toBe('mcp__unknown__alone');
  });
  it('of a subagent of the user has its kind as well, but not where it only shows what one said', () => {
    const called = (action: string) =>
      decode('PreToolUse.agent', { tool_name: 'sub-agent-mine', tool_input: { action, name: 'x', instruction: 'y' } }).tool;
    expect(called('run')).toMatchObject({ name: 'Agent', kind: 'subagent', input: { subagent_type: 'mine' } });
    expect(called('output')).toMatchObject({ kind: 'other' });
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const tool_name of ['surprise', 'constructor', '__proto__'])
      expect(decode('PreToolUse', { tool_name }).tool).toMatchObject({ kind: 'other', name: tool_name });
  });
});

describe('a result', () => {
  it('of a command has what it printed alone', () => {
    expect(decodeRecorded('session/04-PostToolUse').portable.tool_response).toEqual({
      stdout: 'hi\n',
      stderr: '',
      interrupted: false,
      isImage: false,
    });
    expect(decodeRecorded('session/30-PostToolUse').portable.tool_response).toMatchObject({
      stdout: expect.stringContaining('terminal ID'),
    });
  });
  it('of a tool that failed is an error, told as any other end', () => {
    expect(decodeRecorded('session/20-PostToolUse')).toMatchObject({
      event: 'post_tool_use_failure',
      portable: { error: 'Exit code 3\noops' },
    });
    expect(decodeRecorded('session/22-PostToolUse')).toMatchObject({ event: 'post_tool_use_failure', text: 'File not found: missing.txt' });
    expect(decodeRecorded('session/28-PostToolUse')).toMatchObject({ event: 'post_tool_use_failure', text: 'it failed' });
    expect(decodeRecorded('session/20-PostToolUse').portable).not.toHaveProperty('tool_response');
  });
  it('of a read has neither numbers before its lines nor words around them', () => {
    expect(decodeRecorded('session/08-PostToolUse').portable.tool_response).toMatchObject({
      file: { content: 'one\ntwo\n', startLine: 1 },
    });
    expect(decodeRecorded('session/16-PostToolUse').portable.tool_response).toMatchObject({ file: { content: 'six\n', startLine: 2 } });
  });
});
