import { type CanonicalEvent, type EventName, type Hearing, isToolEvent, type JsonObject } from '@piton/contracts';
import { canonicalEvent, nativeEventOf } from '../shared/canonical-event.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { canonicalName } from './events.ts';
import { decodeTool } from './tools.ts';

/** The field that says why, by event. */
const SOURCE_FIELDS: Partial<Record<EventName, string>> = {
  session_start: 'source',
  session_end: 'reason',
  user_prompt_submit: 'source',
  pre_compact: 'trigger',
  post_compact: 'trigger',
  stop_failure: 'error',
  notification: 'notification_type',
};

/** The fields that hold the text of an event; the first one that is there counts. */
const TEXT_FIELDS: Partial<Record<EventName, readonly string[]>> = {
  stop: ['last_assistant_message'],
  subagent_stop: ['last_assistant_message'],
  stop_failure: ['last_assistant_message', 'error_details', 'error'],
  post_tool_use_failure: ['error'],
  permission_denied: ['reason'],
  post_compact: ['compact_summary'],
  notification: ['message'],
};

/** Claude Code's payload is the portable one, so nothing is translated: the facts are only picked out. */
export function decode(payload: unknown, hearing: Hearing): CanonicalEvent {
  const problems: string[] = [];
  const fields: JsonObject = isObject(payload) ? payload : {};
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);

  const nativeEvent = nativeEventOf(fields, hearing, problems);
  const event = canonicalName(nativeEvent);
  const tool = isToolEvent(event) ? decodeTool(fields, problems) : undefined;
  const sessionId = textOf(fields, 'session_id');
  if (sessionId === undefined && isObject(payload)) problems.push('no session_id');
  const prompt = event === 'user_prompt_submit' ? fields.prompt : undefined;
  if (event === 'user_prompt_submit' && typeof prompt !== 'string') problems.push('no prompt');

  return canonicalEvent(
    {
      event,
      agent: 'claude',
      nativeEvent,
      sessionId: sessionId ?? '',
      cwd: textOf(fields, 'cwd') ?? hearing.cwd,
      portable: fields,
      raw: payload,
    },
    {
      tool,
      prompt: typeof prompt === 'string' ? prompt : undefined,
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      agentId: textOf(fields, 'agent_id'),
      transcriptPath: textOf(fields, 'transcript_path'),
      text: TEXT_FIELDS[event]?.map((field) => textOf(fields, field)).find((text) => text !== undefined),
      model: textOf(fields, 'model'),
    },
    problems,
  );
}
