import {
  type CanonicalEvent,
  type EventName,
  isToolEvent,
  type JsonObject,
  type NativeContext,
  namesFor,
  type Tool,
} from '@piton/contracts';
import { isObject, textOf } from '../json-fields.ts';
import { blockTexts, commandFailure } from '../portable/claude-response.ts';
import { inClaudeWords } from '../portable/claude-words.ts';
import { canonicalName } from './events.ts';
import { decodeTool, type NativeCall, portableResponse } from './tools.ts';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/**
 * A payload as the plugin sends it: `input` and `output` are what the agent hands to that handler (`input.event` for the
 * event bus); beside them stands what only the plugin knows, such as `rootID`, the session that a subagent works for.
 */
interface Native {
  readonly payload: JsonObject;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly properties: JsonObject;
  readonly info: JsonObject;
}

function nativeOf(value: unknown): Native {
  const payload = objectOf(value);
  const input = objectOf(payload.input);
  const properties = objectOf(objectOf(input.event).properties);
  return { payload, input, output: objectOf(payload.output), properties, info: objectOf(properties.info) };
}

export const decodeFor = (agent: string) =>
  inClaudeWords({}, (value: unknown, context: NativeContext): CanonicalEvent => {
    const native = nativeOf(value);
    const { payload, input, output, properties, info } = native;
    const problems: string[] = [];
    if (!isObject(value)) problems.push(`the payload is ${value === null ? 'not JSON' : 'no JSON object'}`);

    const own = textOf(input, 'sessionID') ?? textOf(properties, 'sessionID') ?? textOf(info, 'id');
    if (own === undefined && isObject(value)) problems.push('no sessionID');
    const root = textOf(payload, 'rootID') ?? textOf(info, 'parentID');
    const call = callOf(context.nativeEvent, native);
    const event = withFailure(canonicalName(context.nativeEvent), context.nativeEvent, native);
    const tool = isToolEvent(event) && call !== undefined ? decodeTool(call) : undefined;
    if (tool === undefined && /_tool_use/.test(event)) problems.push('no tool');
    const prompt = event === 'user_prompt_submit' ? promptIn(output) : undefined;
    if (event === 'user_prompt_submit' && prompt === undefined) problems.push('no prompt');
    const agentId = root === undefined ? undefined : own;
    const text = textIn(event, native);
    const source = sourceOf(context.nativeEvent, payload, properties);
    const model = textOf(objectOf(objectOf(output.message).model), 'modelID');

    return {
      event,
      names: namesFor(event, tool?.kind),
      agent,
      nativeEvent: context.nativeEvent,
      sessionId: root ?? own ?? '',
      cwd: textOf(payload, 'directory') ?? textOf(info, 'directory') ?? context.cwd,
      portable: {
        ...(tool && toolFields(tool, event, output, text)),
        ...(prompt !== undefined && { prompt }),
        ...(agentId !== undefined && { agent_id: agentId, ...(textOf(info, 'agent') && { agent_type: info.agent }) }),
        ...(source !== undefined && { [event === 'session_end' ? 'reason' : 'source']: source }),
        ...(/stop$/.test(event) && { stop_hook_active: payload.continued === true, ...(text && { last_assistant_message: text }) }),
        ...(event === 'stop_failure' && text !== undefined && { error: text }),
      },
      raw: value,
      ...(tool && { tool }),
      ...(prompt !== undefined && { prompt }),
      ...(source !== undefined && { source }),
      ...(agentId !== undefined && { agentId }),
      ...(text !== undefined && { text }),
      ...(model !== undefined && { model }),
      ...(problems.length > 0 && { problems }),
    };
  });

/** A shell command that ends with an error, and an MCP tool that says so, come as an ordinary result. */
function withFailure(event: EventName, nativeEvent: string, { output }: Native): EventName {
  if (nativeEvent !== 'tool.execute.after') return event;
  const { exit } = objectOf(output.metadata);
  return output.isError === true || (exit !== undefined && exit !== 0) ? 'post_tool_use_failure' : event;
}

function callOf(nativeEvent: string, { payload, input, output, properties }: Native): NativeCall | undefined {
  const mcpServer = textOf(payload, 'mcpServer');
  if (nativeEvent === 'message.part.updated') {
    const part = objectOf(properties.part);
    return named(textOf(part, 'tool'), objectOf(part.state).input, textOf(part, 'callID'), mcpServer);
  }
  if (nativeEvent === 'permission.asked' || nativeEvent === 'permission.replied') {
    const request = nativeEvent === 'permission.asked' ? properties : objectOf(payload.request);
    return named(textOf(request, 'permission'), request.metadata, textOf(objectOf(request.tool), 'callID'), mcpServer);
  }
  return named(textOf(input, 'tool'), input.args ?? output.args, textOf(input, 'callID'), mcpServer);
}

const named = (name: string | undefined, input: unknown, useId: string | undefined, mcpServer: string | undefined) =>
  name === undefined ? undefined : { name, input: objectOf(input), useId, mcpServer };

function toolFields(tool: Tool, event: EventName, output: JsonObject, error: string | undefined): JsonObject {
  return {
    tool_name: tool.name,
    tool_input: tool.input,
    ...(tool.useId !== undefined && { tool_use_id: tool.useId }),
    ...(event === 'post_tool_use' && { tool_response: portableResponse(tool, output) }),
    ...(event === 'post_tool_use_failure' && { error: error ?? '' }),
  };
}

/** What the person wrote: parts that somebody added for the model are none of it. */
function promptIn({ parts }: JsonObject): string | undefined {
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.filter((part) => isObject(part) && part.type === 'text' && part.synthetic !== true) as JsonObject[];
  return texts.map((part) => textOf(part, 'text') ?? '').join('\n');
}

function textIn(event: EventName, { payload, output, properties }: Native): string | undefined {
  if (event === 'stop' || event === 'subagent_stop') return textOf(payload, 'lastText');
  if (event === 'stop_failure') {
    const error = objectOf(properties.error);
    return textOf(objectOf(error.data), 'message') ?? textOf(error, 'name');
  }
  if (event !== 'post_tool_use_failure') return undefined;
  const said =
    textOf(objectOf(objectOf(properties.part).state), 'error') ?? textOf(output, 'output') ?? (blockTexts(output.content) || undefined);
  const { exit } = objectOf(output.metadata);
  return typeof exit === 'number' && exit !== 0 ? commandFailure(exit, said ?? '') : said;
}

const SOURCES: Readonly<Record<string, string>> = {
  'session.created': 'startup',
  'session.resumed': 'resume',
  'session.deleted': 'deleted',
  dispose: 'exit',
};
function sourceOf(nativeEvent: string, _payload: JsonObject, properties: JsonObject): string | undefined {
  if (nativeEvent === 'session.error') return textOf(objectOf(properties.error), 'name');
  return Object.hasOwn(SOURCES, nativeEvent) ? SOURCES[nativeEvent] : undefined;
}
