import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['session_id', 'transcript_path', 'hook_event_name', 'tool_name', 'tool_input'],
  eventFields: ['hook_event_name'],
  fields: wordsIn(`
    agent_id agent_transcript_path agent_type all_todos background_tasks command_args command_name compact_summary context_limit
    context_usage crons custom_instructions cwd deleted_session_id displayed_text duration_ms error error_details file_path
    hook_event_name input_tokens is_final is_interrupt last_assistant_message load_reason memory_type message message_id model
    notification_type permission_mode phase previous_status prompt prompt_id reason session_id source stop_hook_active
    submitted_prompt timestamp title todo_content todo_id todo_status tool_call_id tool_calls tool_input tool_name tool_response
    tool_use_id transcript_path trigger
  `),
  transcript: /[\\/]projects[\\/][^\\/]+[\\/]chats[\\/][^\\/]+\.jsonl$/,
};
