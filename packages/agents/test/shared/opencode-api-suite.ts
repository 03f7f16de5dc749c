import type { Agent, CanonicalEvent, JsonObject, Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import type { pluginFixtures } from './plugin-fixtures.ts';

type Fixtures = ReturnType<typeof pluginFixtures>;

/** What holds for OpenCode and Kilo alike. */
export function opencodeApiSuite(agent: Agent, { documented, text }: Fixtures): void {
  const decode = (name: string, sample: JsonObject = documented(name)): CanonicalEvent =>
    agent.decode(sample, { nativeEvent: name.replace(/\.(mcp|read|write|edit|todo|agent)$/, ''), cwd: '/w', variables: {} });
  const answerTo = (event: CanonicalEvent, decision: Partial<Reduced>) => {
    const { answer, delivered } = agent.encode(event, { decision: 'observe', verdict: 'observe', ...decision }, { attended: true });
    return { said: answer.stdout === '' ? {} : JSON.parse(answer.stdout), delivered };
  };

  describe('what a hook reads', () => {
    it('is portable: names and fields of tools are Claude Code’s', () => {
      expect(decode('tool.execute.before').portable).toMatchObject({ tool_name: 'Bash', tool_input: { command: expect.any(String) } });
      expect(decode('tool.execute.before.write').portable).toMatchObject({
        tool_name: 'Write',
        tool_input: { file_path: expect.stringMatching(/^\//), content: expect.any(String) },
      });
      expect(decode('tool.execute.before.edit')).toMatchObject({
        names: ['pre_tool_use', 'pre_file_edit'],
        tool: { name: 'Edit', input: { old_string: expect.any(String), new_string: expect.any(String) }, files: [expect.any(String)] },
      });
      expect(decode('tool.execute.after.todo').names).toContain('todo_update');
      expect(decode('tool.execute.after').portable.tool_response).toMatchObject({ stdout: expect.any(String), interrupted: false });
    });
    it('names MCP tools by their server', () => {
      const sample = documented('tool.execute.before.mcp');
      expect(decode('tool.execute.before', sample).tool).toMatchObject({ kind: 'mcp', name: 'mcp__mock__echo' });
      const named = { ...sample, input: { tool: 'my_server_echo', sessionID: 's', callID: 'c' }, mcpServer: 'my_server' };
      expect(decode('tool.execute.before', named).tool).toMatchObject({ kind: 'mcp', name: 'mcp__my_server__echo' });
      const own = { ...sample, input: { tool: 'plan_exit', sessionID: 's', callID: 'c' } };
      expect(decode('tool.execute.before', own).tool?.kind).toBe('other');
    });
    it('takes a failed tool from the event bus', () => {
      expect(decode('message.part.updated')).toMatchObject({
        event: 'post_tool_use_failure',
        tool: { name: 'Read' },
        text: expect.stringContaining('not found'),
        portable: { error: expect.stringContaining('not found') },
      });
    });
    it('takes an exit code for a failure', () => {
      const done = (metadata: JsonObject) =>
        decode('tool.execute.after', {
          input: { tool: 'bash', sessionID: 's', callID: 'c', args: { command: 'x' } },
          output: { output: 'oops', metadata },
        });
      expect(done({ exit: 0 }).names).toEqual(['post_tool_use', 'post_shell_execution']);
      expect(done({ exit: 3 })).toMatchObject({ event: 'post_tool_use_failure', portable: { error: 'Exit code 3\noops' } });
      expect(done({ exit: null }).event).toBe('post_tool_use_failure'); // it was stopped
      expect(done({}).event).toBe('post_tool_use');
      const mcp = { input: { tool: 'a_b', sessionID: 's' }, output: { content: [{ type: 'text', text: 'no' }], isError: true } };
      expect(decode('tool.execute.after', mcp)).toMatchObject({ event: 'post_tool_use_failure', text: 'no' });
    });
    it('counts what a subagent does for the session of the person', () => {
      const child = decode('session.created.child');
      const { info } = (child.raw as { input: { event: { properties: { info: { id: string; parentID: string } } } } }).input.event
        .properties;
      expect(child).toMatchObject({ event: 'subagent_start', sessionId: info.parentID, agentId: info.id });
      const call = { ...documented('tool.execute.before'), rootID: 'ses_root' };
      expect(decode('tool.execute.before', call)).toMatchObject({ sessionId: 'ses_root', agentId: expect.stringMatching(/^ses_/) });
      expect(decode('session.idle.child').event).toBe('subagent_stop');
    });
    it('leaves out of a prompt what others added for the model', () => {
      const parts = [{ type: 'text', text: 'mine' }, { type: 'text', text: 'not mine', synthetic: true }, { type: 'file' }];
      expect(decode('chat.message', { input: { sessionID: 's' }, output: { message: {}, parts } }).prompt).toBe('mine');
    });
    it('sees each file of a patch', () => {
      const patchText =
        '*** Begin Patch\n*** Add File: /w/a\n+one\n*** Update File: /w/b\n@@\n-x\n+y\n*** Delete File: /w/c\n*** End Patch';
      const call = { input: { tool: 'apply_patch', sessionID: 's', callID: 'c' }, output: { args: { patchText } } };
      expect(decode('tool.execute.before', call).tool).toMatchObject({
        kind: 'edit',
        files: ['/w/a', '/w/b', '/w/c'],
        calls: [
          { name: 'Write', input: { file_path: '/w/a', content: 'one' } },
          { name: 'Edit', input: { file_path: '/w/b' } },
          { name: 'Edit', input: { file_path: '/w/c' } },
        ],
      });
    });
  });

  describe('what it answers', () => {
    it('denies by a reason and by nothing else', () => {
      const event = decode('tool.execute.before');
      expect(answerTo(event, { verdict: 'deny', reason: 'no' }).said).toEqual({ deny: 'no' });
      expect(answerTo(event, { verdict: 'allow', reason: 'yes' })).toMatchObject({ said: {}, delivered: [{ how: 'none' }] });
      expect(answerTo(event, { verdict: 'deny', reason: 'no', endRun: true }).delivered[0]?.note).toContain('ended');
    });
    it('turns a question into a deny, since nobody can be asked', () => {
      const { said, delivered } = answerTo(decode('tool.execute.before'), { verdict: 'ask', reason: 'may I?' });
      expect(said.deny).toContain('may I?');
      expect(delivered).toMatchObject([{ decision: 'ask', how: 'degraded' }]);
    });
    it('turns a changed input back into its own names', () => {
      const input = { file_path: '/w/a', old_string: 'a', new_string: 'b', replace_all: true };
      expect(answerTo(decode('tool.execute.before.edit'), { input }).said).toEqual({
        input: { filePath: '/w/a', oldString: 'a', newString: 'b', replaceAll: true },
      });
      const patch = { input: { tool: 'apply_patch', sessionID: 's' }, output: { args: { patchText: '*** Update File: a' } } };
      expect(answerTo(decode('tool.execute.before', patch), { input }).delivered).toMatchObject([{ decision: 'modify', how: 'none' }]);
    });
    it('answers a failed command at once, and keeps the context of another failure for later', () => {
      const failed = { input: { tool: 'bash', sessionID: 's' }, output: { output: '', metadata: { exit: 1 } } };
      expect(answerTo(decode('tool.execute.after', failed), { content: 'look' }).said).toEqual({ context: 'look' });
      expect(answerTo(decode('message.part.updated'), { content: 'look' })).toMatchObject({ said: {}, delivered: [{ how: 'deferred' }] });
    });
    it('never loses a part without a word', () => {
      const everything: Partial<Reduced> = { verdict: 'deny', reason: 'r', input: {}, output: '', content: 'context', continue: 'more' };
      for (const { name } of agent.events) {
        const parts = answerTo(decode(name), everything).delivered.map((part) => part.decision);
        expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
      }
    });
  });

  describe('a transcript', () => {
    const session = text('transcripts/session.json');
    const entries = agent.transcript?.read(session).entries ?? [];
    it('is printed by the agent itself, from its database', () => {
      expect(agent.transcript?.print?.('a b')).toEqual([agent.id, 'export', 'a b']);
      expect(agent.transcript?.read(session).consumed).toBe(0);
    });
    it('tells who said what, which tools ran and which failed', () => {
      expect(entries.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []))).toEqual(['"Do the scripted work."']);
      expect(entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.text] : []))).toEqual(['Running a command.', 'Final answer.']);
      const tools = entries.flatMap((entry) => (entry.kind === 'tool-call' ? [entry.name] : []));
      expect(tools).toEqual(['bash', 'write', 'edit', 'read', 'bash', 'read', 'todowrite', 'mock_echo', 'task']);
      expect(entries.filter((entry) => entry.kind === 'tool-result' && entry.failed)).toHaveLength(1);
      expect(entries.filter((entry) => entry.kind === 'unknown')).toEqual([]);
    });
    it('counts the usage of each message', () => {
      const usage = entries.filter((entry) => entry.kind === 'usage');
      expect(usage).toHaveLength(10);
      expect(usage[0]).toMatchObject({ model: 'mock', input: 10, output: 5 });
    });
    it('survives what makes no sense', () => {
      for (const nonsense of [
        '',
        '{',
        'null',
        '[]',
        '{"messages":7}',
        '{"messages":[null,{},{"info":{"role":"assistant"},"parts":[7,{}]}]}',
      ])
        expect(agent.transcript?.read(nonsense).entries.every((entry) => entry.kind === 'unknown')).toBe(true);
    });
  });
}
