import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'permission_denied' | 'post_compact';

/** The spelling that `init` registers: payloads in camelCase, with Copilot CLI's own names for its tools. */
const CAMEL: readonly NativeEvent[] = [
  native('sessionStart', 'session_start', 60),
  native('sessionEnd', 'session_end', 10),
  native('userPromptSubmitted', 'user_prompt_submit', 30),
  native('preToolUse', 'pre_tool_use', 60),
  native('postToolUse', 'post_tool_use', 60),
  native('postToolUseFailure', 'post_tool_use_failure', 60),
  native('permissionRequest', 'permission_request', 60),
  native('subagentStart', 'subagent_start', 30),
  native('subagentStop', 'subagent_stop', 60),
  native('agentStop', 'stop', 60),
  native('errorOccurred', 'stop_failure', 30),
  native('preCompact', 'pre_compact', 60),
  native('notification', 'notification', 30),

  native('userPromptTransformed', 'other', 30),
  native('preMcpToolCall', 'other', 30),
];

/** The same events in the spelling of Claude Code's files, which Copilot CLI runs too: received, and never registered. */
const PASCAL: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60, 'two-dialects'),
  native('SessionEnd', 'session_end', 10, 'two-dialects'),
  native('UserPromptSubmit', 'user_prompt_submit', 30, 'two-dialects'),
  native('PreToolUse', 'pre_tool_use', 60, 'two-dialects'),
  native('PostToolUse', 'post_tool_use', 60, 'two-dialects'),
  native('PostToolUseFailure', 'post_tool_use_failure', 60, 'two-dialects'),
  native('PermissionRequest', 'permission_request', 60, 'two-dialects'),
  native('SubagentStart', 'subagent_start', 30, 'two-dialects'),
  native('SubagentStop', 'subagent_stop', 60, 'two-dialects'),
  native('Stop', 'stop', 60, 'two-dialects'),
  native('ErrorOccurred', 'stop_failure', 30, 'two-dialects'),
  native('PreCompact', 'pre_compact', 60, 'two-dialects'),
  native('Notification', 'notification', 30, 'two-dialects'),
];

/** All events of Copilot CLI 1.0.102, in both spellings. */
export const EVENTS: readonly NativeEvent[] = [...CAMEL, ...PASCAL];

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return CAMEL.filter(({ name, event }) => event !== 'other' || wanted.includes(name));
}

export const { canonicalName, isKnown } = namesIn(EVENTS);

/** The spelling of an event's name decides how its payload and its answer are written. */
export const isPascal = (nativeEvent: string): boolean => /^[A-Z]/.test(nativeEvent);
