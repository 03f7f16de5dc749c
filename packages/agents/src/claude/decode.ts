import { type CanonicalEvent, isToolEvent, type NativeContext, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { textOf } from '../shared/json-fields.ts';
import { firstText, readHead, readPrompt } from '../shared/portable-payload.ts';
import { canonicalName } from './events.ts';
import { decodeTool } from './tools.ts';

/** The field that says why, by event. */
const SOURCE_FIELDS: AgentTable<string, ToolEvent | 'subagent_start' | 'subagent_stop' | 'stop'> = {
  session_start: 'source',
  session_end: 'reason',
  user_prompt_submit: 'source',
  pre_compact: 'trigger',
  post_compact: 'trigger',
  stop_failure: 'error',
  notification: 'notification_type',
};

/** The fields that hold the text of an event; the first one that is there counts. */
const TEXT_FIELDS: AgentTable<
  readonly string[],
  | 'session_start'
  | 'session_end'
  | 'user_prompt_submit'
  | 'pre_tool_use'
  | 'post_tool_use'
  | 'permission_request'
  | 'subagent_start'
  | 'pre_compact'
> = {
  stop: ['last_assistant_message'],
  subagent_stop: ['last_assistant_message'],
  stop_failure: ['last_assistant_message', 'error_details', 'error'],
  post_tool_use_failure: ['error'],
  permission_denied: ['reason'],
  post_compact: ['compact_summary'],
  notification: ['message'],
};

/** Claude Code's payload is the portable one, so nothing is translated: the facts are only picked out. */
export function decode(payload: unknown, context: NativeContext): CanonicalEvent {
  const head = readHead(payload, context);
  const { fields, nativeEvent, sessionId, cwd, problems } = head;
  const event = canonicalName(nativeEvent);
  const tool = isToolEvent(event) ? decodeTool(fields, problems) : undefined;
  return canonicalEvent(
    { event, agent: 'claude', nativeEvent, sessionId, cwd, portable: fields, raw: payload },
    {
      tool,
      prompt: readPrompt(head, event),
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      agentId: textOf(fields, 'agent_id'),
      transcriptPath: textOf(fields, 'transcript_path'),
      agentTranscriptPath: textOf(fields, 'agent_transcript_path'),
      text: firstText(fields, TEXT_FIELDS[event]),
      model: textOf(fields, 'model'),
    },
    problems,
  );
}
