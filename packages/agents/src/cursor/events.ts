import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'permission_request' | 'permission_denied' | 'todo_update' | 'post_compact' | 'notification';

/** All 21 events that are documented. A file that names another one is dropped as a whole. */
export const EVENTS: readonly NativeEvent[] = [
  native('sessionStart', 'session_start', 60),
  native('sessionEnd', 'session_end', 30),
  native('beforeSubmitPrompt', 'user_prompt_submit', 30),
  native('preToolUse', 'pre_tool_use', 60),
  native('postToolUse', 'post_tool_use', 60),
  native('postToolUseFailure', 'post_tool_use_failure', 60),
  native('subagentStart', 'subagent_start', 30),
  native('subagentStop', 'subagent_stop', 60),
  native('stop', 'stop', 60),
  native('preCompact', 'pre_compact', 60),

  native('beforeShellExecution', 'other', 60, 'calls-said-twice'),
  native('afterShellExecution', 'other', 60, 'calls-said-twice'),
  native('beforeMCPExecution', 'other', 60, 'calls-said-twice'),
  native('afterMCPExecution', 'other', 60, 'calls-said-twice'),
  native('beforeReadFile', 'other', 60, 'calls-said-twice'),
  native('afterFileEdit', 'other', 60, 'calls-said-twice'),

  native('afterAgentResponse', 'other', 30),
  native('afterAgentThought', 'other', 30),
  native('beforeTabFileRead', 'other', 30),
  native('afterTabFileEdit', 'other', 30),
  native('workspaceOpen', 'other', 30),
];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(({ name, event }) => event !== 'other' || wanted.includes(name));
}

export const { canonicalName, isKnown } = namesIn(EVENTS);

/** The names under which Cursor takes over the hooks of Claude Code's files. */
const IMPORTED: Readonly<Record<string, string>> = {
  SessionStart: 'sessionStart',
  SessionEnd: 'sessionEnd',
  UserPromptSubmit: 'beforeSubmitPrompt',
  PreToolUse: 'preToolUse',
  PostToolUse: 'postToolUse',
  Stop: 'stop',
  SubagentStop: 'subagentStop',
  PreCompact: 'preCompact',
};
export const nativeEventName = (name: string): string => (Object.hasOwn(IMPORTED, name) ? (IMPORTED[name] as string) : name);
