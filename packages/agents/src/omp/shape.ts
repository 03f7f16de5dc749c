import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  head: ['type', 'ctx', 'toolName', 'reason', 'prompt'],
  fields: wordsIn(`
    approvalMode approved content continued ctx customInstructions details error fromExtension input isError lastText prompt reason
    sessionId stop_hook_active toolCallId toolName turn_id type
  `),
};
