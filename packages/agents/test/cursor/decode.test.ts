import { describe, expect, it } from 'vitest';
import { cursor } from '../../src/cursor/index.ts';
import { documented, documentedNames } from './fixtures.ts';

const decoded = (nativeEvent: string, payload: unknown) => cursor.decode(payload, { nativeEvent, cwd: '/home/dev/.cursor', variables: {} });
const decode = (name: string) => decoded(name.split('.')[0] ?? '', documented(name));

describe('what happened', () => {
  it('knows all 21 native events, each once, with a documented payload', () => {
    const names = cursor.events.map((event) => event.name);
    expect(names).toHaveLength(21);
    expect(new Set(names)).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each([
    ['sessionStart', { event: 'session_start', model: 'claude-4.5-sonnet' }],
    ['sessionEnd', { event: 'session_end', source: 'other' }],
    ['beforeSubmitPrompt', { event: 'user_prompt_submit', prompt: 'fix the test' }],
    ['postToolUse', { event: 'post_tool_use', names: ['post_tool_use', 'post_shell_execution'] }],
    ['postToolUseFailure', { event: 'post_tool_use_failure', text: 'denied by hook', portable: { error: 'denied by hook' } }],
    ['subagentStart', { event: 'subagent_start', agentId: 'sub_1', portable: { agent_id: 'sub_1', agent_type: 'explore' } }],
    ['subagentStop', { event: 'subagent_stop', agentId: 'sub_1', text: '3 files' }],
    ['stop', { event: 'stop', source: 'completed', portable: { stop_hook_active: false } }],
    ['preCompact', { event: 'pre_compact', source: 'auto' }],
    ['beforeShellExecution', { event: 'other', names: ['other'] }],
  ])('is picked out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));

  it('takes the first root of the workspace for the directory', () => {
    expect(decode('stop').cwd).toBe('/home/dev/project');
    expect(decoded('stop', { ...documented('stop'), workspace_roots: [] }).cwd).toBe('/home/dev/.cursor');
    expect(decoded('preToolUse', { ...documented('preToolUse'), cwd: '/elsewhere' }).cwd).toBe('/elsewhere');
  });
  it('is a failed turn if the agent stopped by an error', () => {
    expect(decoded('stop', { ...documented('stop'), status: 'error' }).event).toBe('stop_failure');
  });
  it('is a failed tool if the command ended with another code than 0', () => {
    const failed = { ...documented('postToolUse'), tool_output: '{"output":"2 failing","exitCode":1}' };
    expect(decoded('postToolUse', failed)).toMatchObject({ event: 'post_tool_use_failure', text: 'Exit code 1\n2 failing' });
  });
  it('has the names of Claude Code where its files were run', () => {
    const event = decoded('UserPromptSubmit', { ...documented('beforeSubmitPrompt'), hook_event_name: 'UserPromptSubmit' });
    expect(event).toMatchObject({ event: 'user_prompt_submit', nativeEvent: 'beforeSubmitPrompt' });
    expect(event.problems).toBeUndefined();
    expect(decoded('PreToolUse', documented('preToolUse'))).toMatchObject({ event: 'pre_tool_use', nativeEvent: 'preToolUse' });
  });
  it('takes the word of the payload over that of the registration, and says so', () => {
    expect(decoded('preToolUse', documented('postToolUse'))).toMatchObject({
      nativeEvent: 'postToolUse',
      problems: [expect.stringContaining('preToolUse')],
    });
  });
});

describe('the tool', () => {
  it.each([
    ['preToolUse', { name: 'Bash', kind: 'shell', command: 'npm test', useId: 'call_1' }],
    ['preToolUse.write', { name: 'Write', kind: 'edit', files: ['/home/dev/project/a.ts'] }],
    ['preToolUse.read', { name: 'Read', kind: 'read', files: ['/home/dev/project/a.ts'] }],
    ['preToolUse.agent', { name: 'Agent', kind: 'subagent' }],
    ['preToolUse.mcp', { name: 'mcp__unknown__search', kind: 'mcp', input: { query: 'x' } }],
  ])('of %s is told in portable words', (name, tool) => expect(decode(name).tool).toMatchObject(tool));
  it('that takes a file away is an edit', () => {
    const { tool } = decoded('preToolUse', { ...documented('preToolUse'), tool_name: 'Delete', tool_input: { file_path: '/a' } });
    expect(tool).toMatchObject({ name: 'Edit', kind: 'edit', files: ['/a'], input: { deleted: true } });
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const tool_name of ['Surprise', 'constructor', '__proto__'])
      expect(decoded('preToolUse', { ...documented('preToolUse'), tool_name }).tool).toMatchObject({ kind: 'other', name: tool_name });
  });
  it('has the output that hooks know from Claude Code', () => {
    expect(decode('postToolUse').portable.tool_response).toEqual({ stdout: 'ok', stderr: '', interrupted: false, isImage: false });
  });
});

describe('payloads that came through another registration', () => {
  it('claims what names a version of Cursor, and nothing else', () => {
    const context = { nativeEvent: 'PreToolUse', cwd: '/', variables: {} };
    for (const name of documentedNames) expect(cursor.claims?.(documented(name), context)).toBe(true);
    for (const payload of [null, [], {}, { session_id: 's', hook_event_name: 'PreToolUse' }, { cursor_version: 3 }])
      expect(cursor.claims?.(payload, context)).toBe(false);
  });
});
