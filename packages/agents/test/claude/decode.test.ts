import { namesFor, portablePayload } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { claude } from '../../src/claude/index.ts';
import { documented, documentedNames, recordedAs } from './fixtures.ts';

const decode = (name: string) =>
  claude.decode(documented(name), { nativeEvent: name.split('.')[0] ?? '', cwd: '/elsewhere', variables: {} });
const decodeRecorded = (file: string) => {
  const { payload, context } = recordedAs(file);
  return claude.decode(payload, context);
};

describe('what happened', () => {
  it('knows all 33 native events, each once, with a documented payload', () => {
    const names = claude.events.map((event) => event.name);
    expect(names).toHaveLength(33);
    expect(new Set(names)).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each(documentedNames)('decodes the documented %s without a problem', (name) => {
    const event = decode(name);
    expect(event.problems).toBeUndefined();
    expect(event).toMatchObject({
      sessionId: '3f0c1b5e-7a0d-4c8f-9d3e-5b7c2e1a9f10',
      cwd: '/home/dev/project',
      portable: documented(name),
    });
  });
  it.each([
    ['SessionStart', { event: 'session_start', source: 'startup', model: 'claude-sonnet-5' }],
    ['SessionEnd', { event: 'session_end', source: 'prompt_input_exit' }],
    ['UserPromptSubmit', { event: 'user_prompt_submit', prompt: 'Add input validation to the login form' }],
    ['PostToolUseFailure', { event: 'post_tool_use_failure', text: 'Exit code 1\n2 failing' }],
    ['PermissionDenied', { event: 'permission_denied', text: 'Blocked by classifier' }],
    ['SubagentStop', { event: 'subagent_stop', text: 'Found 3 callers.', agentId: 'a4d2c8f1e0b3a297' }],
    ['Stop', { event: 'stop', text: 'Validation added.' }],
    ['StopFailure', { event: 'stop_failure', text: 'API Error: Rate limit reached', source: 'rate_limit' }],
    ['PreCompact', { event: 'pre_compact', source: 'manual' }],
    ['PostCompact', { event: 'post_compact', source: 'auto', text: 'Summary of the conversation so far' }],
    ['Notification', { event: 'notification', text: 'Claude needs your permission', source: 'permission_prompt' }],
    ['TaskCreated', { event: 'other', nativeEvent: 'TaskCreated' }],
    ['PreToolUse.in-subagent', { event: 'pre_tool_use', agentId: 'a4d2c8f1e0b3a297' }],
  ])('picks the facts out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));

  it('takes the word of the payload over that of the registration, and says so', () => {
    const event = claude.decode(documented('PostToolUse'), { nativeEvent: 'PreToolUse', cwd: '/', variables: {} });
    expect(event).toMatchObject({ event: 'post_tool_use', nativeEvent: 'PostToolUse', problems: [expect.stringContaining('PreToolUse')] });
  });
  it('falls back to where it was heard if the payload names no directory', () => {
    expect(claude.decode({ session_id: 's' }, { nativeEvent: 'Stop', cwd: '/heard', variables: {} }).cwd).toBe('/heard');
  });
  it('gives a hook the payload as it came', () => {
    const portable = portablePayload(decode('PreToolUse'), 'pre_shell_execution', {
      eventId: 'e',
      repo: null,
      branch: null,
      transcriptFormat: null,
    });
    const { piton, ...rest } = portable;
    expect(rest).toEqual(documented('PreToolUse'));
    expect(piton).toMatchObject({ event: 'pre_shell_execution', tool: { kind: 'shell', command: 'npm test' } });
  });
});

describe('the tool', () => {
  it.each([
    ['PreToolUse', { kind: 'shell', command: 'npm test', files: [], useId: 'toolu_01ABCDEFGHJKLMNPQRSTUVWX' }],
    ['PreToolUse.edit', { kind: 'edit', files: ['/home/dev/project/src/login.ts'] }],
    ['PreToolUse.write', { kind: 'edit', files: ['/home/dev/project/src/valid.ts'] }],
    ['PreToolUse.read', { kind: 'read', files: ['/home/dev/project/src/login.ts'] }],
    ['PreToolUse.mcp', { kind: 'mcp', name: 'mcp__github__search_repositories' }],
    ['PreToolUse.agent', { kind: 'subagent' }],
    ['PreToolUse.todo', { kind: 'todo' }],
    ['PreToolUse.web', { kind: 'web' }],
  ])('of %s has its kind', (name, tool) => expect(decode(name).tool).toMatchObject(tool));

  it('fires the names of its kind', () => {
    expect(decode('PreToolUse').names).toEqual(['pre_tool_use', 'pre_shell_execution']);
    expect(decode('PostToolUse.edit').names).toEqual(['post_tool_use', 'post_file_edit']);
    expect(decodeRecorded('session/30-PostToolUse').names).toEqual(['post_tool_use', 'todo_update']);
    expect(decode('PermissionRequest').names).toEqual(namesFor('permission_request', 'shell'));
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const name of ['Surprise', 'constructor', '__proto__']) {
      const event = claude.decode({ ...documented('PreToolUse'), tool_name: name }, { nativeEvent: 'PreToolUse', cwd: '/', variables: {} });
      expect(event.tool).toMatchObject({ kind: 'other', name });
    }
  });
  it('of a permission request has no id', () => expect(decodeRecorded('permission/05-PermissionRequest').tool).not.toHaveProperty('useId'));
  it('changes the list of tasks once: the events beside the tools stay other', () => {
    expect(decodeRecorded('session/24-TaskCreated').names).toEqual(['other']);
    expect(decodeRecorded('session/25-PostToolUse').names).toContain('todo_update');
  });
});

describe('somebody to ask', () => {
  it.each([
    [{ CLAUDE_CODE_SESSION_ATTENDED: '1' }, false, true],
    [{ CLAUDE_CODE_SESSION_ATTENDED: '0' }, true, false],
    [{ CLAUDE_CODE_SESSION_ATTENDED: 'perhaps' }, true, false],
    [{}, true, true],
    [{}, false, false],
  ])('with %j and a terminal: %j, is there: %j', (variables, terminal, there) =>
    expect(claude.attended(variables as Record<string, string>, terminal)).toBe(there),
  );
});
