import { type CanonicalEvent, type EventName, isToolEvent, type JsonObject, type NativeContext, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { firstText } from '../shared/portable-payload.ts';
import { canonicalName, isKnown, nativeEventName, type Unreported } from './events.ts';
import { isWakeUp, portableFields, withTrigger } from './fields.ts';
import { failureOf, portableResponse } from './tool-result.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = {
  source: { new: 'startup' },
  notification_type: { task_complete: 'agent_completed', agent_error: 'agent_needs_input' },
};

const SOURCE_FIELDS: AgentTable<
  string,
  Unreported | ToolEvent | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop' | 'permission_denied'
> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  post_compact: 'trigger',
  stop_failure: 'error',
  notification: 'notification_type',
};

/** The fields that hold the text of an event; the first one that is there counts. */
const TEXT_FIELDS: AgentTable<
  readonly string[],
  | Unreported
  | Exclude<ToolEvent, 'post_tool_use_failure'>
  | 'session_start'
  | 'session_end'
  | 'user_prompt_submit'
  | 'pre_compact'
  | 'post_compact'
  | 'subagent_start'
> = {
  post_tool_use_failure: ['error'],
  stop: ['last_assistant_message'],
  subagent_stop: ['last_assistant_message'],
  stop_failure: ['error_details', 'last_assistant_message'],
  notification: ['message'],
};

function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const problems: string[] = [];
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);
  const said = isObject(payload) ? portableFields(payload) : {};
  const nativeEvent = nativeEventOf(said, context, problems);
  const named = eventOf(nativeEvent, said);
  const fields = named === 'pre_compact' || named === 'post_compact' ? withTrigger(said) : said;
  const sessionId = textOf(fields, 'session_id');
  if (sessionId === undefined && isObject(payload)) problems.push('no session id');
  const tool = isToolEvent(named) ? decodeTool(fields, problems) : undefined;
  const failure = named === 'post_tool_use' && tool !== undefined ? failureOf(tool, fields.tool_response) : undefined;
  const event = failure === undefined ? named : 'post_tool_use_failure';
  const { prompt } = fields;
  if (event === 'user_prompt_submit' && typeof prompt !== 'string') problems.push('no prompt');

  const portable: JsonObject = {
    ...fields,
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(tool && 'tool_response' in fields && { tool_response: portableResponse(tool, fields.tool_response) }),
    ...(failure !== undefined && { error: failure }),
  };
  return canonicalEvent(
    { event, agent: 'grok', nativeEvent, sessionId: sessionId ?? '', cwd: textOf(fields, 'cwd') ?? context.cwd, portable, raw: payload },
    {
      tool,
      prompt: event === 'user_prompt_submit' && typeof prompt === 'string' ? prompt : undefined,
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      agentId: event === 'subagent_start' || event === 'subagent_stop' ? textOf(fields, 'agent_id') : undefined,
      transcriptPath: textOf(fields, 'transcript_path'),
      text: failure ?? firstText(fields, TEXT_FIELDS[event]),
    },
    problems,
  );
}

/** Registered in the words of another agent whose files it also runs, an event comes under the name that it has here. */
function nativeEventOf(fields: JsonObject, { nativeEvent }: NativeContext, problems: string[]): string {
  const said = textOf(fields, 'hook_event_name');
  const named = nativeEventName(nativeEvent);
  const registered = isKnown(named) ? named : nativeEvent;
  if (said !== undefined && said !== registered) problems.push(`registered for ${nativeEvent}, but the payload says ${said}`);
  return said ?? registered;
}

/** What comes from a subagent carries its type; what comes from the session that started it does not. */
function eventOf(nativeEvent: string, fields: JsonObject): EventName {
  const named = canonicalName(nativeEvent);
  const { reason } = fields;
  // A subagent's task and what Grok Build tells itself are no prompts of the person's.
  if (named === 'user_prompt_submit' && (fields.agent_type !== undefined || isWakeUp(fields))) return 'other';
  // One more comes when the session ends, after its last turn has long ended.
  if (named === 'stop' && reason !== undefined && reason !== 'end_turn') return 'other';
  return named;
}

export const decode = inClaudeWords(WORDS, decodeFields);
