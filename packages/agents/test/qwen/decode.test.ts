import { describe, expect, it } from 'vitest';
import { qwen } from '../../src/qwen/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { documented, documentedNames, recordedAs } = fixturesOf('qwen');
const context = (nativeEvent: string) => ({ nativeEvent, cwd: '/elsewhere', variables: {} });
const decode = (name: string) => qwen.decode(documented(name), context(name.split('.')[0] ?? ''));
const decodeRecorded = (number: string) => {
  const found = recordedAs(`0.24.4/session/${number}`);
  return qwen.decode(found.payload, found.context);
};

describe('what happened', () => {
  it('knows all 22 native events, each once, with a documented payload', () => {
    const names = qwen.events.map((event) => event.name);
    expect(names).toHaveLength(22);
    expect(new Set(names)).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each(documentedNames)('decodes the documented %s without a problem', (name) => {
    const event = decode(name);
    expect(event.problems).toBeUndefined();
    expect(event).toMatchObject({ sessionId: 'b2f7d1c0-5e3a-4c77-9f10-0d4e6a8b9c21', cwd: '/home/dev/project', raw: documented(name) });
  });
  it.each([
    ['03-SessionStart', { event: 'session_start', source: 'startup', model: 'mock' }],
    ['04-Notification', { event: 'notification', source: 'auth_success', text: 'Successfully authenticated with openai' }],
    ['05-UserPromptSubmit', { event: 'user_prompt_submit', prompt: 'Do the scripted work.' }],
    ['29-PostToolUseFailure', { event: 'post_tool_use_failure', text: 'File not found: $REPO/missing.txt' }],
    ['52-SubagentStart', { event: 'subagent_start', agentId: 'general-purpose-call_m9_0' }],
    ['53-PreToolUse', { event: 'pre_tool_use', agentId: 'general-purpose-call_m9_0' }],
    ['56-SubagentStop', { event: 'subagent_stop', text: 'sub done' }],
    ['61-Stop', { event: 'stop', text: 'Final answer.' }],
  ])('picks the facts out of %s', (file, facts) => expect(decodeRecorded(file)).toMatchObject(facts));

  it('takes the empty prompt after a tool for none', () => {
    const event = decodeRecorded('11-UserPromptSubmit');
    expect(event).toMatchObject({ event: 'other', names: ['other'], nativeEvent: 'UserPromptSubmit' });
    expect(event).not.toHaveProperty('prompt');
  });
  it('takes an empty prompt that somebody submitted for one', () => {
    const payload = { ...documented('UserPromptSubmit'), prompt: '', submitted_prompt: '' };
    expect(qwen.decode(payload, context('UserPromptSubmit'))).toMatchObject({ event: 'user_prompt_submit', prompt: '' });
  });
  it('takes words for a prompt whoever sent them, as after a refused stop', () => {
    const { submitted_prompt: _, ...payload } = documented('UserPromptSubmit');
    expect(qwen.decode({ ...payload, prompt: 'go on' }, context('UserPromptSubmit'))).toMatchObject({
      event: 'user_prompt_submit',
      prompt: 'go on',
    });
  });
  it('changes the list of todos once: the four events beside the tool stay other', () => {
    const todos = ['32-PreToolUse', '33-TodoCreated', '34-TodoCreated', '35-PostToolUse', '39-TodoCompleted', '40-TodoCompleted'];
    expect(todos.filter((file) => decodeRecorded(file).names.includes('todo_update'))).toEqual(['35-PostToolUse']);
  });
});

describe('the tool', () => {
  it.each([
    ['08-PreToolUse', { name: 'Bash', kind: 'shell', command: 'echo hi > shell-ran.txt; echo hi', input: { run_in_background: false } }],
    ['12-PreToolUse', { name: 'Write', kind: 'edit', files: ['$REPO/a.txt'] }],
    ['16-PreToolUse', { name: 'Edit', kind: 'edit', files: ['$REPO/a.txt'], input: { old_string: 'one', new_string: 'two' } }],
    ['20-PreToolUse', { name: 'Read', kind: 'read', files: ['$REPO/a.txt'] }],
    ['32-PreToolUse', { name: 'TodoWrite', kind: 'todo', input: { todos: [{ content: 'first' }] } }],
    ['44-PreToolUse', { name: 'mcp__mock__echo', kind: 'mcp' }],
    ['51-PreToolUse', { name: 'Agent', kind: 'subagent', input: { subagent_type: 'general-purpose' } }],
  ])('of %s has its portable name and input, and its id', (file, tool) => {
    const event = decodeRecorded(file);
    expect(event.tool).toMatchObject(tool);
    expect(event.portable).toMatchObject({ tool_name: tool.name, tool_input: event.tool?.input });
    expect(event.tool?.useId).toMatch(/^toolu_/);
  });
  it('has one id before and after', () => {
    expect(decodeRecorded('08-PreToolUse').tool?.useId).toBe(decodeRecorded('09-PostToolUse').tool?.useId);
  });
  it('answers as in Claude Code', () => {
    const responseOf = (file: string) => decodeRecorded(file).portable.tool_response;
    expect(responseOf('09-PostToolUse')).toEqual({ stdout: 'hi', stderr: '', interrupted: false, isImage: false });
    expect(responseOf('17-PostToolUse')).toMatchObject({
      filePath: '$REPO/a.txt',
      originalFile: 'one\n',
      structuredPatch: [{ lines: ['-one', '+two'] }],
    });
    expect(responseOf('21-PostToolUse')).toMatchObject({ type: 'text', file: { filePath: '$REPO/a.txt', content: 'two\n', numLines: 2 } });
    expect(responseOf('45-PostToolUse')).toEqual([{ type: 'text', text: 'echo: hello' }]);
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const name of ['surprise', 'constructor', '__proto__'])
      expect(qwen.decode({ ...documented('PreToolUse'), tool_name: name }, context('PreToolUse')).tool).toMatchObject({
        kind: 'other',
        name,
      });
  });
});
