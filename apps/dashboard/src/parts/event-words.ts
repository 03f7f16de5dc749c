import type { PageEvent } from '@piton/contracts/page';

/** What happened, as a person would say it. */
const TITLES: Readonly<Record<PageEvent['name'], string>> = {
  session_start: 'session began',
  session_end: 'session ended',
  user_prompt_submit: 'prompt',
  pre_tool_use: 'before the call',
  post_tool_use: 'after the call',
  post_tool_use_failure: 'call failed',
  pre_shell_execution: 'before the command',
  post_shell_execution: 'after the command',
  pre_mcp_execution: 'before the MCP call',
  post_mcp_execution: 'after the MCP call',
  pre_read_file: 'before reading',
  pre_file_edit: 'before the edit',
  post_file_edit: 'after the edit',
  permission_request: 'asks for permission',
  permission_denied: 'permission denied',
  subagent_start: 'subagent began',
  subagent_stop: 'subagent ended',
  todo_update: 'to-dos',
  stop: 'turn ended',
  stop_failure: 'turn failed',
  pre_compact: 'before compaction',
  post_compact: 'after compaction',
  notification: 'notification',
  other: 'other event',
};

export const eventTitle = (name: PageEvent['name']): string => TITLES[name] ?? name;
