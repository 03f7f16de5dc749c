import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['session_id', 'transcript_path', 'hook_event_name', 'tool_name', 'tool_input'],
  eventFields: ['hook_event_name'],
  fields: wordsIn(`
    CLAUDE_ENV_FILE calling_session_id custom_instructions cwd elapsed_time estimated_tokens has_images hook_event_name message
    message_count message_id notification_type permission_mode prompt reason session_duration_ms session_id source
    stop_hook_active task_name task_result tool_execution_count tool_input tool_name tool_response transcript_path trigger
  `),
  transcript: /[\\/]sessions[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/,
};
