import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent, PortableHook } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { findAgent } from '../../src/index.ts';
import { hookWith, made, materializerOf, texts, writtenHook } from './place.ts';

const agent = (id: string): Agent => {
  const found = findAgent(id);
  if (!found) throw new Error(id);
  return found;
};
const pathOf = (one: Agent, hook: PortableHook): string =>
  made(materializerOf(one).materialize(hook, texts())).files.find(({ path }) => path.endsWith('.js'))?.path ?? '';

type Fields = Record<string, unknown>;
type Handler = (input: Fields, output: Fields) => Promise<void>;
interface Hooks {
  event(given: { event: Fields }): void;
  dispose(): Promise<void>;
  readonly 'tool.execute.before': Handler;
  readonly 'tool.execute.after': Handler;
  readonly 'chat.message': Handler;
  readonly 'experimental.session.compacting': Handler;
  readonly 'experimental.text.complete': Handler;
}

/** The file that is written for OpenCode, loaded as OpenCode loads it. */
async function opencode(hook: PortableHook) {
  const one = agent('opencode');
  const place = writtenHook(one, hook);
  const module = (await import(pathToFileURL(join(place.base, pathOf(one, hook))).href)) as Record<
    string,
    (host: unknown) => Promise<Hooks>
  >;
  const prompts: string[] = [];
  const client = {
    session: {
      message: async ({ path }: { path: { messageID: string } }) => ({ data: { info: { summary: path.messageID === 'summary' } } }),
      promptAsync: async ({ body }: { body: { parts: { text: string }[] } }) => void prompts.push(body.parts[0]?.text ?? ''),
    },
  };
  const start = Object.values(module)[0];
  if (start === undefined) throw new Error('it exports nothing');
  return { ...place, hooks: await start({ client, directory: place.base }), prompts };
}

const said = (what: string): string => `cat > /dev/null\n${what}`;
const SHELL = { tool: 'bash', callID: '1', sessionID: 's' };

describe('a plugin for OpenCode', () => {
  it('denies what the hook denies, by its exit code or in JSON', async () => {
    for (const action of [
      'echo no >&2; exit 2',
      `echo '{"decision":"deny","reason":"no"}'`,
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'`,
    ]) {
      const { hooks } = await opencode(hookWith({ action: said(action) }));
      await expect(hooks['tool.execute.before'](SHELL, { args: {} })).rejects.toThrow(/^no$/);
    }
  });

  it('hands over what the agent handed to it, and runs for no other tool', async () => {
    const { hooks, base } = await opencode(hookWith({ action: 'cat >> seen.json' }));
    await hooks['tool.execute.before']({ ...SHELL, tool: 'read' }, { args: {} });
    expect(existsSync(join(base, 'seen.json'))).toBe(false);
    await hooks['tool.execute.before'](SHELL, { args: { command: "echo 'x'" } });
    expect(JSON.parse(readFileSync(join(base, 'seen.json'), 'utf8'))).toEqual({
      input: SHELL,
      output: { args: { command: "echo 'x'" } },
      directory: base,
    });
  });

  it('lets the tool run where the hook crashes, takes too long or is gone, unless it is fail_closed', async () => {
    const broken: readonly Partial<PortableHook>[] = [{ action: 'exit 3' }, { action: 'sleep 20', timeoutMs: 200 }];
    for (const more of broken) {
      await (await opencode(hookWith(more))).hooks['tool.execute.before'](SHELL, { args: {} });
      const policy = await opencode(hookWith({ ...more, failClosed: true }));
      await expect(policy.hooks['tool.execute.before'](SHELL, { args: {} })).rejects.toThrow(/my.hook/);
    }
    for (const failClosed of [false, true]) {
      const { hooks, base, folder } = await opencode(hookWith({ failClosed }));
      rmSync(join(base, folder), { recursive: true });
      const running = hooks['tool.execute.before'](SHELL, { args: {} });
      await (failClosed ? expect(running).rejects.toThrow(/could not be started/) : running);
    }
  });

  it('adds what the hook says after a tool to its result, at the end that it wants', async () => {
    const feedback = said('echo look >&2; exit 2');
    const resultAfter = async (event: PortableHook['event'], exit: number) => {
      const { hooks } = await opencode(hookWith({ event, action: feedback }));
      const output: Fields = { output: 'done', metadata: { exit } };
      await hooks['tool.execute.after'](SHELL, output);
      return output.output;
    };
    expect(await resultAfter('post_tool_use', 0)).toBe('done\nlook');
    expect(await resultAfter('post_tool_use', 1)).toBe('done');
    expect(await resultAfter('post_shell_execution', 1)).toBe('done\nlook');
  });

  it('keeps the agent working at the end of a turn, and no longer than eight times', async () => {
    const { hooks, prompts } = await opencode(hookWith({ event: 'stop', action: said('echo go on >&2; exit 2') }));
    hooks.event({ event: { id: 'a', type: 'session.created', properties: { info: { id: 's' } } } });
    for (let turn = 0; turn < 9; turn++) {
      hooks.event({ event: { id: `idle ${turn}`, type: 'session.idle', properties: { sessionID: 's' } } });
      await hooks.dispose();
    }
    expect(prompts).toEqual(Array.from({ length: 8 }, () => 'go on'));
  });

  it('hears an event once that comes twice', async () => {
    const { hooks, base } = await opencode(hookWith({ event: 'stop', action: said('echo stop >> seen') }));
    for (let i = 0; i < 2; i++) hooks.event({ event: { id: 'same', type: 'session.idle', properties: { sessionID: 's' } } });
    await hooks.dispose();
    expect(readFileSync(join(base, 'seen'), 'utf8')).toBe('stop\n');
  });

  it('gives context of the start with the first prompt', async () => {
    const { hooks } = await opencode(hookWith({ event: 'session_start', action: said('echo welcome') }));
    hooks.event({ event: { id: 'a', type: 'session.created', properties: { info: { id: 's' } } } });
    const output: { parts: Fields[] } = { parts: [{ id: 'prt_1', type: 'text', text: 'hello' }] };
    await hooks['chat.message']({ sessionID: 's' }, output);
    expect(output.parts.map(({ text }) => text)).toEqual(['hello', 'welcome']);
  });

  it('adds what is said before a compaction to its summary, once', async () => {
    const { hooks } = await opencode(hookWith({ event: 'pre_compact', injectOutput: true, action: said('echo remember') }));
    await hooks['experimental.session.compacting']({ sessionID: 's' }, { context: [] });
    const complete = async (messageID: string): Promise<unknown> => {
      const output: Fields = { text: 'said' };
      await hooks['experimental.text.complete']({ sessionID: 's', messageID }, output);
      return output.text;
    };
    expect(await complete('answer')).toBe('said');
    expect(await complete('summary')).toBe('said\n\nremember');
    expect(await complete('summary')).toBe('said');
  });
});

describe('an extension for pi', () => {
  const context = {
    cwd: process.cwd(),
    mode: 'print',
    hasUI: false,
    sessionManager: { getSessionId: () => 's', getSessionFile: () => undefined },
  };
  async function extension(hook: PortableHook) {
    const place = writtenHook(agent('pi'), hook);
    const module = (await import(pathToFileURL(join(place.base, pathOf(agent('pi'), hook))).href)) as {
      default(pi: unknown): Promise<void>;
    };
    const handlers = new Map<string, (event: Fields, context: unknown) => Promise<unknown>>();
    const sent: unknown[] = [];
    await module.default({
      on: (name: string, handler: (event: Fields) => Promise<unknown>) => handlers.set(name, handler),
      sendMessage: (message: unknown) => sent.push(message),
    });
    const fire = (name: string, event: Fields) => handlers.get(name)?.(event, { ...context, cwd: place.base });
    return Object.assign(fire, { sent });
  }

  it('blocks a tool with the reason of the hook, and no other tool', async () => {
    const fire = await extension(hookWith({ action: said('echo no >&2; exit 2') }));
    expect(await fire('tool_call', { toolName: 'bash', input: {} })).toEqual({ block: true, reason: 'no' });
    expect(await fire('tool_call', { toolName: 'read', input: {} })).toBeUndefined();
  });
  it('keeps what is said before a compaction for the requests after it, until it is in the session', async () => {
    const fire = await extension(hookWith({ event: 'pre_compact', injectOutput: true, action: said('echo remember') }));
    const summary = { role: 'compactionSummary', summary: 'short' };
    expect(await fire('session_before_compact', { type: 'session_before_compact' })).toBeUndefined();
    expect(await fire('context', { messages: [summary] })).toBeUndefined();
    await fire('session_compact', { type: 'session_compact' });
    expect(fire.sent).toMatchObject([{ content: 'remember', display: false }]);
    expect(await fire('context', { messages: [summary] })).toMatchObject({ messages: [summary, { role: 'custom', content: 'remember' }] });
    expect(await fire('context', { messages: [summary, { role: 'custom', content: 'remember' }] })).toBeUndefined();
  });
  it('adds feedback to a result, and goes on at the end of a turn', async () => {
    const feedback = await extension(hookWith({ event: 'post_tool_use', action: said('echo look >&2; exit 2') }));
    expect(await feedback('tool_result', { toolName: 'bash', content: [] })).toEqual({ content: [{ type: 'text', text: 'look' }] });
    expect(await feedback('tool_result', { toolName: 'bash', content: [], isError: true })).toBeUndefined();
    const stop = await extension(hookWith({ event: 'stop', action: said('echo go on >&2; exit 2') }));
    expect(await stop('agent_before_settle', { type: 'agent_before_settle' })).toMatchObject({ continue: true });
  });
});
