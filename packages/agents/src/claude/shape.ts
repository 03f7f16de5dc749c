import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['session_id', 'transcript_path', 'hook_event_name', 'tool_name', 'tool_input'],
  eventFields: ['hook_event_name'],
  fields: wordsIn(`
    action agent_id agent_transcript_path agent_type background_tasks cache_ttl command_args command_name command_source
    compact_summary content context_tokens custom_instructions cwd delta directory duration_ms effort elicitation_id error
    error_details estimated_cache_write_usd event expansion_type file_path final from_model hook_event_name index is_interrupt
    last_assistant_message load_reason mcp_server mcp_server_name memory_type message message_id mode model name new_cwd
    notification_type old_cwd permission_mode permission_suggestions pricing prompt prompt_cache_warm prompt_id reason
    requested_model requested_schema session_crons session_id session_title source stop_hook_active task_description task_id
    task_subject team_name teammate_name title to_model tool_calls tool_input tool_name tool_response tool_use_id
    transcript_path trigger turn_id worktree_path
  `),
  transcript: /[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/,
};
