import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['conversation_id', 'cursor_version', 'generation_id', 'hook_event_name', 'session_id', 'tool_name'],
  mark: 'cursor_version',
  eventFields: ['hook_event_name'],
  fields: wordsIn(`
    agent_transcript_path attachments cache_read_tokens cache_write_tokens command composer_mode content context_tokens
    context_usage_percent context_window_size conversation_id cursor_version cwd description duration duration_ms edits
    error_message failure_type file_path final_status generation_id git_branch hook_event_name input_tokens is_background_agent
    is_first_compaction is_interrupt is_parallel_worker loop_count mcp_server_name message_count messages_to_compact model
    modified_files output output_tokens parent_conversation_id prompt reason result_json sandbox session_id status subagent_id
    subagent_model subagent_type summary task text tool_call_count tool_call_id tool_input tool_name tool_output tool_use_id
    transcript_path trigger user_email workspace_roots
  `),
  transcript: /[\\/]agent-transcripts[\\/]/,
};
