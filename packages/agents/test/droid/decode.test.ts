import { describe, expect, it } from 'vitest';
import { droid } from '../../src/droid/index.ts';
import { documented, documentedNames, recordedAs } from './fixtures.ts';

const decode = (name: string) =>
  droid.decode(documented(name), { nativeEvent: name.split('.')[0] ?? '', cwd: '/elsewhere', variables: {} });
const decodeRecorded = (file: string) => {
  const { payload, context } = recordedAs(file);
  return droid.decode(payload, context);
};
const decodeCall = (tool_name: string, tool_input: unknown) =>
  droid.decode({ ...documented('PreToolUse'), tool_name, tool_input }, { nativeEvent: 'PreToolUse', cwd: '/', variables: {} });

describe('what happened', () => {
  it('knows all nine native events, each with a documented payload', () => {
    expect(new Set(droid.events.map((event) => event.name))).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
    expect(droid.events).toHaveLength(9);
  });
  it.each(documentedNames)('decodes the documented %s without a problem', (name) => {
    expect(decode(name).problems).toBeUndefined();
    expect(decode(name)).toMatchObject({ agent: 'droid', cwd: '/home/dev/project', sessionId: expect.stringMatching(/^[\w-]{36}$/) });
  });
  it.each([
    ['SessionStart', { event: 'session_start', source: 'startup' }],
    ['SessionEnd', { event: 'session_end', source: 'other' }],
    ['UserPromptSubmit', { event: 'user_prompt_submit', prompt: 'fix the failing test' }],
    ['PreCompact', { event: 'pre_compact', source: 'auto' }],
    ['Notification', { event: 'notification', text: 'Droid needs your permission', source: 'permission_prompt' }],
    ['Stop', { event: 'stop' }],
  ])('picks the facts out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));
  it('keeps the session that called a subagent', () => {
    expect(decodeRecorded('session/17-SessionStart').portable).toHaveProperty(
      'calling_session_id',
      decodeRecorded('session/01-SessionStart').sessionId,
    );
  });
  it('takes the result of a subagent for its text, or what went wrong', () => {
    const stopped = (rest: object) =>
      droid.decode({ ...documented('SubagentStop'), ...rest }, { nativeEvent: 'SubagentStop', cwd: '/', variables: {} });
    expect(stopped({ task_result: 'found' }).text).toBe('found');
    expect(stopped({ task_error: 'lost' }).text).toBe('lost');
  });
});

describe('the tool', () => {
  it.each([
    [
      '02',
      {
        name: 'Bash',
        kind: 'shell',
        command: 'echo hi > shell-ran.txt; echo hi',
        input: { description: 'run', timeout: 60_000, riskLevel: 'low' },
      },
    ],
    ['04', { name: 'Write', kind: 'edit', files: ['$REPO/a.txt'], input: { file_path: '$REPO/a.txt', content: 'one\n' } }],
    ['06', { name: 'Edit', kind: 'edit', files: ['$REPO/a.txt'], input: { old_string: 'one', new_string: 'two' } }],
    ['08', { name: 'Read', kind: 'read', files: ['$REPO/a.txt'] }],
    ['12', { name: 'TodoWrite', kind: 'todo', input: { todos: [{ content: 'first', status: 'in_progress' }] } }],
    ['14', { name: 'mcp__mock__echo', kind: 'mcp', nativeName: 'mock___echo', input: { text: 'hello' } }],
    ['16', { name: 'Agent', kind: 'subagent', input: { subagent_type: 'helper', prompt: 'SUBTASK: list files' } }],
  ])('of the recorded call %s has its portable name, kind and input', (number, tool) => {
    expect(decodeRecorded(`session/${number}-PreToolUse`).tool).toMatchObject(tool);
  });
  it('has no id', () => expect(decodeRecorded('session/02-PreToolUse').tool).not.toHaveProperty('useId'));
  it('fires the names of its kind', () => {
    expect(decodeRecorded('session/03-PostToolUse').names).toEqual(['post_tool_use', 'post_shell_execution']);
    expect(decodeRecorded('session/06-PreToolUse').names).toEqual(['pre_tool_use', 'pre_file_edit']);
    expect(decodeRecorded('session/14-PreToolUse').names).toEqual(['pre_tool_use', 'pre_mcp_execution']);
  });
  it('with several changes shows each', () => {
    const { tool } = decodeCall('MultiEdit', { file_path: '/a', changes: [{ old_str: 'a', new_str: 'b', change_all: true }] });
    expect(tool).toMatchObject({
      name: 'MultiEdit',
      kind: 'edit',
      files: ['/a'],
      input: { edits: [{ old_string: 'a', new_string: 'b', replace_all: true }] },
    });
  });
  it('that applies a patch is a call on each of its files', () => {
    const { tool } = decodeCall('ApplyPatch', { input: '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch' });
    expect(tool).toMatchObject({ kind: 'edit', files: ['a', 'b'] });
    expect(tool?.calls?.map(({ name, input }) => [name, input.file_path])).toEqual([
      ['Write', '/home/dev/project/a'],
      ['Edit', '/home/dev/project/b'],
    ]);
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const name of ['surprise', 'constructor', '__proto__']) expect(decodeCall(name, {}).tool).toMatchObject({ kind: 'other', name });
  });
});
