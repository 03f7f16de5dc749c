import { portablePayload } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { codex } from '../../src/codex/index.ts';
import { documented, documentedNames, recordedAs } from './fixtures.ts';

const decode = (name: string) =>
  codex.decode(documented(name), { nativeEvent: name.split('.')[0] ?? '', cwd: '/elsewhere', variables: {} });
const decodeRecorded = (file: string) => {
  const { payload, context } = recordedAs(file);
  return codex.decode(payload, context);
};
const decodeCall = (tool_name: string, tool_input: unknown) =>
  codex.decode({ ...documented('PreToolUse'), tool_name, tool_input }, { nativeEvent: 'PreToolUse', cwd: '/', variables: {} });

describe('what happened', () => {
  it('knows all 14 native events, each once, with a documented payload', () => {
    const names = codex.events.map((event) => event.name);
    expect(names).toHaveLength(14);
    expect(new Set(names)).toEqual(new Set(documentedNames.map((name) => name.split('.')[0])));
  });
  it.each(documentedNames)('decodes the documented %s without a problem', (name) => {
    const event = decode(name);
    expect(event.problems).toBeUndefined();
    expect(event).toMatchObject({ sessionId: '019f2c7a-4f0b-7b3e-9a51-6c7d0f1e2a3b', cwd: '/home/dev/project' });
  });
  it.each([
    ['SessionStart', { event: 'session_start', source: 'startup', model: 'gpt-5.3-codex' }],
    ['SessionEnd', { event: 'session_end', source: 'other' }],
    ['UserPromptSubmit', { event: 'user_prompt_submit', prompt: 'Add input validation to the login form' }],
    ['SubagentStop', { event: 'subagent_stop', text: 'Found 3 callers.', agentId: '019f2c7b-0000-7000-8000-00000000a1b2' }],
    ['Stop', { event: 'stop', text: 'Validation added.' }],
    ['PreCompact', { event: 'pre_compact', source: 'auto' }],
    ['PermissionRequest', { event: 'permission_request', tool: { command: 'npm publish' } }],
    ['Interrupt', { event: 'other', nativeEvent: 'Interrupt' }],
    ['PreToolUse.in-subagent', { event: 'pre_tool_use', agentId: '019f2c7b-0000-7000-8000-00000000a1b2' }],
  ])('picks the facts out of %s', (name, facts) => expect(decode(name)).toMatchObject(facts));
});

describe('the tool', () => {
  it.each([
    ['PreToolUse', { name: 'Bash', kind: 'shell', command: 'npm test', files: [], useId: 'call_8Q2vXf' }],
    ['PreToolUse.mcp', { name: 'mcp__github__search_repositories', kind: 'mcp', input: { query: 'hook runtime' } }],
    ['PreToolUse.agent', { name: 'Agent', kind: 'subagent', input: { prompt: 'Find every caller of isValid', subagent_type: 'explorer' } }],
    ['PreToolUse.read', { name: 'Read', kind: 'read', files: ['/home/dev/project/docs/flow.png'] }],
    ['PreToolUse.todo', { name: 'TodoWrite', kind: 'todo', input: { todos: [{ content: 'Write validator', status: 'in_progress' }] } }],
  ])('of %s has its portable name, kind and input', (name, tool) => expect(decode(name).tool).toMatchObject(tool));

  it('fires the names of its kind', () => {
    expect(decode('PreToolUse').names).toEqual(['pre_tool_use', 'pre_shell_execution']);
    expect(decode('PostToolUse.edit').names).toEqual(['post_tool_use', 'post_file_edit']);
    expect(decode('PreToolUse.edit').names).toEqual(['pre_tool_use', 'pre_file_edit']);
    expect(decodeRecorded('session/15-PostToolUse').names).toEqual(['post_tool_use', 'todo_update']);
    expect(decodeRecorded('session/17-PostToolUse').names).toEqual(['post_tool_use', 'post_mcp_execution']);
  });
  it('is told by its bare name', () => {
    expect(decodeRecorded('session/22-PreToolUse').tool).toMatchObject({
      name: 'wait_agent',
      nativeName: 'multi_agent_v1wait_agent',
      kind: 'other',
    });
    expect(decodeCall('multi_agent_v2spawn_agent', { message: 'x' }).tool).toMatchObject({ name: 'Agent', kind: 'subagent' });
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const name of ['surprise', 'constructor', '__proto__']) expect(decodeCall(name, {}).tool).toMatchObject({ kind: 'other', name });
  });
  it('reaches a hook in portable words, the native payload beside them', () => {
    const { piton, ...rest } = portablePayload(decode('PreToolUse.todo'), 'pre_tool_use', {
      eventId: 'e',
      repo: null,
      branch: null,
      transcriptFormat: null,
    });
    expect(rest).toMatchObject({
      tool_name: 'TodoWrite',
      tool_input: { todos: [{ content: 'Write validator' }] },
      hook_event_name: 'PreToolUse',
    });
    expect(piton.native).toEqual(documented('PreToolUse.todo'));
  });
});

describe('a patch', () => {
  const patch = (...lines: readonly string[]) =>
    decodeCall('apply_patch', { command: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') }).tool;

  it('of one new file is a Write', () => {
    expect(patch('*** Add File: src/new.ts', '+one', '+', '+two')).toMatchObject({
      name: 'Write',
      kind: 'edit',
      files: ['src/new.ts'],
      input: { file_path: '/home/dev/project/src/new.ts', content: 'one\n\ntwo\n' },
    });
  });
  it('of one file is an Edit, with what is around the change', () => {
    expect(patch('*** Update File: /abs/a.ts', '@@ function x', ' before', '-old', '+new', ' after')).toMatchObject({
      name: 'Edit',
      files: ['/abs/a.ts'],
      input: { file_path: '/abs/a.ts', old_string: 'before\nold\nafter', new_string: 'before\nnew\nafter' },
    });
  });
  it('in several places shows all of them', () => {
    expect(patch('*** Update File: a', '@@', '-1', '+one', '@@', '-2', '+two', '*** End of File')?.input).toEqual({
      file_path: '/home/dev/project/a',
      old_string: '1\n2',
      new_string: 'one\ntwo',
      edits: [
        { old_string: '1', new_string: 'one' },
        { old_string: '2', new_string: 'two' },
      ],
    });
  });
  it('of several files is a call on each, as the real one was told', () => {
    const { tool } = decodeRecorded('patches/05-PreToolUse');
    expect(tool).toMatchObject({ name: 'Edit', files: ['a.txt', 'b.txt', 'c.txt', 'README.md'] });
    expect(tool?.calls).toEqual([
      {
        file: 'a.txt',
        name: 'Edit',
        input: { file_path: '$REPO/a.txt', old_string: 'one\ntwo', new_string: 'uno\ntwo', moved_to: '$REPO/b.txt' },
      },
      {
        file: 'b.txt',
        name: 'Edit',
        input: { file_path: '$REPO/b.txt', old_string: 'one\ntwo', new_string: 'uno\ntwo', moved_from: '$REPO/a.txt' },
      },
      { file: 'c.txt', name: 'Write', input: { file_path: '$REPO/c.txt', content: 'c\n' } },
      { file: 'README.md', name: 'Edit', input: { file_path: '$REPO/README.md', deleted: true } },
    ]);
  });
  it('that names one file twice is one call', () => {
    const tool = patch('*** Update File: a', '@@', '-1', '+2', '*** Update File: a', '@@', '-3', '+4');
    expect(tool).toMatchObject({ files: ['a'], input: { old_string: '1\n3', new_string: '2\n4' } });
  });
  it('hides no file behind an indented header, and takes no line of a file for one', () => {
    expect(patch('*** Add File: a', '+x', '   *** Delete File: hidden')?.files).toEqual(['a', 'hidden']);
    expect(patch('*** Update File: a', '@@', ' *** Delete File: text', '-x', '+y')?.files).toEqual(['a']);
  });
  it('that makes no sense is reported', () => {
    const event = decodeCall('apply_patch', { command: 'rm -rf' });
    expect(event.tool).toMatchObject({ kind: 'edit', name: 'Edit', files: [] });
    expect(event.problems).toEqual(['the patch names no file']);
  });
  it('finds the files of a patch that goes through the shell', () => {
    const command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: secret.env\n*** End Patch\nEOF";
    expect(decodeCall('Bash', { command }).tool).toMatchObject({ kind: 'shell', command, files: ['secret.env'] });
  });
});
