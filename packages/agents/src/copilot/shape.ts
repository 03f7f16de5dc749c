import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  head: ['sessionId', 'session_id', 'hook_event_name', 'toolName', 'tool_name', 'timestamp'],
  eventFields: ['hook_event_name', 'hookName'],
  fields: wordsIn(`
    agentId agentName agentType agent_id agent_name agent_type arguments customInstructions custom_instructions cwd error
    errorContext error_context hookName hook_event_name initialPrompt initial_prompt last_assistant_message message
    notification_type parentAgentId parent_agent_id permissionSuggestions prompt reason recoverable response serverName
    sessionId session_id source stopReason stop_hook_active stop_reason timestamp title toolArgs toolCallId toolInput toolName
    toolResult tool_input tool_name tool_result transcriptPath transcript_path transformedPrompt trigger
  `),
  transcript: /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/,
};
