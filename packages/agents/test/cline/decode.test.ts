import { describe, expect, it } from 'vitest';
import { cline } from '../../src/cline/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { documented, documentedNames, recordedAs } = fixturesOf('cline');
const context = (nativeEvent: string) => ({ nativeEvent, cwd: '/elsewhere', variables: {} });
const decode = (name: string) => cline.decode(documented(name), context(name.split('.')[0] ?? ''));
const decodeRecorded = (number: string) => {
  const found = recordedAs(`3.0.65/session/${number}`);
  return cline.decode(found.payload, found.context);
};
const call = (name: string, input: unknown) =>
  cline.decode({ ...documented('PreToolUse'), tool_call: { id: 'c', name, input } }, context('PreToolUse')).tool;

describe('what happened', () => {
  it.each(documentedNames)('decodes the documented %s without a problem', (name) => {
    const event = decode(name);
    expect(event.problems).toBeUndefined();
    expect(event).toMatchObject({ cwd: '/home/dev/project', raw: documented(name) });
    expect(event.sessionId).toMatch(/^\d+_\w+$/);
  });
  it.each([
    ['TaskStart', { event: 'session_start', source: 'startup' }],
    ['TaskResume', { event: 'session_start', source: 'resume' }],
    ['TaskComplete', { event: 'stop' }],
    ['TaskError', { event: 'stop_failure', text: '429' }],
    ['TaskCancel', { event: 'stop_failure', source: 'unknown', portable: { error_details: 'user' } }],
    ['SessionShutdown', { event: 'session_end' }],
    ['UserPromptSubmit', { event: 'user_prompt_submit', prompt: 'fix the test' }],
    ['TaskStart.in-subagent', { event: 'subagent_start', agentId: documented('TaskStart.in-subagent').agent_id }],
    ['TaskComplete.in-subagent', { event: 'subagent_stop' }],
    ['PreToolUse.in-subagent', { event: 'pre_tool_use', agentId: documented('PreToolUse.in-subagent').agent_id }],
  ])('picks the facts out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));

  it('tells a hook in the words of Claude Code', () => {
    expect(decode('UserPromptSubmit').portable).toEqual({ prompt: 'fix the test' });
    expect(decodeRecorded('22-TaskComplete').portable).toEqual({ last_assistant_message: 'Final answer.' });
    expect(decode('TaskResume').portable).toEqual({ source: 'resume' });
  });
  it('keeps a subagent in the session of its parent', () => {
    expect(decodeRecorded('18-PreToolUse').sessionId).toBe(decodeRecorded('02-PreToolUse').sessionId);
    expect(decodeRecorded('02-PreToolUse')).not.toHaveProperty('agentId');
  });
});

describe('the tool', () => {
  it.each([
    ['02-PreToolUse', { name: 'Bash', kind: 'shell', command: 'echo hi > shell-ran.txt; echo hi', useId: 'call_m0_0' }],
    ['04-PreToolUse', { name: 'Write', kind: 'edit', files: ['$REPO/a.txt'], input: { file_path: '$REPO/a.txt', content: 'one\n' } }],
    ['06-PreToolUse', { name: 'Edit', kind: 'edit', input: { file_path: '$REPO/a.txt', old_string: 'one', new_string: 'two' } }],
    ['08-PreToolUse', { name: 'Read', kind: 'read', files: ['$REPO/a.txt'], input: { file_path: '$REPO/a.txt' } }],
    ['14-PreToolUse', { name: 'mcp__mock__echo', kind: 'mcp', input: { text: 'hello' } }],
    ['16-PreToolUse', { name: 'Agent', kind: 'subagent', input: { prompt: 'SUBTASK: list files' } }],
  ])('of %s has its portable name and input', (file, tool) => {
    const event = decodeRecorded(file);
    expect(event.tool).toMatchObject(tool);
    expect(event.portable).toMatchObject({ tool_name: tool.name, tool_input: event.tool?.input, tool_use_id: event.tool?.useId });
  });
  it('with several commands is one of several lines', () => {
    expect(call('run_commands', { commands: ['a', { command: 'b', args: ['-c', 'd'] }, 7] })).toMatchObject({ command: 'a\nb -c d\n' });
    expect(call('run_commands', { commands: 'a' })).toMatchObject({ command: 'a' });
  });
  it('that reads lines says from where and how many', () => {
    expect(call('read_files', { files: [{ path: 'a', start_line: 3, end_line: 7 }] })?.input).toEqual({
      file_path: 'a',
      offset: 3,
      limit: 5,
    });
    expect(call('read_files', { files: ['a'] })?.input).toEqual({ file_path: 'a' });
  });
  it('on several files is a call on each', () => {
    expect(call('read_files', { files: [{ path: 'a' }, 'b', {}] })).toMatchObject({
      files: ['a', 'b'],
      calls: [
        { file: 'a', name: 'Read', input: { file_path: 'a' } },
        { file: 'b', name: 'Read', input: { file_path: 'b' } },
      ],
    });
    const input = '*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b c\n@@\n*** End Patch';
    expect(call('apply_patch', { input })).toMatchObject({
      kind: 'edit',
      files: ['a', 'b c'],
      calls: [{ name: 'Write' }, { name: 'Edit' }],
    });
  });
  it('that inserts lines edits', () => {
    expect(call('editor', { path: 'a', insert_line: 3, new_text: 'x' })).toMatchObject({
      name: 'Edit',
      input: { new_string: 'x', insert_line: 3 },
    });
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const name of ['surprise', 'constructor', '__proto__']) expect(call(name, {})).toMatchObject({ kind: 'other', name });
  });
  it('reads the older shape where the newer one is missing', () => {
    const { tool_call: _, ...old } = documented('PreToolUse');
    const { useId: _id, ...tool } = decode('PreToolUse').tool ?? {};
    expect(cline.decode(old, context('PreToolUse')).tool).toEqual(tool);
    const extension = { ...old, preToolUse: { toolName: 'write_to_file', parameters: { path: 'a.ts', content: '[not json' } } };
    expect(cline.decode(extension, context('PreToolUse')).tool).toMatchObject({
      name: 'Write',
      files: ['a.ts'],
      input: { file_path: 'a.ts', content: '[not json' },
    });
  });
});

describe('the end of a tool', () => {
  it.each([
    ['11-PostToolUse', 'Exit code 3\noops'],
    ['13-PostToolUse', "Error reading file: ENOENT: no such file or directory, statx '$REPO/missing.txt'"],
  ])('of %s is a failure, though it says success', (file, text) => {
    const event = decodeRecorded(file);
    expect(event).toMatchObject({ event: 'post_tool_use_failure', nativeEvent: 'PostToolUse', text });
    expect(event.portable.error).toBe(text);
  });
  it.each([
    [{ output: { isError: true, content: [{ type: 'text', text: 'it failed' }] } }, 'it failed'],
    [{ output: 'boom', error: 'boom' }, 'boom'],
    [{ output: [{ success: true }, { success: false }] }, 'the tool failed'],
  ])('is a failure in every shape: %j', (result, text) => {
    const payload = { ...documented('PostToolUse'), tool_result: { name: 'mock__fail', input: {}, ...result } };
    expect(cline.decode(payload, context('PostToolUse'))).toMatchObject({ event: 'post_tool_use_failure', text });
  });
  it('reads as in Claude Code', () => {
    const responseOf = (file: string) => decodeRecorded(file).portable.tool_response;
    expect(responseOf('03-PostToolUse')).toEqual({ stdout: 'hi\n', stderr: '', interrupted: false, isImage: false });
    expect(responseOf('07-PostToolUse')).toMatchObject({ filePath: '$REPO/a.txt' });
    expect(responseOf('09-PostToolUse')).toMatchObject({ type: 'text', file: { filePath: '$REPO/a.txt', content: 'two', numLines: 1 } });
    expect(responseOf('15-PostToolUse')).toEqual([{ type: 'text', text: 'echo: hello' }]);
  });
});
