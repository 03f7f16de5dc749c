import type { JsonObject } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { vscode } from '../../src/vscode/index.ts';
import { documented, documentedNames } from './fixtures.ts';

const decoded = (nativeEvent: string, payload: unknown) => vscode.decode(payload, { nativeEvent, cwd: '/heard', variables: {} });
const decode = (name: string) => decoded(name.split('.')[0] ?? '', documented(name));
const called = (tool_name: string, tool_input: JsonObject) =>
  decoded('PreToolUse', { ...documented('PreToolUse'), tool_name, tool_input }).tool;

describe('what happened', () => {
  it('knows all 8 native events, each once, with a documented payload', () => {
    const names = vscode.events.map((event) => event.name);
    expect(names).toHaveLength(8);
    expect(new Set(names)).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each([
    ['SessionStart', { event: 'session_start', source: 'startup' }],
    ['UserPromptSubmit', { event: 'user_prompt_submit', prompt: 'fix the test' }],
    ['PostToolUse', { event: 'post_tool_use', names: ['post_tool_use', 'post_shell_execution'] }],
    ['SubagentStop', { event: 'subagent_stop', agentId: 'sub_1' }],
    ['Stop', { event: 'stop', portable: { stop_hook_active: false } }],
    ['PreCompact', { event: 'pre_compact', source: 'auto' }],
  ])('is picked out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));
  it('is the same where a file of Copilot CLI was run', () => {
    const event = decoded('preToolUse', documented('PreToolUse'));
    expect(event).toMatchObject({ event: 'pre_tool_use', nativeEvent: 'PreToolUse' });
    expect(event.problems).toBeUndefined();
    expect(decoded('agentStop', documented('Stop')).problems).toBeUndefined();
  });
});

describe('the tool', () => {
  it.each([
    ['PreToolUse', { name: 'Bash', kind: 'shell', command: 'npm test', input: { description: 'run tests', run_in_background: false } }],
    ['PreToolUse.write', { name: 'Write', kind: 'edit', files: ['/home/dev/project/a.txt'] }],
    ['PreToolUse.edit', { name: 'Edit', input: { file_path: '/home/dev/project/a.txt', old_string: 'one', new_string: 'two' } }],
    ['PreToolUse.read', { name: 'Read', kind: 'read', input: { file_path: '/home/dev/project/a.txt', offset: 1, limit: 20 } }],
    ['PreToolUse.mcp', { name: 'mcp__docs__search', kind: 'mcp' }],
    ['PreToolUse.agent', { name: 'Agent', kind: 'subagent' }],
  ])('of %s is told in portable words', (name, tool) => expect(decode(name).tool).toMatchObject(tool));
  it('that edits one file, in words of its own, is a call on that file', () => {
    const patch = '*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch\n';
    expect(called('apply_patch', { input: patch })).toMatchObject({
      name: 'Write',
      files: ['new.txt'],
      input: { file_path: expect.stringContaining('new.txt') },
    });
    expect(called('apply_patch', { input: patch })).not.toHaveProperty('calls');
    const replacements = [{ filePath: '/a', oldString: 'x', newString: 'y' }];
    expect(called('multi_replace_string_in_file', { replacements })).toMatchObject({
      name: 'Edit',
      files: ['/a'],
      input: { file_path: '/a' },
    });
  });
  it('that edits several files is one call for each', () => {
    const patch = '*** Begin Patch\n*** Add File: new.txt\n+one\n*** Delete File: old.txt\n*** End Patch\n';
    expect(called('apply_patch', { input: patch })).toMatchObject({ kind: 'edit', files: ['new.txt', 'old.txt'], calls: [{}, {}] });
    const replacements = [
      { filePath: '/a', oldString: 'x', newString: 'y' },
      { filePath: '/b', oldString: 'x', newString: 'y' },
    ];
    expect(called('multi_replace_string_in_file', { replacements })).toMatchObject({
      files: ['/a', '/b'],
      calls: [{ name: 'Edit', input: { file_path: '/a', old_string: 'x', new_string: 'y' } }, { file: '/b' }],
    });
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const name of ['surprise', 'constructor', '__proto__']) expect(called(name, {})).toMatchObject({ kind: 'other', name });
  });
  it('has the output that hooks know from Claude Code', () => {
    expect(decode('PostToolUse').portable.tool_response).toEqual({ stdout: 'ok', stderr: '', interrupted: false, isImage: false });
  });
});

describe('payloads that came through another registration', () => {
  it('claims what has the shape of VS Code, and nothing else', () => {
    const context = { nativeEvent: 'PreToolUse', cwd: '/', variables: {} };
    for (const name of documentedNames) expect([name, vscode.claims?.(documented(name), context)]).toEqual([name, true]);
    const { transcript_path: _, ...untold } = documented('PreToolUse');
    expect(vscode.claims?.(untold, context)).toBe(true);
    const strangers: readonly unknown[] = [
      null,
      {},
      { ...documented('PreToolUse'), timestamp: undefined },
      { ...documented('PreToolUse'), transcript_path: '/home/dev/.elsewhere/chats/1.jsonl' },
      { ...untold, tool_use_id: undefined },
    ];
    for (const payload of strangers) expect(vscode.claims?.(payload, context)).toBe(false);
  });
});
