import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or stand in its program. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['client_type'],
  eventFields: ['hook_event_name'],
  mark: 'client_type',
  fields: wordsIn(`
    action agent_id agent_name child body client_type cwd decision description detached display error error_message error_type
    estimated_token_count feedback hook_event_name id is_steer kind model notification_type origin_kind origin_name profile prompt
    prompt_id queue_length reason response scope session_id session_title severity sink source source_id source_kind started_at status
    stop_hook_active tail_output task_id title token_count tool_call_id tool_input tool_name tool_output trigger turn_id uptime_ms
  `),
};
