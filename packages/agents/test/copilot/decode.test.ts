import { type JsonObject, portablePayload } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { copilot } from '../../src/copilot/index.ts';
import { recorded, recordedAs, sampleOf } from './fixtures.ts';

const decode = (file: string) => {
  const { payload, context } = recordedAs(file);
  return copilot.decode(payload, context);
};
const decoded = (nativeEvent: string, payload: JsonObject) => copilot.decode(payload, { nativeEvent, cwd: '/heard', variables: {} });
const called = (toolName: string, toolArgs: unknown) => decoded('preToolUse', { ...sampleOf('preToolUse'), toolName, toolArgs });

describe('what happened', () => {
  it.each([
    ['session/01-sessionStart', { event: 'session_start', source: 'startup' }],
    ['session/02-userPromptSubmitted', { event: 'user_prompt_submit', prompt: 'Do the scripted work.' }],
    ['session/18-postToolUseFailure', { event: 'post_tool_use_failure', text: 'Path does not exist' }],
    ['session/34-subagentStop', { event: 'subagent_stop', text: 'sub done' }],
    ['session-pascal/34-SubagentStop', { event: 'subagent_stop', text: 'sub done' }],
    ['session/36-agentStop', { event: 'stop', transcriptPath: expect.stringMatching(/session-state.*events\.jsonl$/) }],
    ['session/37-sessionEnd', { event: 'session_end', source: 'other' }],
    ['compact/07-preCompact', { event: 'pre_compact', source: 'auto' }],
    ['error/04-errorOccurred', { event: 'other' }],
  ])('is picked out of %s', (file, facts) => expect(decode(file)).toMatchObject(facts));

  it('is a failed turn if an error cannot be tried again', () => {
    const error = { ...sampleOf('errorOccurred'), recoverable: false };
    expect(decoded('errorOccurred', error)).toMatchObject({
      event: 'stop_failure',
      source: 'invalid_request',
      text: expect.stringContaining('boom'),
    });
  });
  it('takes a notification for one, in whichever spelling it names itself', () => {
    for (const name of ['notification', 'Notification'])
      expect(decoded(name, sampleOf(name))).toMatchObject({
        event: 'notification',
        nativeEvent: name,
        source: 'permission_prompt',
        text: expect.any(String),
      });
  });
  it('takes the word of the payload over that of the registration, and says so', () => {
    const { payload } = recordedAs('session-pascal/05-PostToolUse');
    const event = decoded('PreToolUse', payload as JsonObject);
    expect(event).toMatchObject({ event: 'post_tool_use', nativeEvent: 'PostToolUse', problems: [expect.stringContaining('PreToolUse')] });
  });

  it('decodes both dialects to the same event', () => {
    const of = (directory: string) =>
      recorded
        .filter(({ name }) => name.startsWith(`1.0.102/${directory}/`))
        .map(({ payload, context }) => {
          const { event, names, tool, prompt, source, text } = copilot.decode(payload, context);
          const { tool_response } = copilot.decode(payload, context).portable;
          const { nativeName: _, ...rest } = tool ?? {};
          return JSON.stringify({ event, names, tool: rest, prompt, source, text, tool_response });
        })
        .sort();
    expect(of('session-pascal')).toEqual(of('session'));
    expect(of('session')).toHaveLength(37);
  });
});

describe('a subagent', () => {
  const MAIN = '948e1bb3-0e79-41bb-8b95-4ab752fdaef0';
  const CHILD = 'ba18ae6f-d187-48fa-b857-e3963005b0dc';

  it('takes the task and the end of a subagent for neither prompt nor stop', () => {
    for (const file of ['session/29-userPromptSubmitted', 'session/33-agentStop'])
      expect(decode(file)).toMatchObject({ event: 'other', names: ['other'], sessionId: MAIN, agentId: CHILD });
    expect(decode('session/36-agentStop')).not.toHaveProperty('agentId');
  });
  it('works for the session that started it, under its own id', () => {
    for (const file of ['28-subagentStart', '30-preToolUse', '31-permissionRequest', '32-postToolUse', '34-subagentStop'])
      expect(decode(`session/${file}`)).toMatchObject({ sessionId: MAIN, agentId: CHILD });
  });
  it('of a subagent is found by the path of the transcript', () => {
    const root = decode('nested/01-sessionStart').sessionId;
    for (const file of ['05-subagentStart', '09-subagentStart', '13-subagentStop', '16-subagentStop'])
      expect(decode(`nested/${file}`).sessionId).toBe(root);
  });
});

describe('the tool', () => {
  it.each([
    ['session/03-preToolUse', { name: 'Bash', kind: 'shell', command: 'echo hi > shell-ran.txt; echo hi' }],
    [
      'session/06-preToolUse',
      { name: 'Write', kind: 'edit', files: ['$REPO/a.txt'], input: { file_path: '$REPO/a.txt', content: 'one\n' } },
    ],
    ['session/09-preToolUse', { name: 'Edit', input: { file_path: '$REPO/a.txt', old_string: 'one', new_string: 'two' } }],
    ['session/12-preToolUse', { name: 'Read', kind: 'read', files: ['$REPO/a.txt'] }],
    ['mcp/12-preToolUse', { name: 'Read', input: { file_path: '$REPO/README.md', offset: 1, limit: 1 } }],
    ['session/21-preToolUse', { name: 'mcp__mock__echo', kind: 'mcp', input: { text: 'hello' } }],
    ['session/24-permissionRequest', { name: 'mcp__mock__echo', kind: 'mcp' }],
    [
      'session/07-permissionRequest',
      { name: 'Write', kind: 'edit', files: ['$REPO/a.txt'], input: expect.objectContaining({ content: 'one\n' }) },
    ],
    ['session/10-permissionRequest', { name: 'Edit', input: expect.objectContaining({ old_string: 'one\n\n', new_string: 'two\n\n' }) }],
    ['session/27-preToolUse', { name: 'Agent', kind: 'subagent', input: expect.objectContaining({ subagent_type: 'task' }) }],
    ['mcp/08-preToolUse', { name: 'Grep', kind: 'other' }],
  ])('of %s is told in portable words', (file, tool) => expect(decode(file).tool).toMatchObject(tool));

  it('fires the names of its kind', () => {
    expect(decode('session/03-preToolUse').names).toEqual(['pre_tool_use', 'pre_shell_execution']);
    expect(decode('session/08-postToolUse').names).toEqual(['post_tool_use', 'post_file_edit']);
    expect(decode('session/20-postToolUse').names).toEqual(['post_tool_use', 'todo_update']);
    expect(decode('session/25-postToolUseFailure').names).toEqual(['post_tool_use_failure', 'post_mcp_execution']);
  });
  it('has failed if the command did', () => {
    expect(decode('session/16-postToolUse')).toMatchObject({
      event: 'post_tool_use_failure',
      names: ['post_tool_use_failure', 'post_shell_execution'],
      text: 'Exit code 3\noops',
      portable: { error: 'Exit code 3\noops' },
    });
    expect(decode('session/05-postToolUse').event).toBe('post_tool_use');
  });
  it('has not failed because its output speaks of another exit code', () => {
    const { payload } = recordedAs('session/05-postToolUse');
    const quoting = 'see <shellId: 9 completed with exit code 3> above\n<shellId: 0 completed with exit code 0>';
    const toolResult = { resultType: 'success', textResultForLlm: quoting };
    expect(decoded('postToolUse', { ...(payload as JsonObject), toolResult }).event).toBe('post_tool_use');
  });
  it.each([
    ["INSERT INTO todos (id) VALUES ('a')", 'todo'],
    ["insert or replace into todos values ('a')", 'todo'],
    ["UPDATE todos SET status = 'done'", 'todo'],
    ['DELETE FROM "todos"', 'todo'],
    ['SELECT * FROM todos', 'other'],
    ["UPDATE notes SET text = 'todos'", 'other'],
    ['INSERT INTO todos_archive SELECT 1', 'other'],
  ])('sql with %s is of the kind %s', (query, kind) => expect(called('sql', { query }).tool?.kind).toBe(kind));
  it('divides the name of an MCP tool at the first dash, but for the built-in server', () => {
    expect(called('context7-resolve-library-id', {}).tool?.name).toBe('mcp__context7__resolve-library-id');
    expect(called('github-mcp-server-list_issues', {}).tool?.name).toBe('mcp__github-mcp-server__list_issues');
  });
  it('that nobody knows is of no kind, whatever it is called', () => {
    for (const name of ['surprise', 'constructor', '__proto__']) expect(called(name, {}).tool).toMatchObject({ kind: 'other', name });
  });
  it('of a patch is one call for each file', () => {
    for (const file of ['patch/04-preToolUse', 'patch-pascal/03-PreToolUse']) {
      const { tool, names } = decode(file);
      expect(names).toEqual(['pre_tool_use', 'pre_file_edit']);
      expect(tool).toMatchObject({
        name: 'Edit',
        files: ['new.txt', 'README.md'],
        calls: [
          { file: 'new.txt', name: 'Write', input: { file_path: '$REPO/new.txt', content: 'one\ntwo\n' } },
          { file: 'README.md', name: 'Edit', input: { file_path: '$REPO/README.md', old_string: '# demo', new_string: '# changed' } },
        ],
      });
    }
  });
  it('of a patch on one file is that call', () => {
    const patch = '*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n';
    const { tool } = called('apply_patch', patch);
    expect(tool).toMatchObject({ name: 'Edit', files: ['old.txt'], input: { file_path: '$REPO/old.txt', deleted: true } });
    expect(tool).not.toHaveProperty('calls');
    expect(called('apply_patch', 'no patch').problems).toEqual([expect.stringContaining('patch')]);
  });
});

describe('what a hook reads', () => {
  const read = (file: string) =>
    portablePayload(decode(file), 'pre_tool_use', { eventId: 'e', repo: null, branch: null, transcriptFormat: null });
  it('is in the words of Claude Code', () => {
    expect(read('session/09-preToolUse')).toMatchObject({
      hook_event_name: 'PreToolUse',
      session_id: '948e1bb3-0e79-41bb-8b95-4ab752fdaef0',
      cwd: '$REPO',
      tool_name: 'Edit',
      tool_input: { file_path: '$REPO/a.txt', old_string: 'one', new_string: 'two' },
      piton: { agent: 'copilot', native: recordedAs('session/09-preToolUse').payload },
    });
    expect(read('session/36-agentStop')).toMatchObject({ hook_event_name: 'Stop', stop_hook_active: false });
  });
  it.each([
    ['session/05-postToolUse', { stdout: 'hi\n', stderr: '', interrupted: false, isImage: false }],
    [
      'session/08-postToolUse',
      { type: 'create', filePath: '$REPO/a.txt', content: 'one\n', structuredPatch: [], originalFile: null, userModified: false },
    ],
    [
      'session/13-postToolUse',
      { type: 'text', file: { filePath: '$REPO/a.txt', content: 'two\n', numLines: 2, startLine: 1, totalLines: 2 } },
    ],
    ['session/26-postToolUse', [{ type: 'text', text: 'echo: hello' }]],
    [
      'session/35-postToolUse',
      { status: 'completed', prompt: 'SUBTASK: list files', agentType: 'task', content: [{ type: 'text', text: 'sub done' }] },
    ],
  ])('of the result of %s is in the shape of Claude Code', (file, response) => expect(read(file).tool_response).toEqual(response));
});

describe('payloads that came through another registration', () => {
  it('claims the payloads of its other dialect, and of nobody else', () => {
    for (const { payload, context, name } of recorded) expect([name, copilot.claims?.(payload, context)]).toEqual([name, true]);
    const context = { nativeEvent: 'PreToolUse', cwd: '/', variables: {} };
    const { timestamp, ...timeless } = recordedAs('session-pascal/03-PreToolUse').payload as JsonObject;
    expect(timestamp).toBeTypeOf('string');
    const strangers: readonly unknown[] = [
      null,
      [],
      {},
      timeless,
      { ...timeless, timestamp, tool_use_id: 'call_1' },
      { ...timeless, timestamp, transcript_path: '/home/dev/.elsewhere/chats/1.jsonl' },
      { ...timeless, timestamp: 1 },
      { sessionId: 's', cwd: '/' },
    ];
    for (const payload of strangers) expect(copilot.claims?.(payload, context)).toBe(false);
  });
});
