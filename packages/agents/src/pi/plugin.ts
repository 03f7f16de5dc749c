import { isObject, textOf } from '../shared/json-fields.ts';
import type { Plugin, PluginAnswer } from '../shared/plugin-port.ts';

type Fields = Record<string, unknown>;

/** What pi hands to a handler, as far as we use it. */
interface Context {
  readonly cwd: string;
  readonly mode: string;
  readonly hasUI: boolean;
  readonly ui: { notify(message: string, type?: string): void };
  readonly model?: { readonly id?: string };
  readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined };
}
type Handler = (event: Fields, context: Context) => Promise<unknown>;
export interface ExtensionHost {
  on(event: string, handler: Handler): void;
  /** Into the session, where it stays. While the agent works it gets there at the end of the turn. */
  sendMessage(message: object, options: object): unknown;
}

const text = (value: string) => ({ type: 'text', text: value });
const joined = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('\n');

/** For the model, not for the screen. */
const hidden = (content: string) => ({ customType: 'piton', content, display: false });

/** pi waits for every handler and takes what it returns; an error in `tool_call` would deny, so none gets out. */
export const plugin: Plugin<ExtensionHost, void> = (pi, port) => {
  /** Context for the model, until the run that it belongs to begins. */
  let waiting = '';
  /** What was answered before a compaction; `isCompacted` once that has happened. */
  let handoff = '';
  let isCompacted = false;
  let lastText: string | undefined;
  let continued = false;
  const contextOfCalls = new Map<string, string>();

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
    pi.on(name, async (event, context) => {
      try {
        return await handler(event, context);
      } catch {
        return undefined;
      }
    });

  on('session_start', async (event, context) => {
    waiting = joined((await send('session_start', event, context)).context);
  });
  on('input', async (event, context) => {
    continued = false;
    const { images: _, ...rest } = event;
    const answer = await send('input', rest, context);
    if (answer.deny !== undefined) {
      if (context.hasUI) context.ui.notify(answer.deny, 'warning');
      return { action: 'handled' };
    }
    waiting = joined(waiting, answer.context);
    return undefined;
  });
  on('before_agent_start', async () => {
    const content = waiting;
    waiting = '';
    return content === '' ? undefined : { message: hidden(content) };
  });
  on('tool_call', async (event, context) => {
    const answer = await send('tool_call', event, context);
    if (answer.deny !== undefined) return { block: true, reason: answer.deny };
    if (answer.input !== undefined && isObject(event.input)) {
      const input = event.input as Fields;
      for (const name of Object.keys(input)) delete input[name];
      Object.assign(input, answer.input);
    }
    if (answer.context !== undefined) contextOfCalls.set(textOf(event, 'toolCallId') ?? '', answer.context);
    return undefined;
  });
  on('tool_result', async (event, context) => {
    const call = textOf(event, 'toolCallId') ?? '';
    const answer = await send(event.isError === true ? 'tool_result.error' : 'tool_result', event, context);
    const added = joined(contextOfCalls.get(call), answer.context);
    contextOfCalls.delete(call);
    if (answer.output === undefined && added === '') return undefined;
    const before = Array.isArray(event.content) ? event.content : [];
    const content = answer.output === undefined ? before : rewritten(answer.output);
    return { content: added === '' ? content : [...content, text(added)] };
  });
  on('message_end', async ({ message }) => {
    if (!isObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) return;
    const said = message.content.flatMap((part: unknown) => (isObject(part) && part.type === 'text' ? (textOf(part, 'text') ?? []) : []));
    if (said.length > 0) lastText = said.join('\n');
  });
  // The whole conversation hangs on these two: it stays where it is.
  on('agent_before_settle', async ({ type, outcome }, context) => {
    const name = outcome === 'error' ? 'agent_before_settle.error' : 'agent_before_settle';
    const answer = await send(name, { type, outcome, continued, lastText }, context);
    continued = answer.continue !== undefined;
    if (answer.continue === undefined) return undefined;
    return { entries: [{ type: 'custom_message', customType: 'piton', content: answer.continue, display: true }], continue: true };
  });
  on('session_before_compact', async ({ type, reason, customInstructions, willRetry }, context) => {
    const answer = await send('session_before_compact', { type, reason, customInstructions, willRetry }, context);
    [handoff, isCompacted] = [answer.context ?? '', false];
    return answer.deny === undefined ? undefined : { cancel: true };
  });
  // Every request passes here: what waits for the end of the turn is in the first one after the compaction.
  on('context', async ({ messages }) => {
    if (!isCompacted || handoff === '' || !Array.isArray(messages)) return undefined;
    if (messages.some((message: unknown) => isObject(message) && message.content === handoff)) return undefined;
    const at = messages.findLastIndex((message: unknown) => isObject(message) && message.role === 'compactionSummary') + 1;
    return { messages: messages.toSpliced(at === 0 ? messages.length : at, 0, { role: 'custom', ...hidden(handoff), timestamp: 0 }) };
  });
  on('session_compact', async ({ type, reason, fromExtension, willRetry }, context) => {
    isCompacted = true;
    if (handoff !== '') pi.sendMessage(hidden(handoff), { triggerTurn: false });
    await send('session_compact', { type, reason, fromExtension, willRetry }, context);
  });
  on('session_shutdown', async (event, context) => {
    await send('session_shutdown', event, context);
  });
};

function rewritten(output: unknown): unknown[] {
  if (Array.isArray(output)) return output;
  if (isObject(output) && typeof output.stdout === 'string') return [text(output.stdout)];
  return [text(typeof output === 'string' ? output : JSON.stringify(output))];
}
