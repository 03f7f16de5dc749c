import { type CanonicalEvent, type EventName, isToolEvent, type JsonObject, type NativeContext, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { canonicalName, nativeEventName, type Unreported } from './events.ts';
import { failureOf, outputOf, portableOutput } from './tool-result.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = { reason: { user_close: 'prompt_input_exit' } };

const SOURCE_FIELDS: AgentTable<string, Unreported | ToolEvent | 'session_start' | 'user_prompt_submit' | 'subagent_start'> = {
  session_end: 'reason',
  pre_compact: 'trigger',
  stop: 'status',
  stop_failure: 'status',
  subagent_stop: 'status',
};

/** The field that holds the text of an event. */
const TEXT_FIELDS: AgentTable<
  string,
  | Unreported
  | Exclude<ToolEvent, 'post_tool_use_failure'>
  | 'session_start'
  | 'session_end'
  | 'user_prompt_submit'
  | 'subagent_start'
  | 'stop'
  | 'stop_failure'
  | 'pre_compact'
> = {
  post_tool_use_failure: 'error_message',
  subagent_stop: 'summary',
};

function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const problems: string[] = [];
  const fields: JsonObject = isObject(payload) ? payload : {};
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);

  const nativeEvent = nativeEventOf(fields, context, problems);
  const named = eventOf(nativeEvent, fields);
  const tool = isToolEvent(named) ? decodeTool(fields, problems) : undefined;
  const output = outputOf(fields.tool_output);
  const failure = named === 'post_tool_use' && tool !== undefined ? failureOf(tool, output) : undefined;
  const event = failure === undefined ? named : 'post_tool_use_failure';
  const sessionId = textOf(fields, 'conversation_id') ?? textOf(fields, 'session_id');
  // Opening a workspace is no part of a session.
  const outside = nativeEvent === 'workspaceOpen' && 'cursor_version' in fields;
  if (sessionId === undefined && !outside && isObject(payload)) problems.push('no conversation_id');
  const prompt = event === 'user_prompt_submit' ? fields.prompt : undefined;
  if (event === 'user_prompt_submit' && typeof prompt !== 'string') problems.push('no prompt');
  const text = failure ?? textOf(fields, TEXT_FIELDS[event] ?? '');
  const agentId = textOf(fields, 'subagent_id');

  const portable: JsonObject = {
    ...fields,
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(tool && 'tool_output' in fields && { tool_response: portableOutput(tool, output) }),
    ...(event === 'post_tool_use_failure' && text !== undefined && { error: text }),
    ...(agentId !== undefined && { agent_id: agentId, agent_type: fields.subagent_type }),
    ...(event === 'subagent_stop' && text !== undefined && { last_assistant_message: text }),
    ...(typeof fields.loop_count === 'number' && { stop_hook_active: fields.loop_count > 0 }),
  };
  return canonicalEvent(
    { event, agent: 'cursor', nativeEvent, sessionId: sessionId ?? '', cwd: cwdOf(fields, context), portable, raw: payload },
    {
      tool,
      prompt: typeof prompt === 'string' ? prompt : undefined,
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      agentId,
      transcriptPath: textOf(fields, 'transcript_path'),
      agentTranscriptPath: textOf(fields, 'agent_transcript_path'),
      text,
      model: textOf(fields, 'model'),
    },
    problems,
  );
}

function nativeEventOf(fields: JsonObject, { nativeEvent }: NativeContext, problems: string[]): string {
  const expected = nativeEventName(nativeEvent);
  const said = nativeEventName(textOf(fields, 'hook_event_name') ?? expected);
  if (said !== expected) problems.push(`registered for ${nativeEvent}, but the payload says ${said}`);
  return said;
}

function eventOf(nativeEvent: string, { status }: JsonObject): EventName {
  const named = canonicalName(nativeEvent);
  return named === 'stop' && status === 'error' ? 'stop_failure' : named;
}

/** The hooks of a user run in `~/.cursor`, so their working directory means nothing. */
function cwdOf(fields: JsonObject, context: NativeContext): string {
  const roots: readonly unknown[] = Array.isArray(fields.workspace_roots) ? fields.workspace_roots : [];
  const root = roots.find((path) => typeof path === 'string' && path !== '');
  return textOf(fields, 'cwd') ?? (typeof root === 'string' ? root : context.cwd);
}

export const decode = inClaudeWords(WORDS, decodeFields);
