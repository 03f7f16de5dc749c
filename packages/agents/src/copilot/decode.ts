import { type CanonicalEvent, type EventName, isToolEvent, type JsonObject, type NativeContext, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { canonicalName, isPascal, type Unreported } from './events.ts';
import { portableFields, sessionOf } from './fields.ts';
import { failureOf, portableResult } from './tool-result.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = {
  source: { new: 'startup' },
  reason: { user_exit: 'prompt_input_exit' },
  notification_type: { agent_idle: 'idle_prompt' },
};

const SOURCE_FIELDS: AgentTable<string, Unreported | ToolEvent | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop'> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  stop_failure: 'error_context',
  notification: 'notification_type',
};

/** Where an event says its text. */
const TEXTS: AgentTable<
  (fields: JsonObject) => string | undefined,
  | Unreported
  | Exclude<ToolEvent, 'post_tool_use_failure'>
  | 'session_start'
  | 'session_end'
  | 'user_prompt_submit'
  | 'subagent_start'
  | 'stop'
  | 'pre_compact'
> = {
  post_tool_use_failure: (fields) => textOf(fields, 'error'),
  subagent_stop: (fields) => textOf(fields, 'last_assistant_message'),
  stop_failure: (fields) => (isObject(fields.error) ? textOf(fields.error, 'message') : textOf(fields, 'error')),
  notification: (fields) => textOf(fields, 'message'),
};

function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const problems: string[] = [];
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);
  const fields = isObject(payload) ? portableFields(payload) : {};

  const nativeEvent = nativeEventOf(fields, context, problems);
  const agentId = textOf(fields, 'agent_id');
  const named = eventOf(nativeEvent, fields, agentId);
  const cwd = textOf(fields, 'cwd') ?? context.cwd;
  const tool = isToolEvent(named) ? decodeTool(fields, cwd, problems) : undefined;
  const failure = named === 'post_tool_use' && tool !== undefined ? failureOf(tool, fields.tool_response) : undefined;
  const event = failure === undefined ? named : 'post_tool_use_failure';
  const sessionId = sessionOf(fields);
  if (sessionId === undefined && isObject(payload)) problems.push('no session id');
  const prompt = event === 'user_prompt_submit' ? fields.prompt : undefined;
  if (event === 'user_prompt_submit' && typeof prompt !== 'string') problems.push('no prompt');
  const text = failure ?? TEXTS[event]?.(fields);

  const portable: JsonObject = {
    ...fields,
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(tool && 'tool_response' in fields && { tool_response: portableResult(tool, fields.tool_response) }),
    ...(failure !== undefined && { error: failure }),
  };
  return canonicalEvent(
    {
      event,
      agent: 'copilot',
      nativeEvent,
      sessionId: sessionId ?? '',
      cwd,
      portable,
      raw: payload,
    },
    {
      tool,
      prompt: typeof prompt === 'string' ? prompt : undefined,
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      agentId,
      transcriptPath: textOf(fields, 'transcript_path'),
      text,
    },
    problems,
  );
}

/** In camelCase only a notification names its event, and that in the other spelling. */
function nativeEventOf(fields: JsonObject, { nativeEvent }: NativeContext, problems: string[]): string {
  const said = textOf(fields, 'hook_event_name');
  if (said === undefined || said === nativeEvent || (!isPascal(nativeEvent) && said.toLowerCase() === nativeEvent.toLowerCase()))
    return nativeEvent;
  problems.push(`registered for ${nativeEvent}, but the payload says ${said}`);
  return said;
}

function eventOf(nativeEvent: string, fields: JsonObject, agentId: string | undefined): EventName {
  const named = canonicalName(nativeEvent);
  // A subagent's task is no prompt of the person's, and its own stop comes before the event that can refuse it.
  if (agentId !== undefined && (named === 'user_prompt_submit' || named === 'stop')) return 'other';
  // An error that is tried again ends no turn.
  if (named === 'stop_failure' && fields.recoverable !== false) return 'other';
  return named;
}

export const decode = inClaudeWords(WORDS, decodeFields);
