import type { EventName } from '@piton/contracts';

/** Events whose hooks are answered alike. */
export type EventFamily = 'before-tool' | 'after-tool' | 'permission' | 'prompt' | 'session-start' | 'stop' | 'before-compact' | 'rest';

const FAMILIES: Readonly<Record<EventName, EventFamily>> = {
  session_start: 'session-start',
  session_end: 'rest',
  user_prompt_submit: 'prompt',
  pre_tool_use: 'before-tool',
  post_tool_use: 'after-tool',
  post_tool_use_failure: 'after-tool',
  pre_shell_execution: 'before-tool',
  post_shell_execution: 'after-tool',
  pre_mcp_execution: 'before-tool',
  post_mcp_execution: 'after-tool',
  pre_read_file: 'before-tool',
  pre_file_edit: 'before-tool',
  post_file_edit: 'after-tool',
  permission_request: 'permission',
  permission_denied: 'rest',
  subagent_start: 'rest',
  subagent_stop: 'stop',
  todo_update: 'after-tool',
  stop: 'stop',
  stop_failure: 'rest',
  pre_compact: 'before-compact',
  post_compact: 'rest',
  notification: 'rest',
  other: 'rest',
};

export const familyOf = (event: EventName): EventFamily => FAMILIES[event];
