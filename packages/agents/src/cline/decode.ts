import { type CanonicalEvent, type EventName, isToolEvent, type JsonObject, type NativeContext } from '@piton/contracts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { canonicalName } from './events.ts';
import { failureOf, portableResponse } from './tool-result.ts';
import { decodeTool, type NativeCall } from './tools.ts';

const WORDS: Words = {};

/** The payload does not name the event, only what became of it inside: the file that was run says which it is. */
function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const problems: string[] = [];
  const fields: JsonObject = isObject(payload) ? payload : {};
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);

  const { nativeEvent } = context;
  const parent = textOf(fields, 'parent_agent_id');
  const named = canonicalName(nativeEvent, parent !== undefined);
  const call = isToolEvent(named) ? callOf(fields, problems) : undefined;
  const tool = call && decodeTool(call);
  const result = fieldsOf(fields.tool_result);
  const failure = named === 'post_tool_use' ? failureOf(result, fieldsOf(fields.postToolUse)) : undefined;
  const event = failure === undefined ? named : 'post_tool_use_failure';
  const sessionId = textOf(fieldsOf(fields.sessionContext), 'rootSessionId') ?? textOf(fields, 'taskId');
  if (sessionId === undefined && isObject(payload)) problems.push('no rootSessionId and no taskId');
  const { prompt } = fieldsOf(fields.userPromptSubmit);
  if (event === 'user_prompt_submit' && typeof prompt !== 'string') problems.push('no prompt');

  const agentId = parent === undefined ? undefined : textOf(fields, 'agent_id');
  const source = sourceOf(event, nativeEvent, fields);
  const text = failure ?? textOf(fieldsOf(fields.turn), 'outputText') ?? textOf(fieldsOf(fields.error), 'message');
  const portable: JsonObject = {
    ...(event === 'user_prompt_submit' && { prompt }),
    ...(tool && { tool_name: tool.name, tool_input: tool.input, ...(tool.useId !== undefined && { tool_use_id: tool.useId }) }),
    ...(tool && 'output' in result && { tool_response: portableResponse(tool, result.output) }),
    ...(failure !== undefined && { error: failure }),
    ...((event === 'stop' || event === 'subagent_stop') && { last_assistant_message: text }),
    // Cline has one kind of subagent, without a name.
    ...(agentId !== undefined && { agent_id: agentId, agent_type: 'general-purpose' }),
    ...(source !== undefined && { [event === 'session_start' ? 'source' : 'reason']: source }),
  };
  return canonicalEvent(
    {
      event,
      agent: 'cline',
      nativeEvent,
      sessionId: sessionId ?? '',
      cwd: textOf(fieldsOf(fields.workspaceInfo), 'rootPath') ?? context.cwd,
      portable,
      raw: payload,
    },
    { tool, prompt: event === 'user_prompt_submit' && typeof prompt === 'string' ? prompt : undefined, source, agentId, text },
    problems,
  );
}

function sourceOf(event: EventName, nativeEvent: string, fields: JsonObject): string | undefined {
  if (event === 'session_start') return nativeEvent === 'TaskResume' ? 'resume' : 'startup';
  return textOf(fields, 'reason');
}

/** The new object where it is there, else the old one beside it, in which all values are texts. */
function callOf(fields: JsonObject, problems: string[]): NativeCall | undefined {
  const call = [fields.tool_call, fields.tool_result].find(isObject);
  const old = fieldsOf([fields.preToolUse, fields.postToolUse].find(isObject));
  const name = call ? textOf(call, 'name') : textOf(old, 'toolName');
  if (name === undefined) {
    problems.push('no tool name');
    return undefined;
  }
  if (call === undefined) return { name, input: valuesOf(fieldsOf(old.parameters)) };
  if (!isObject(call.input)) problems.push('the input of the tool is no object');
  const id = textOf(call, 'id');
  return { name, input: fieldsOf(call.input), ...(id !== undefined && { id }) };
}

const valuesOf = (parameters: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, typeof value === 'string' ? valueIn(value) : value]));

/** Only lists and objects were turned into text; a text that looks like a number was one. */
function valueIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const decode = inClaudeWords(WORDS, decodeFields);
