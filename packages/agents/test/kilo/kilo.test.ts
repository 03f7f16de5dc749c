import { describe, expect, it } from 'vitest';
import { kilo } from '../../src/kilo/index.ts';
import { plugin } from '../../src/kilo/plugin.ts';
import type { PluginAnswer } from '../../src/shared/plugin-port.ts';
import { opencodeApiSuite } from '../shared/opencode-api-suite.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';

opencodeApiSuite(kilo, pluginFixtures('kilo'));

const none = async () => ({});
const host = { directory: '/w', client: { session: { get: none, message: none, promptAsync: none }, tui: { showToast: none } } };

/** A plugin whose Piton answers by the name of the event, and notes what it was sent. */
function start(answers: Record<string, PluginAnswer> = {}) {
  const sent: string[] = [];
  const port = {
    async send(name: string) {
      sent.push(name);
      return answers[name] ?? {};
    },
  };
  return { sent, port, hooks: plugin(host, port) };
}
let count = 0;
const call = () => ({ input: { tool: 'bash', sessionID: 's', callID: `c${++count}` }, output: { args: { command: 'ls' } } });
const happened = (type: string, properties: object) => ({ event: { id: `evt${++count}`, type, properties } });
const failure = (callID: string) => ({
  sessionID: 's',
  part: { type: 'tool', tool: 'bash', callID, state: { status: 'error', input: {} } },
});

describe('the plugin', () => {
  it('tells an event once though it was started twice', async () => {
    const { sent, port, hooks } = start();
    const again = plugin(host, port);
    const { input, output } = call();
    for (const one of [hooks, again]) await one['tool.execute.before'](input, output);
    const created = happened('session.created', { sessionID: 's1', info: { id: 's1' } });
    for (const one of [hooks, again]) one.event(created);
    expect(sent).toEqual(['tool.execute.before', 'session.created']);
  });
  it('does not tell the failure that our own deny is', async () => {
    const { sent, hooks } = start({ 'tool.execute.before': { deny: 'no' } });
    const { input, output } = call();
    await expect(hooks['tool.execute.before'](input, output)).rejects.toThrow('no');
    hooks.event(happened('message.part.updated', failure(input.callID)));
    hooks.event(happened('message.part.updated', failure('another')));
    expect(sent).toEqual(['tool.execute.before', 'message.part.updated']);
  });
  it('takes no prompt of a subagent for one of the person, and gives it the context of its start', async () => {
    const { sent, hooks } = start({ 'session.created.child': { context: 'for the subagent' } });
    hooks.event(happened('session.created', { sessionID: 's2', info: { id: 's2' } }));
    hooks.event(happened('session.created', { sessionID: 's3', info: { id: 's3', parentID: 's2' } }));
    const output = { message: { id: 'm' }, parts: [{ id: 'prt_1', type: 'text', text: 'list files' }] };
    await hooks['chat.message']({ sessionID: 's3' }, output);
    expect(sent).toEqual(['session.created', 'session.created.child']);
    expect(output.parts.at(-1)).toMatchObject({ text: 'for the subagent', synthetic: true, messageID: 'm', sessionID: 's3' });
  });
  it('meets a session from before at its first prompt', async () => {
    const { sent, hooks } = start();
    const prompt = () => ({ message: { id: 'm' }, parts: [{ type: 'text', text: 'hello' }] });
    await hooks['chat.message']({ sessionID: 's4' }, prompt());
    await hooks['chat.message']({ sessionID: 's4' }, prompt());
    expect(sent).toEqual(['session.resumed', 'chat.message', 'chat.message']);
  });
  it('puts the context of a call beside its result', async () => {
    const { hooks } = start({ 'tool.execute.before': { context: 'mind the gap' }, 'tool.execute.after': { output: 'new' } });
    const { input, output } = call();
    await hooks['tool.execute.before'](input, output);
    const result = { output: 'old', metadata: {} };
    await hooks['tool.execute.after'](input, result);
    expect(result.output).toBe('new\nmind the gap');
  });
  describe('before a compaction', () => {
    const compacted = async (info: object) => {
      const { port } = start({ 'experimental.session.compacting': { context: 'what was done' } });
      const message = async () => ({ data: { info } });
      const hooks = plugin({ ...host, client: { ...host.client, session: { ...host.client.session, message } } }, port);
      const session = `compacted ${++count}`;
      await hooks['experimental.session.compacting']({ sessionID: session }, { context: [] });
      const complete = async (text: string) => {
        const output = { text };
        await hooks['experimental.text.complete']({ sessionID: session, messageID: 'msg_1', partID: 'prt_1' }, output);
        return output.text;
      };
      const prompt = async () => {
        const output = { message: { id: 'm' }, parts: [{ id: 'prt_1', type: 'text', text: 'next' }] };
        await hooks['chat.message']({ sessionID: session }, output);
        return output.parts.map(({ text }) => text);
      };
      return { complete, prompt };
    };
    it('adds the context of a compaction to its summary, once, and to no other text', async () => {
      const { complete, prompt } = await compacted({ summary: true });
      expect(await complete('In short.')).toBe('In short.\n\nwhat was done');
      expect(await complete('An answer.')).toBe('An answer.');
      expect(await prompt()).toEqual(['next']);
    });
    it('gives it to the next prompt if no summary was written', async () => {
      const { complete, prompt } = await compacted({ role: 'assistant' });
      expect(await complete('An answer.')).toBe('An answer.');
      expect(await prompt()).toEqual(['next', 'what was done']);
      expect(await prompt()).toEqual(['next']);
    });
  });
  it('goes on once it is told to, and takes that prompt for none of the person', async () => {
    const prompts: object[] = [];
    const promptAsync = async (given: object) => prompts.push(given);
    const sent: string[] = [];
    const port = {
      async send(name: string) {
        sent.push(name);
        return name === 'session.idle' ? { continue: 'go on' } : {};
      },
    };
    const hooks = plugin({ ...host, client: { ...host.client, session: { ...host.client.session, promptAsync } } }, port);
    hooks.event(happened('session.created', { sessionID: 's5', info: { id: 's5' } }));
    hooks.event(happened('session.idle', { sessionID: 's5' }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(prompts).toEqual([{ path: { id: 's5' }, body: { parts: [{ type: 'text', text: 'go on' }] } }]);
    await hooks['chat.message']({ sessionID: 's5' }, { message: {}, parts: [{ type: 'text', text: 'go on' }] });
    expect(sent.filter((name) => name === 'chat.message')).toEqual([]);
  });
});
