import {
  type CanonicalEvent,
  type EventName,
  isToolEvent,
  type JsonObject,
  type NativeContext,
  namesFor,
  type Tool,
} from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { canonicalName } from './events.ts';
import { ownerOf } from './sessions.ts';
import { decodeTool, failureIn, portableResponse } from './tools.ts';

const WORDS: Words = { source: { new: 'clear' } };

/** The event as oh-my-pi hands it to an extension, and beside it `ctx`: what the extension can ask of the session. */
function decodeFields(value: unknown, context: NativeContext): CanonicalEvent {
  const problems: string[] = [];
  const payload: JsonObject = fieldsOf(value);
  const session: JsonObject = fieldsOf(payload.ctx);
  if (!isObject(value)) problems.push(`the payload is ${value === null ? 'not JSON' : 'no JSON object'}`);
  else if (textOf(payload, 'type') === undefined) problems.push('no type');

  const event = withFailure(canonicalName(context.nativeEvent), payload);
  const tool = isToolEvent(event) ? toolIn(payload, problems) : undefined;
  const prompt = event === 'user_prompt_submit' && typeof payload.prompt === 'string' ? payload.prompt : undefined;
  if (event === 'user_prompt_submit' && prompt === undefined) problems.push('no prompt');
  const source = textOf(payload, event === 'stop_failure' ? 'error' : 'reason');
  const text = textOf(payload, 'lastText') ?? (event === 'post_tool_use_failure' ? failureIn(payload.content) : undefined);
  const sessionFile = textOf(session, 'sessionFile');
  const owner = ownerOf(sessionFile);
  const own = textOf(session, 'sessionId') ?? '';
  const model = textOf(session, 'model');
  const transcriptPath = owner?.file ?? sessionFile;
  const spoken = event === 'stop' || event === 'subagent_stop';
  return {
    event,
    names: namesFor(event, tool?.kind),
    agent: 'omp',
    nativeEvent: context.nativeEvent,
    sessionId: owner?.sessionId ?? own,
    cwd: textOf(session, 'cwd') ?? context.cwd,
    portable: {
      ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
      ...(owner !== undefined && { agent_id: own }),
      ...(owner !== undefined && event === 'subagent_stop' && { agent_transcript_path: sessionFile }),
      ...(tool && toolFields(tool, event, payload, text)),
      ...(prompt !== undefined && { prompt }),
      ...(source !== undefined && sourceField(event, source)),
      ...(spoken && { stop_hook_active: payload.continued === true, ...(text && { last_assistant_message: text }) }),
      ...(model !== undefined && { model }),
    },
    raw: value,
    ...(tool && { tool }),
    ...(prompt !== undefined && { prompt }),
    ...(source !== undefined && { source }),
    ...(owner !== undefined && { agentId: own }),
    ...(transcriptPath !== undefined && { transcriptPath }),
    ...(owner !== undefined && sessionFile !== undefined && { agentTranscriptPath: sessionFile }),
    ...(text !== undefined && { text }),
    ...(model !== undefined && { model }),
    ...(problems.length > 0 && { problems }),
  };
}

/** An error is an ordinary result that says so. */
const withFailure = (event: EventName, payload: JsonObject): EventName =>
  event === 'post_tool_use' && payload.isError === true ? 'post_tool_use_failure' : event;

function toolIn(payload: JsonObject, problems: string[]): Tool | undefined {
  const name = textOf(payload, 'toolName');
  if (name === undefined) problems.push('no toolName');
  return name === undefined ? undefined : decodeTool(name, fieldsOf(payload.input), textOf(payload, 'toolCallId'));
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
  if (event === 'stop_failure') return { error: source };
  if (event === 'session_end' || event === 'permission_denied') return { reason: source };
  return event === 'pre_compact' || event === 'post_compact' ? { trigger: source === 'manual' ? 'manual' : 'auto' } : {};
}

export const decode = inClaudeWords(WORDS, decodeFields);
