import { type CanonicalEvent, type EventName, type JsonObject, type NativeContext, namesFor, type Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { canonicalName } from './events.ts';
import { decodeTool, failureIn, portableResponse } from './tools.ts';

const WORDS: Words = {
  source: { new: 'clear', reload: 'resume' },
  reason: { new: 'clear' },
};

/** The event as pi hands it to an extension, and beside it `ctx`: what the extension can ask of the session. */
function decodeFields(value: unknown, context: NativeContext): CanonicalEvent {
  const problems: string[] = [];
  const payload: JsonObject = isObject(value) ? value : {};
  const session: JsonObject = isObject(payload.ctx) ? payload.ctx : {};
  if (!isObject(value)) problems.push(`the payload is ${value === null ? 'not JSON' : 'no JSON object'}`);
  else if (textOf(payload, 'type') === undefined) problems.push('no type');

  const event = withOutcome(canonicalName(context.nativeEvent), payload);
  const tool = /_tool_use/.test(event) ? toolIn(payload, problems) : undefined;
  const prompt = event === 'user_prompt_submit' && typeof payload.text === 'string' ? payload.text : undefined;
  if (event === 'user_prompt_submit' && prompt === undefined) problems.push('no text');
  const source = textOf(payload, event === 'stop_failure' ? 'outcome' : event === 'user_prompt_submit' ? 'source' : 'reason');
  const text = textOf(payload, 'lastText') ?? (event === 'post_tool_use_failure' ? failureIn(payload.content) : undefined);
  const transcriptPath = textOf(session, 'sessionFile');
  const model = textOf(session, 'model');
  return {
    event,
    names: namesFor(event, tool?.kind),
    agent: 'pi',
    nativeEvent: context.nativeEvent,
    sessionId: textOf(session, 'sessionId') ?? '',
    cwd: textOf(session, 'cwd') ?? context.cwd,
    portable: {
      ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
      ...(tool && toolFields(tool, event, payload, text)),
      ...(prompt !== undefined && { prompt }),
      ...(source !== undefined && sourceField(event, source)),
      ...(event === 'stop' && { stop_hook_active: payload.continued === true, ...(text && { last_assistant_message: text }) }),
      ...(event === 'stop_failure' && { error: source ?? '' }),
      ...(model !== undefined && { model }),
    },
    raw: value,
    ...(tool && { tool }),
    ...(prompt !== undefined && { prompt }),
    ...(source !== undefined && { source }),
    ...(transcriptPath !== undefined && { transcriptPath }),
    ...(text !== undefined && { text }),
    ...(model !== undefined && { model }),
    ...(problems.length > 0 && { problems }),
  };
}

function withOutcome(event: EventName, payload: JsonObject): EventName {
  if (event === 'post_tool_use') return payload.isError === true ? 'post_tool_use_failure' : event;
  return event === 'stop' && payload.outcome === 'error' ? 'stop_failure' : event;
}

function toolIn(payload: JsonObject, problems: string[]): Tool | undefined {
  const name = textOf(payload, 'toolName');
  if (name === undefined) problems.push('no toolName');
  return name === undefined ? undefined : decodeTool(name, isObject(payload.input) ? payload.input : {}, textOf(payload, 'toolCallId'));
}

function toolFields(tool: Tool, event: EventName, payload: JsonObject, error: string | undefined): JsonObject {
  return {
    tool_name: tool.name,
    tool_input: tool.input,
    ...(tool.useId !== undefined && { tool_use_id: tool.useId }),
    ...(event === 'post_tool_use' && { tool_response: portableResponse(tool, payload) }),
    ...(event === 'post_tool_use_failure' && { error: error ?? '' }),
  };
}

function sourceField(event: EventName, source: string): JsonObject {
  if (event === 'session_start') return { source };
  if (event === 'session_end') return { reason: source };
  return event === 'pre_compact' || event === 'post_compact' ? { trigger: source === 'manual' ? 'manual' : 'auto' } : {};
}

export const decode = inClaudeWords(WORDS, decodeFields);
