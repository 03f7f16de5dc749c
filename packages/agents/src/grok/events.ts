import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'permission_request';

/** All events of Grok Build 1.0.41. Without a timeout of their own most would get five seconds. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  native('SessionEnd', 'session_end', 30),
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('PostToolUseFailure', 'post_tool_use_failure', 60),
  native('PermissionDenied', 'permission_denied', 30),
  native('SubagentStart', 'subagent_start', 30),
  native('SubagentStop', 'subagent_stop', 60),
  native('Stop', 'stop', 60),
  native('StopFailure', 'stop_failure', 30),
  native('PreCompact', 'pre_compact', 60),
  native('PostCompact', 'post_compact', 30),
  native('Notification', 'notification', 30),

  native('StopCancelled', 'other', 30),
];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(({ name, event }) => event !== 'other' || wanted.includes(name));
}

export const { canonicalName, isKnown } = namesIn(EVENTS);

/** The names under which Grok Build takes over the hooks of Cursor's file. */
const IMPORTED: Readonly<Record<string, string>> = {
  beforeSubmitPrompt: 'UserPromptSubmit',
  beforeShellExecution: 'PreToolUse',
  beforeMCPExecution: 'PreToolUse',
  beforeReadFile: 'PreToolUse',
  afterShellExecution: 'PostToolUse',
  afterMCPExecution: 'PostToolUse',
  afterFileEdit: 'PostToolUse',
  SubagentEnd: 'SubagentStop',
};

/** What it calls an event that was registered in the words of another agent. */
export const nativeEventName = (name: string): string =>
  Object.hasOwn(IMPORTED, name) ? (IMPORTED[name] as string) : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
