import { type CanonicalEvent, isToolEvent, type JsonObject, type NativeContext, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent, nativeEventOf } from '../shared/canonical-event.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { canonicalName, type Unreported } from './events.ts';
import { ownPrompt } from './own-prompt.ts';
import { decodeResponse, failureOf } from './tool-result.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = { notification_type: { ToolPermission: 'permission_prompt' } };

const SOURCE_FIELDS: AgentTable<string, Unreported | ToolEvent | 'user_prompt_submit' | 'stop'> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  notification: 'notification_type',
};
const TEXT_FIELDS: AgentTable<string, Unreported | ToolEvent | 'session_start' | 'session_end' | 'user_prompt_submit' | 'pre_compact'> = {
  stop: 'prompt_response',
  notification: 'message',
};

function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const problems: string[] = [];
  const fields: JsonObject = isObject(payload) ? payload : {};
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);

  const nativeEvent = nativeEventOf(fields, context, problems);
  const named = canonicalName(nativeEvent);
  const tool = isToolEvent(named) ? decodeTool(fields, problems) : undefined;
  const failure = named === 'post_tool_use' && tool !== undefined ? failureOf(tool, fields.tool_response) : undefined;
  const event = failure === undefined ? named : 'post_tool_use_failure';
  const sessionId = textOf(fields, 'session_id');
  if (sessionId === undefined && isObject(payload)) problems.push('no session_id');
  const typed = typeof fields.prompt === 'string' ? ownPrompt(fields.prompt) : undefined;
  const prompt = event === 'user_prompt_submit' ? typed : undefined;
  if (event === 'user_prompt_submit' && prompt === undefined) problems.push('no prompt');
  const request = isObject(fields.llm_request) ? fields.llm_request : {};

  const portable: JsonObject = {
    ...fields,
    ...(typed !== undefined && { prompt: typed }),
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(tool && 'tool_response' in fields && { tool_response: decodeResponse(tool, fields.tool_response) }),
    ...(failure !== undefined && { error: failure }),
    ...(event === 'stop' && { last_assistant_message: fields.prompt_response }),
  };
  return canonicalEvent(
    {
      event,
      agent: 'gemini',
      nativeEvent,
      sessionId: sessionId ?? '',
      cwd: textOf(fields, 'cwd') ?? context.cwd,
      portable,
      raw: payload,
    },
    {
      tool,
      prompt,
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      transcriptPath: textOf(fields, 'transcript_path'),
      text: failure ?? textOf(fields, TEXT_FIELDS[event] ?? ''),
      model: textOf(request, 'model'),
    },
    problems,
  );
}

export const decode = inClaudeWords(WORDS, decodeFields);
