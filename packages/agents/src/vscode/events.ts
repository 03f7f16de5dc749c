import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported =
  | 'session_end'
  | 'post_tool_use_failure'
  | 'permission_request'
  | 'permission_denied'
  | 'stop_failure'
  | 'post_compact'
  | 'notification';

/** All 8 events that are documented. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('SubagentStart', 'subagent_start', 30),
  native('SubagentStop', 'subagent_stop', 60),
  native('Stop', 'stop', 60),
  native('PreCompact', 'pre_compact', 60),
];

export const { canonicalName } = namesIn(EVENTS);

/** The names of Copilot CLI, whose files it runs too, under its own. */
const CONVERTED: Readonly<Record<string, string>> = {
  sessionStart: 'SessionStart',
  userPromptSubmitted: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  subagentStart: 'SubagentStart',
  subagentStop: 'SubagentStop',
  agentStop: 'Stop',
  preCompact: 'PreCompact',
};
export const nativeEventName = (name: string): string => (Object.hasOwn(CONVERTED, name) ? (CONVERTED[name] as string) : name);
