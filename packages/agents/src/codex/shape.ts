import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['session_id', 'transcript_path', 'hook_event_name', 'tool_name', 'tool_input'],
  eventFields: ['hook_event_name'],
  fields: wordsIn(`
    agent_id agent_transcript_path agent_type cwd hook_event_name last_assistant_message model permission_mode prompt reason
    session_id source stop_hook_active tool_input tool_name tool_response tool_use_id transcript_path trigger turn_id
  `),
  transcript: /[\\/]rollout-[^\\/]+\.jsonl$/,
};
