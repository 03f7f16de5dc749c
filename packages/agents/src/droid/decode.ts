import { type CanonicalEvent, type EventName, type Hearing, isToolEvent, type JsonObject } from '@piton/contracts';
import { canonicalEvent, nativeEventOf } from '../shared/canonical-event.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { canonicalName } from './events.ts';
import { decodeTool } from './tools.ts';

/** The field that says why, by event. */
const SOURCE_FIELDS: Partial<Record<EventName, string>> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  notification: 'notification_type',
};

/** The fields that hold the text of an event; the first one that is there counts. */
const TEXT_FIELDS: Partial<Record<EventName, readonly string[]>> = {
  subagent_stop: ['task_result', 'task_error'],
  notification: ['message'],
};

/** Droid's payload has the portable names; its tools and their fields are called otherwise, and its calls have no id. */
export function decode(payload: unknown, hearing: Hearing): CanonicalEvent {
  const problems: string[] = [];
  const fields: JsonObject = isObject(payload) ? payload : {};
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);

  const nativeEvent = nativeEventOf(fields, hearing, problems);
  const event = canonicalName(nativeEvent);
  const cwd = textOf(fields, 'cwd') ?? hearing.cwd;
  const tool = isToolEvent(event) ? decodeTool(fields, cwd, problems) : undefined;
  const sessionId = textOf(fields, 'session_id');
  if (sessionId === undefined && isObject(payload)) problems.push('no session_id');
  const prompt = event === 'user_prompt_submit' && typeof fields.prompt === 'string' ? fields.prompt : undefined;
  if (event === 'user_prompt_submit' && prompt === undefined) problems.push('no prompt');

  const portable = tool === undefined ? fields : { ...fields, tool_name: tool.name, tool_input: tool.input };
  return canonicalEvent(
    { event, agent: 'droid', nativeEvent, sessionId: sessionId ?? '', cwd, portable, raw: payload },
    {
      tool,
      prompt,
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      parentSessionId: textOf(fields, 'calling_session_id'),
      transcriptPath: textOf(fields, 'transcript_path'),
      text: TEXT_FIELDS[event]?.map((field) => textOf(fields, field)).find((text) => text !== undefined),
    },
    problems,
  );
}
