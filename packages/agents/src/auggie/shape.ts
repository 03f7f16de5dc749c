import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or stand in its program. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['conversation_id', 'workspace_roots'],
  eventFields: ['hook_event_name'],
  mark: 'is_mcp_tool',
  fields: wordsIn(`
    _exchange agent_stop_cause context conversation conversation_id file_changes hook_event_name is_mcp_tool mcp_metadata
    notification_message notification_type tool_error tool_input tool_name tool_output user_prompt workspace_roots
  `),
};
