import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['session_id', 'transcript_path', 'hook_event_name', 'tool_name', 'tool_input'],
  eventFields: ['hook_event_name'],
  fields: wordsIn(`
    cwd details hook_event_name llm_request llm_response mcp_context message notification_type prompt prompt_response reason
    session_id source stop_hook_active timestamp tool_input tool_name tool_response transcript_path trigger
  `),
  transcript: /[\\/]chats[\\/]session-[^\\/]+\.jsonl?$/,
};
