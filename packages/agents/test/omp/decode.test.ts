import type { CanonicalEvent, JsonObject, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { agentFor } from '../../src/index.ts';
import { omp } from '../../src/omp/index.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';

const { documented, recorded, text } = pluginFixtures('omp');
const decode = (name: string, more: JsonObject = {}): CanonicalEvent =>
  omp.decode(
    { ...documented(name), ...more },
    { nativeEvent: name.replace(/\.(mcp|read|write|edit|todo|agent|patch)$/, ''), cwd: '/w', variables: {} },
  );
const call = (toolName: string, input: JsonObject) => decode('tool_call', { toolName, input }).tool;

describe('what a hook reads', () => {
  it.each([
    ['tool_call', { name: 'Bash', kind: 'shell', command: 'echo hi | tee shell-ran.txt' }],
    ['tool_call.write', { name: 'Write', kind: 'edit', files: ['a.txt'], input: { file_path: 'a.txt', content: 'one\n' } }],
    ['tool_call.edit', { name: 'Edit', kind: 'edit', files: ['a.txt'], input: { old_string: 'one', new_string: 'two' } }],
    ['tool_call.read', { name: 'Read', kind: 'read', files: ['a.txt'], input: { file_path: 'a.txt', selector: ':1-2' } }],
    ['tool_call.mcp', { name: 'mcp__mock__echo', kind: 'mcp', input: { text: 'hello' } }],
    ['tool_call.agent', { name: 'Agent', kind: 'subagent', input: { prompt: 'SUBTASK: look', subagent_type: 'task' } }],
    [
      'tool_call.todo',
      {
        name: 'TodoWrite',
        kind: 'todo',
        input: {
          todos: [
            { content: 'first', status: 'pending' },
            { content: 'second', status: 'pending' },
          ],
        },
      },
    ],
  ])('of %s is the call in the words of Claude Code', (name, tool) => expect(decode(name).tool).toMatchObject(tool));

  it('of a result has neither the time that a command took nor numbers before lines', () => {
    expect(decode('tool_result').portable.tool_response).toMatchObject({ stdout: 'hi' });
    expect(decode('tool_result.read').portable.tool_response).toMatchObject({ file: { content: 'two' } });
    expect(decode('tool_result.edit').portable.tool_response).toMatchObject({ originalFile: 'one\n' });
    expect(decode('tool_result.mcp').portable.tool_response).toEqual([{ type: 'text', text: 'echo: hello' }]);
    expect(decode('tool_result.todo').portable.tool_response).toMatchObject({
      newTodos: [
        { content: 'first', status: 'in_progress' },
        { content: 'second', status: 'pending' },
      ],
    });
  });
  it('of a failed command begins with its exit code', () =>
    expect(decode('tool_result.error')).toMatchObject({ event: 'post_tool_use_failure', text: 'Exit code 3\noops' }));
  it('of the ends of a turn tells them apart', () => {
    expect(decode('session_stop')).toMatchObject({ event: 'stop', portable: { last_assistant_message: 'Final answer.' } });
    expect(decode('session_stop.error')).toMatchObject({ event: 'stop_failure', portable: { error: expect.any(String) } });
  });
  it('gives the events of a subagent to the session of the person', () => {
    const main = decode('session_start').sessionId;
    for (const name of ['session_start.child', 'agent_end.child'])
      expect(decode(name)).toMatchObject({ sessionId: main, agentId: expect.any(String), portable: { agent_id: expect.any(String) } });
    expect(decode('session_start.child').agentId).not.toBe(main);
    expect(decode('tool_result.agent').agentId).toBeUndefined();
  });
  it('is known as that of oh-my-pi', () => {
    for (const { payload, context } of recorded) expect(agentFor('omp', payload, context)?.id).toBe('omp');
  });
});

describe('a path', () => {
  const WRITTEN: readonly (readonly [string, string])[] = [
    ['.env', '.env'],
    ['@/home/dev/.env', '/home/dev/.env'],
    ['@~/x', '~/x'],
    ['@scope/x', '@scope/x'],
    [':/home/dev/.env', '/home/dev/.env'],
    [':../x', '../x'],
    ['file:///home/dev/a%20b', '/home/dev/a b'],
    ['a\u00a0b', 'a b'],
    ['"a b"', 'a b'],
  ];
  it.each(WRITTEN)('names the file that a path means: %s', (path, file) => {
    for (const tool of ['write', 'edit', 'read']) expect(call(tool, { path })).toMatchObject({ files: [file], input: { file_path: file } });
  });
  it.each([':10', ':10-', ':10-20', ':10+5', ':-60', ':5-16,960-973', ':raw', ':raw:2-4', ':2-4:raw', ':conflicts', ':IMG'])(
    'names the file, whatever of it is read: %s',
    (selector) =>
      expect(call('read', { path: `.env${selector}` })).toMatchObject({ files: ['.env'], input: { file_path: '.env', selector } }),
  );
  it.each(['local://x', 'local:/x', 'ssh://host/x', 'https://example.org', 'xd://todo', 'www.example.org'])(
    'of no file is none: %s',
    (path) => {
      for (const tool of ['write', 'read']) expect(call(tool, { path })).toMatchObject({ kind: 'other', files: [] });
    },
  );
  it('keeps a colon that selects nothing', () => expect(call('read', { path: 'a:b' })?.files).toEqual(['a:b']));
});

describe('a patch', () => {
  it('asks for each file of a patch', () => {
    const tool = decode('tool_call.patch').tool;
    expect(tool?.files).toEqual(['a.txt', 'b.txt']);
    expect(tool?.calls).toMatchObject([
      { file: 'a.txt', name: 'Edit' },
      { file: 'b.txt', name: 'Edit' },
    ]);
  });
  it.each([
    ['where it moves a file', '[a.txt#0127]\nPUT 1.=1:\n+x\nMV secret/b.txt\n', ['a.txt', 'secret/b.txt']],
    [
      'in the grammar of apply_patch',
      '*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-x\n+y\n*** End Patch',
      ['a.txt', 'b.txt'],
    ],
    ['in the older form', '¶a.txt#0127\nPUT 1.=1:\n+x', ['a.txt']],
  ])('names its files %s', (_name, input, files) => expect(call('edit', { input })?.files).toEqual(files));
});

describe('a transcript', () => {
  const { read } = omp.transcript as TranscriptFormat;
  const session = text('transcripts/session.jsonl');
  it('tells who said what, which tools ran and which failed', () => {
    const { entries, consumed } = read(session);
    expect(consumed).toBe(session.length);
    expect(entries.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []))).toEqual(['Do the scripted work.']);
    expect(entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.text] : []))).toEqual(['Running a command.', 'Final answer.']);
    expect(entries.filter((entry) => entry.kind === 'tool-result' && entry.failed)).toHaveLength(2);
    expect(entries.filter((entry) => entry.kind === 'usage')[0]).toMatchObject({ model: 'mock', input: 10, output: 5 });
  });
});
