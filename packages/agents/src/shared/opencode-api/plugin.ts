import { isObject, textOf } from '../json-fields.ts';
import type { Plugin, PluginAnswer } from '../plugin-port.ts';
import { addContextPart, addToResult, replaceFields, rewriteResult } from './apply.ts';
import { PluginSessions } from './sessions.ts';

type Fields = Record<string, unknown>;

/** What the agent hands to a plugin, as far as we use it. */
export interface PluginHost {
  readonly directory: string;
  readonly client: {
    readonly session: {
      get(given: object): Promise<{ data?: unknown }>;
      message(given: object): Promise<{ data?: unknown }>;
      promptAsync(given: object): Promise<unknown>;
    };
    readonly tui: { showToast(given: object): Promise<unknown> };
  };
}
type Handler = (input: Fields, output: Fields) => Promise<void>;
export interface PluginHooks {
  event(given: { event: Fields }): void;
  config(config: Fields): Promise<void>;
  dispose(): Promise<void>;
  readonly 'chat.message': Handler;
  readonly 'tool.execute.before': Handler;
  readonly 'tool.execute.after': Handler;
  readonly 'experimental.session.compacting': Handler;
  readonly 'experimental.text.complete': Handler;
}

/** The one thing that a handler throws on purpose: the agent takes any throw for a deny. */
class Denied extends Error {}

// Of the process, not of the plugin: Kilo may start one plugin twice, and both handle every event.
const sessions = new PluginSessions();
const seen = new WeakSet<object>();
const seenEvents = new Set<string>();
const deniedCalls = new Set<string>();
const failedCalls = new Set<string>();
const contextOfCalls = new Map<string, string>();
const permissions = new Map<string, Fields>();
const pending = new Set<Promise<unknown>>();

const KEPT = 1000;
function firstTime(set: Set<string>, id: string): boolean {
  if (set.has(id)) return false;
  if (set.size >= KEPT) set.clear();
  set.add(id);
  return true;
}

const guarded =
  (handler: Handler): Handler =>
  async (input, output) => {
    if (isObject(output)) {
      if (seen.has(output)) return;
      seen.add(output);
    }
    try {
      await handler(input, output);
    } catch (error) {
      if (error instanceof Denied) throw error;
    }
  };

export const opencodePlugin: Plugin<PluginHost, PluginHooks> = (host, port) => {
  const { client, directory } = host;
  let mcpServers: readonly string[] = [];

  function send(name: string, session: string, payload: Fields): Promise<PluginAnswer> {
    const rootID = sessions.rootOf(session);
    const sending = port.send(name, { ...payload, directory, ...(rootID !== undefined && { rootID }) }, directory);
    pending.add(sending);
    void sending.finally(() => pending.delete(sending));
    return sending.then((answer) => {
      if (answer.message !== undefined) show(answer.message);
      return answer;
    });
  }
  const show = (message: string): void =>
    void client.tui.showToast({ body: { title: 'Piton', message, variant: 'info' } }).catch(() => undefined);

  const serverOf = (tool: unknown): { mcpServer?: string } => {
    const mcpServer = mcpServers.find((server) => typeof tool === 'string' && tool.startsWith(`${server}_`));
    return mcpServer === undefined ? {} : { mcpServer };
  };

  /** The event bus waits for nobody; what is answered here counts later, or not at all. */
  async function handle(event: Fields): Promise<void> {
    const properties = isObject(event.properties) ? event.properties : {};
    const info = isObject(properties.info) ? properties.info : {};
    const session = textOf(properties, 'sessionID') ?? textOf(info, 'id') ?? '';
    const input = { event };
    switch (event.type) {
      case 'session.created':
        return sessions.begin(session, textOf(info, 'parentID'), directory, (root) =>
          send(root === undefined ? 'session.created' : 'session.created.child', session, { input }),
        );
      case 'message.part.updated': {
        const part = isObject(properties.part) ? properties.part : {};
        const call = textOf(part, 'callID') ?? '';
        if (part.type !== 'tool' || !isObject(part.state) || part.state.status !== 'error') return;
        // Our own deny fails the tool as well: Piton knows.
        if (deniedCalls.delete(call) || !firstTime(failedCalls, call)) return;
        contextOfCalls.delete(call);
        return void (await send('message.part.updated', session, { input, ...serverOf(part.tool) }));
      }
      case 'permission.asked':
        permissions.set(textOf(properties, 'id') ?? '', properties);
        return void (await send('permission.asked', session, { input }));
      case 'permission.replied': {
        const id = textOf(properties, 'requestID') ?? '';
        const request = permissions.get(id);
        permissions.delete(id);
        if (properties.reply === 'reject') await send('permission.replied', session, { input, request });
        return;
      }
      case 'session.idle':
        return stop(session, input);
      case 'session.error':
        if (isObject(properties.error) && properties.error.name === 'MessageAbortedError') return;
        return void (await send('session.error', session, { input }));
      case 'session.compacted':
        return void (await send('session.compacted', session, { input }));
      case 'session.deleted':
        if (sessions.end(session)) await send('session.deleted', session, { input });
    }
  }

  async function stop(session: string, input: Fields): Promise<void> {
    const isChild = sessions.rootOf(session) !== undefined;
    const lastText = sessions.lastText(session);
    const facts = { input, continued: sessions.hasContinued(session), ...(lastText !== undefined && { lastText }) };
    const answer = await send(isChild ? 'session.idle.child' : 'session.idle', session, facts);
    if (answer.continue === undefined || isChild) return sessions.rest(session);
    sessions.goOn(session, answer.continue);
    await client.session.promptAsync({ path: { id: session }, body: { parts: [{ type: 'text', text: answer.continue }] } });
  }

  /** Nothing says that a session from before is taken up again, until somebody prompts it. */
  async function meet(session: string): Promise<void> {
    if (sessions.isKnown(session)) return;
    const found = await client.session.get({ path: { id: session } }).catch(() => ({ data: undefined }));
    const info = isObject(found.data) ? found.data : { id: session };
    const event = { type: 'session.resumed', properties: { sessionID: session, info } };
    sessions.begin(session, textOf(info, 'parentID'), directory, (root) =>
      root === undefined ? send('session.resumed', session, { input: { event } }) : Promise.resolve({}),
    );
  }

  /** What is added to a summary is in the first request after the compaction, and stays. Answers end by the same door. */
  async function isSummary(session: string, messageID: string | undefined): Promise<boolean> {
    if (messageID === undefined) return false;
    const found = await client.session.message({ path: { id: session, messageID } }).catch(() => ({ data: undefined }));
    const info = isObject(found.data) && isObject(found.data.info) ? found.data.info : {};
    return info.summary === true;
  }

  return {
    event({ event }) {
      if (!firstTime(seenEvents, textOf(event, 'id') ?? `${event.type}`)) return;
      const handling = handle(event).catch(() => undefined);
      pending.add(handling);
      void handling.finally(() => pending.delete(handling));
    },
    async config(config) {
      mcpServers = Object.keys(isObject(config.mcp) ? config.mcp : {}).map((name) => name.replace(/[^\w-]/g, '_'));
    },
    async dispose() {
      await Promise.allSettled(pending);
      const ended = sessions.openIn(directory).filter((session) => sessions.end(session));
      await Promise.allSettled(ended.map((session) => send('dispose', session, { input: { sessionID: session } })));
    },
    'chat.message': guarded(async (input, output) => {
      const session = textOf(input, 'sessionID') ?? '';
      await meet(session);
      const start = await sessions.takeStart(session);
      const [first] = Array.isArray(output.parts) ? output.parts : [];
      const isOurs = isObject(first) && sessions.isPitonPrompt(session, textOf(first, 'text') ?? '');
      // The task of a subagent is no prompt of a person's.
      const isPrompt = sessions.rootOf(session) === undefined && !isOurs;
      const answer = isPrompt ? await send('chat.message', session, { input, output }) : {};
      if (answer.deny !== undefined) throw new Denied(answer.deny);
      // A compaction that wrote no summary leaves its handoff for the next prompt.
      addContextPart(output, session, [sessions.takeHandoff(session), start?.context, answer.context].filter(Boolean).join('\n'));
    }),
    'tool.execute.before': guarded(async (input, output) => {
      const call = textOf(input, 'callID') ?? '';
      const answer = await send('tool.execute.before', textOf(input, 'sessionID') ?? '', { input, output, ...serverOf(input.tool) });
      if (answer.deny !== undefined) {
        deniedCalls.add(call);
        throw new Denied(answer.deny);
      }
      if (answer.input !== undefined) replaceFields(output, 'args', answer.input);
      if (answer.context !== undefined) contextOfCalls.set(call, answer.context);
    }),
    'tool.execute.after': guarded(async (input, output) => {
      const call = textOf(input, 'callID') ?? '';
      const answer = await send('tool.execute.after', textOf(input, 'sessionID') ?? '', { input, output, ...serverOf(input.tool) });
      if (answer.output !== undefined) rewriteResult(output, answer.output);
      for (const context of [contextOfCalls.get(call), answer.context]) if (context !== undefined) addToResult(output, context);
      contextOfCalls.delete(call);
    }),
    'experimental.session.compacting': guarded(async (input, output) => {
      const session = textOf(input, 'sessionID') ?? '';
      const { context } = await send('experimental.session.compacting', session, { input, output });
      if (context !== undefined) sessions.keepHandoff(session, context);
    }),
    async 'experimental.text.complete'(input, output) {
      const session = textOf(input, 'sessionID') ?? '';
      sessions.say(session, textOf(output, 'text') ?? '');
      if (!sessions.hasHandoff(session) || !(await isSummary(session, textOf(input, 'messageID')))) return;
      const handoff = sessions.takeHandoff(session);
      if (handoff !== undefined) output.text = [textOf(output, 'text'), handoff].filter(Boolean).join('\n\n');
    },
  };
};
