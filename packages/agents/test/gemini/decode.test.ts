import { portablePayload } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { gemini } from '../../src/gemini/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { documented, documentedNames, recordedAs } = fixturesOf('gemini');
const context = (nativeEvent: string) => ({ nativeEvent, cwd: '/elsewhere', variables: {} });
const decode = (name: string) => gemini.decode(documented(name), context(name.split('.')[0] ?? ''));
const decodeRecorded = (number: string, folder = 'session') => {
  const found = recordedAs(`0.61.0/${folder}/${number}`);
  return gemini.decode(found.payload, found.context);
};
const decodeTool = (tool_name: string, tool_input: object, more: object = {}) =>
  gemini.decode({ ...documented('BeforeTool'), tool_name, tool_input, ...more }, context('BeforeTool')).tool;

describe('what happened', () => {
  it('knows all 11 native events, each once, with a documented payload', () => {
    const names = gemini.events.map((event) => event.name);
    expect(names).toHaveLength(11);
    expect(new Set(names)).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each(documentedNames)('decodes the documented %s without a problem', (name) => {
    const event = decode(name);
    expect(event.problems).toBeUndefined();
    expect(event).toMatchObject({ sessionId: '7c1e4a52-0b9f-4c1e-b7a2-2f6d9e8c4b11', cwd: '/home/dev/project', raw: documented(name) });
  });
  it.each([
    ['SessionStart', { event: 'session_start', source: 'startup' }],
    ['SessionEnd', { event: 'session_end', source: 'other' }],
    ['BeforeAgent', { event: 'user_prompt_submit', prompt: documented('BeforeAgent').prompt }],
    ['AfterAgent', { event: 'stop', text: documented('AfterAgent').prompt_response }],
    ['PreCompress', { event: 'pre_compact', source: 'auto' }],
    ['Notification', { event: 'notification', source: 'permission_prompt', text: documented('Notification').message }],
    ['BeforeModel', { event: 'other', nativeEvent: 'BeforeModel' }],
  ])('picks the facts out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));

  it('tells a hook the last answer under the name of Claude Code', () => {
    expect(decode('AfterAgent').portable.last_assistant_message).toBe(documented('AfterAgent').prompt_response);
  });
  it('tells of a prompt what the person typed, not the context of hooks that Gemini puts before it', () => {
    const prompt = decodeRecorded('01-BeforeAgent', 'with-context');
    expect(prompt.prompt).toBe('Clean up: delete the build directory.');
    expect(prompt.portable.prompt).toBe(prompt.prompt);
    expect(prompt.raw).toMatchObject({ prompt: expect.stringMatching(/^<hook_context>House rule/) });
    expect(decodeRecorded('02-AfterAgent', 'with-context').portable.prompt).toBe(prompt.prompt);
  });
  it.each(['<hook_context> as I typed it', 'say <hook_context>x</hook_context>', '<hook_context><b></hook_context> x'])(
    'leaves a prompt alone that only looks like that: %s',
    (prompt) => expect(gemini.decode({ ...documented('BeforeAgent'), prompt }, context('BeforeAgent')).prompt).toBe(prompt),
  );
  it('takes the word of the payload over that of the registration, and says so', () => {
    const event = gemini.decode(documented('AfterTool'), context('BeforeTool'));
    expect(event).toMatchObject({ event: 'post_tool_use', nativeEvent: 'AfterTool', problems: [expect.stringContaining('BeforeTool')] });
  });
});

describe('the tool', () => {
  it.each([
    ['07-BeforeTool', { name: 'Bash', kind: 'shell', command: 'echo hi > shell-ran.txt; echo hi' }],
    ['13-BeforeTool', { name: 'Write', kind: 'edit', files: ['$REPO/a.txt'], input: { file_path: '$REPO/a.txt', content: 'one\n' } }],
    ['19-BeforeTool', { name: 'Edit', kind: 'edit', files: ['$REPO/a.txt'], input: { old_string: 'one', new_string: 'two' } }],
    ['25-BeforeTool', { name: 'Read', kind: 'read', files: ['$REPO/a.txt'] }],
    ['43-BeforeTool', { name: 'TodoWrite', kind: 'todo', input: { todos: [{ content: 'first', status: 'in_progress' }] } }],
    ['49-BeforeTool', { name: 'mcp__mock__echo', kind: 'mcp', input: { text: 'hello' } }],
    ['55-BeforeTool', { name: 'Agent', kind: 'subagent', input: { subagent_type: 'helper', prompt: 'SUBTASK: list files' } }],
    ['59-BeforeTool', { name: 'LS', kind: 'other', input: { path: '$REPO' } }],
    ['65-BeforeTool', { name: 'complete_task', kind: 'other' }],
  ])('of %s has its portable name and input', (file, tool) => {
    const event = decodeRecorded(file);
    expect(event.tool).toMatchObject(tool);
    expect(event.portable).toMatchObject({ tool_name: tool.name, tool_input: event.tool?.input });
    expect(event.tool).not.toHaveProperty('useId');
  });
  it('fires the names of its kind', () => {
    expect(decodeRecorded('07-BeforeTool').names).toEqual(['pre_tool_use', 'pre_shell_execution']);
    expect(decodeRecorded('20-AfterTool').names).toEqual(['post_tool_use', 'post_file_edit']);
    expect(decodeRecorded('44-AfterTool').names).toEqual(['post_tool_use', 'todo_update']);
  });
  it('of an MCP server is named by its context, and guessed without one', () => {
    const context = { server_name: 'my_server', tool_name: 'a_tool' };
    expect(decodeTool('mcp_my_server_a_tool', {}, { mcp_context: context })?.name).toBe('mcp__my_server__a_tool');
    expect(decodeTool('mcp_my_server_a_tool', {})).toMatchObject({ name: 'mcp__my__server_a_tool', kind: 'mcp' });
  });
  it('that reads lines says from where and how many', () => {
    expect(decodeTool('read_file', { file_path: 'a', start_line: 3, end_line: 7 })?.input).toEqual({ file_path: 'a', offset: 3, limit: 5 });
    expect(decodeTool('read_file', { file_path: 'a', end_line: 7 })?.input).toEqual({ file_path: 'a', limit: 7 });
  });
  it('that reads many files is one call on each', () => {
    expect(decodeTool('read_many_files', { include: ['a.txt', '**/*.env', 7] })).toMatchObject({
      kind: 'read',
      files: ['a.txt', '**/*.env'],
      calls: [
        { file: 'a.txt', name: 'Read', input: { file_path: 'a.txt' } },
        { file: '**/*.env', name: 'Read', input: { file_path: '**/*.env' } },
      ],
    });
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const name of ['surprise', 'constructor', '__proto__']) expect(decodeTool(name, {})).toMatchObject({ kind: 'other', name });
  });
});

describe('the end of a tool', () => {
  it.each([
    ['38-AfterTool', 'File not found: $REPO/missing.txt'],
    ['32-AfterTool', 'Exit code 3\noops'],
  ])('of %s is a failure, though the event is the ordinary one', (file, text) => {
    const event = decodeRecorded(file);
    expect(event).toMatchObject({ event: 'post_tool_use_failure', nativeEvent: 'AfterTool', text });
    expect(event.portable.error).toBe(text);
    expect(event.names[0]).toBe('post_tool_use_failure');
  });
  const ended = (llmContent: unknown, tool_name = 'run_shell_command') =>
    gemini.decode({ ...documented('AfterTool'), tool_name, tool_response: { llmContent, returnDisplay: '' } }, context('AfterTool')).event;
  it.each([
    'Output: x\nSignal: 9\nProcess Group PGID: 1',
    'Output: x\nError: spawn failed\nExit Code: 127',
    'Output: x\nExit Code: 1\n\n[System] Tool input parameters (command) were modified by a hook before execution.',
    'Command was cancelled by user before it could complete. There was no output before it was cancelled.',
    '<untrusted_context>\nCommand was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.',
  ])('is a failure where the command says so: %j', (text) => {
    expect(ended(text)).toBe('post_tool_use_failure');
    expect(ended(text, 'read_file')).toBe('post_tool_use');
  });
  it.each(['Output: Exit Code: 3\nall is well\nProcess Group PGID: 1', 'Output: (empty)', ['a list'], null])(
    'is none otherwise: %j',
    (text) => expect(ended(text)).toBe('post_tool_use'),
  );

  it('reads as in Claude Code', () => {
    const responseOf = (file: string) => decodeRecorded(file).portable.tool_response;
    expect(responseOf('08-AfterTool')).toEqual({ stdout: 'hi', stderr: '', interrupted: false, isImage: false });
    expect(responseOf('20-AfterTool')).toMatchObject({
      filePath: '$REPO/a.txt',
      originalFile: 'one\n',
      structuredPatch: [{ lines: ['-one', '+two'] }],
    });
    expect(responseOf('26-AfterTool')).toMatchObject({ type: 'text', file: { filePath: '$REPO/a.txt', content: 'two\n', numLines: 2 } });
    expect(responseOf('50-AfterTool')).toEqual([{ type: 'text', text: 'echo: hello' }]);
  });
  it('keeps the native payload for whoever wants it', () => {
    const event = decodeRecorded('13-BeforeTool');
    const { piton, hook_event_name } = portablePayload(event, 'pre_file_edit', {
      eventId: 'e',
      repo: null,
      branch: null,
      transcriptFormat: null,
    });
    expect(hook_event_name).toBe('PreToolUse');
    expect(piton).toMatchObject({ agent: 'gemini', tool: { kind: 'edit' }, native: { tool_name: 'write_file' } });
  });
});

describe('somebody to ask', () => {
  it('asks nobody, since nothing tells a headless run from a session with a person', () => {
    for (const terminal of [true, false]) expect(gemini.attended({}, terminal)).toBe(false);
  });
});
