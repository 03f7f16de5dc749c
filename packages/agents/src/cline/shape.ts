import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented. */
export const shape: PayloadShape = {
  head: ['clineVersion', 'taskId', 'hookName', 'sessionContext', 'workspaceInfo', 'tool_call', 'preToolUse'],
  mark: 'clineVersion',
  eventFields: ['hookName'],
  fields: wordsIn(`
    agent_id clineVersion error hookName iteration parent_agent_id postToolUse preToolUse reason sessionContext taskCancel
    taskComplete taskId taskResume taskStart timestamp tool_call tool_result turn userId userPromptSubmit workspaceInfo
    workspaceRoots
  `),
};
