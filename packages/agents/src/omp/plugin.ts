import { isObject, textOf } from '../shared/json-fields.ts';
import type { Plugin, PluginAnswer } from '../shared/plugin-port.ts';
import { ownerOf } from './sessions.ts';

type Fields = Record<string, unknown>;

/** What oh-my-pi hands to a handler, as far as we use it. */
interface Context {
  readonly cwd: string;
  readonly mode: string;
  readonly hasUI: boolean;
  readonly ui: { notify(message: string, type?: string): void };
  readonly model?: { readonly id?: string };
  readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined; getEntries?(): readonly unknown[] };
  abort(): void;
}
type Handler = (event: Fields, context: Context) => Promise<unknown>;
export interface ExtensionHost {
  on(event: string, handler: Handler): void;
  /** Into the session, where it stays. */
  sendMessage(message: object, options: object): unknown;
}

/** One process has many sessions: each subagent has its own. */
interface Session {
  /** Context for the model, until the run that it belongs to begins. */
  waiting: string;
  /** What was answered before a compaction. */
  handoff: string;
  /** Why the compaction goes on that goes on. */
  compacting: string;
  lastText: string | undefined;
  /** What we answered to a stop: it comes back as a prompt. */
  goOn: string | undefined;
  /** A subagent that has begun, and has not said that it is done. */
  isAtWork: boolean;
  readonly inputs: Map<string, unknown>;
  readonly contextOfCalls: Map<string, string>;
}

const text = (value: string) => ({ type: 'text', text: value });
const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('\n');

/** For the model, not for the screen. */
const hidden = (content: string) => ({ customType: 'piton', content, display: false });

/** A call of another tool, which comes as an event of its own. */
const isEnvelope = ({ toolName, input }: Fields): boolean =>
  toolName === 'write' && isObject(input) && /^xd:\/\//i.test(String(input.path).trim());

/** oh-my-pi waits for a handler and takes what it returns; an error in `tool_call` would deny, so none gets out. */
export const plugin: Plugin<ExtensionHost, void> = (host, port) => {
  // pi reads extensions from the same place where PI_CODING_AGENT_DIR names it.
  if (!('arktype' in host)) return;
  const sessions = new Map<string, Session>();
  function sessionOf({ sessionManager }: Context): Session {
    const id = sessionManager.getSessionId();
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const session: Session = {
      ...{ waiting: '', handoff: '', compacting: 'manual', lastText: undefined, goOn: undefined, isAtWork: false },
      ...{ inputs: new Map(), contextOfCalls: new Map() },
    };
    sessions.set(id, session);
    return session;
  }
  const isSubagent = ({ sessionManager }: Context): boolean => ownerOf(sessionManager.getSessionFile()) !== undefined;

  async function send(name: string, event: Fields, context: Context): Promise<PluginAnswer> {
    const { sessionManager, cwd, mode, hasUI, model } = context;
    const ctx = {
      cwd,
      mode,
      hasUI,
      sessionId: sessionManager.getSessionId(),
      sessionFile: sessionManager.getSessionFile(),
      model: model?.id,
    };
    const answer = await port.send(name, { ...event, ctx }, cwd);
    if (answer.message !== undefined && hasUI) context.ui.notify(answer.message, 'info');
    return answer;
  }
  const on = (name: string, handler: Handler): void =>
    host.on(name, async (event, context) => {
      try {
        return await handler(event, context);
      } catch {
        return undefined;
      }
    });

  async function begin(name: string, event: Fields, context: Context): Promise<void> {
    const session = sessionOf(context);
    session.waiting = joined((await send(name, event, context)).context);
  }
  on('session_start', async ({ type }, context) => {
    if (!isSubagent(context)) return begin('session_start', { type, reason: resumed(context) ? 'resume' : 'startup' }, context);
    sessionOf(context).isAtWork = true;
    return begin('session_start.child', { type }, context);
  });
  on('session_switch', ({ type, reason }, context) => begin('session_switch', { type, reason }, context));
  on('before_agent_start', async ({ type, prompt }, context) => {
    const session = sessionOf(context);
    const isOurs = session.goOn !== undefined && prompt === session.goOn;
    // The task of a subagent, and what it is reminded of, are no prompts of a person's.
    if (isSubagent(context)) session.isAtWork = true;
    else if (!isOurs) {
      session.goOn = undefined;
      const answer = await send('before_agent_start', { type, prompt }, context);
      if (answer.deny !== undefined) {
        if (context.hasUI) context.ui.notify(answer.deny, 'warning');
        context.abort();
        return undefined;
      }
      session.waiting = joined(session.waiting, answer.context);
    }
    const content = session.waiting;
    session.waiting = '';
    return content === '' ? undefined : { message: hidden(content) };
  });
  on('tool_call', async (event, context) => {
    if (isEnvelope(event)) return undefined;
    const session = sessionOf(context);
    const call = textOf(event, 'toolCallId') ?? '';
    session.inputs.set(call, event.input);
    const answer = await send('tool_call', event, context);
    if (answer.deny !== undefined) return { block: true, reason: answer.deny };
    if (answer.context !== undefined) session.contextOfCalls.set(call, answer.context);
    return answer.input === undefined ? undefined : { input: answer.input };
  });
  on('tool_approval_requested', async (event, context) => {
    await send('tool_approval_requested', { ...event, input: sessionOf(context).inputs.get(textOf(event, 'toolCallId') ?? '') }, context);
  });
  on('tool_approval_resolved', async (event, context) => {
    if (event.approved === true) return;
    await send('tool_approval_resolved', { ...event, input: sessionOf(context).inputs.get(textOf(event, 'toolCallId') ?? '') }, context);
  });
  on('tool_result', async (event, context) => {
    if (isEnvelope(event)) return undefined;
    const session = sessionOf(context);
    const call = textOf(event, 'toolCallId') ?? '';
    const answer = await send(event.isError === true ? 'tool_result.error' : 'tool_result', event, context);
    const added = joined(session.contextOfCalls.get(call), answer.context);
    session.contextOfCalls.delete(call);
    session.inputs.delete(call);
    if (answer.output === undefined && added === '') return undefined;
    const before = Array.isArray(event.content) ? event.content : [];
    const content = answer.output === undefined ? before : rewritten(answer.output);
    return { content: added === '' ? content : [...content, text(added)] };
  });
  on('message_end', async ({ message }, context) => {
    const said = saidIn(message);
    if (said !== undefined) sessionOf(context).lastText = said;
  });
  on('session_stop', async ({ type, turn_id, stop_hook_active, last_assistant_message: last }, context) => {
    const session = sessionOf(context);
    const error = isObject(last) && last.stopReason === 'error' ? (textOf(last, 'errorMessage') ?? 'unknown') : undefined;
    const continued = stop_hook_active === true;
    if (error !== undefined) {
      await send('session_stop.error', { type, turn_id, error }, context);
      return undefined;
    }
    const answer = await send('session_stop', { type, turn_id, continued, lastText: saidIn(last) ?? session.lastText }, context);
    session.goOn = answer.continue;
    return answer.continue === undefined ? undefined : { continue: true, additionalContext: answer.continue };
  });
  async function endSubagent(context: Context): Promise<void> {
    const session = sessionOf(context);
    if (!session.isAtWork) return;
    session.isAtWork = false;
    await send('agent_end.child', { type: 'agent_end', lastText: session.lastText }, context);
  }
  // A subagent that has not handed in its work is reminded of it, and goes on.
  on('agent_end', async ({ messages }, context) => {
    if (isSubagent(context) && handedIn(messages)) await endSubagent(context);
  });
  on('auto_compaction_start', async ({ reason }, context) => {
    sessionOf(context).compacting = typeof reason === 'string' ? reason : 'threshold';
  });
  on('session_before_compact', async ({ type, customInstructions }, context) => {
    const session = sessionOf(context);
    const answer = await send('session_before_compact', { type, reason: session.compacting, customInstructions }, context);
    session.handoff = answer.context ?? '';
    return answer.deny === undefined ? undefined : { cancel: true };
  });
  on('session_compact', async ({ type, fromExtension }, context) => {
    const session = sessionOf(context);
    if (session.handoff !== '') host.sendMessage(hidden(session.handoff), { triggerTurn: false });
    const reason = session.compacting;
    [session.handoff, session.compacting] = ['', 'manual'];
    await send('session_compact', { type, reason, fromExtension }, context);
  });
  on('session_shutdown', async (event, context) => {
    if (isSubagent(context)) await endSubagent(context);
    else await send('session_shutdown', event, context);
    sessions.delete(context.sessionManager.getSessionId());
  });
};

/** Whether somebody has said something in it before. */
const resumed = ({ sessionManager }: Context): boolean =>
  sessionManager.getEntries?.().some((entry) => isObject(entry) && entry.type === 'message') === true;

function saidIn(message: unknown): string | undefined {
  if (!isObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) return undefined;
  const said = message.content.flatMap((part: unknown) => (isObject(part) && part.type === 'text' ? (textOf(part, 'text') ?? []) : []));
  return said.length === 0 ? undefined : said.join('\n');
}

const handedIn = (messages: unknown): boolean =>
  Array.isArray(messages) && messages.slice(-2).some((message) => isObject(message) && message.toolName === 'yield');

function rewritten(output: unknown): unknown[] {
  if (Array.isArray(output)) return output;
  if (isObject(output) && typeof output.stdout === 'string') return [text(output.stdout)];
  return [text(typeof output === 'string' ? output : JSON.stringify(output))];
}
