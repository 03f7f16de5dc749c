import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/** All events of Claude Code 2.1.325. Those that have a canonical name and are not costly are registered by `init`. */
export const EVENTS: readonly NativeEvent[] = [
  native('SessionStart', 'session_start', 60),
  // Claude Code gives all SessionEnd hooks together this much.
  native('SessionEnd', 'session_end', 1.5),
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('PostToolUseFailure', 'post_tool_use_failure', 60),
  native('PermissionRequest', 'permission_request', 60),
  native('PermissionDenied', 'permission_denied', 60),
  native('SubagentStart', 'subagent_start', 30),
  native('SubagentStop', 'subagent_stop', 60),
  native('Stop', 'stop', 60),
  native('StopFailure', 'stop_failure', 30),
  native('PreCompact', 'pre_compact', 60),
  native('PostCompact', 'post_compact', 30),
  native('Notification', 'notification', 30),

  native('MessageDisplay', 'other', 10, 'costly-events'),
  native('PostToolBatch', 'other', 30, 'costly-events'),
  native('TaskCreated', 'other', 30, 'tasks-said-twice'),
  native('TaskCompleted', 'other', 30, 'tasks-said-twice'),
  native('WorktreeCreate', 'other', 30, 'worktree-stdout-is-a-path'),
  native('PreModelSwitch', 'other', 30, 'model-switch-timeout-blocks'),

  native('Setup', 'other', 30),
  native('UserPromptExpansion', 'other', 30),
  native('PostModelSwitch', 'other', 30),
  native('TeammateIdle', 'other', 30),
  native('Elicitation', 'other', 30),
  native('ElicitationResult', 'other', 30),
  native('ConfigChange', 'other', 30),
  native('InstructionsLoaded', 'other', 30),
  native('CwdChanged', 'other', 30),
  native('FileChanged', 'other', 30),
  native('DirectoryAdded', 'other', 30),
  native('WorktreeRemove', 'other', 30),
];

/** Registered for nobody: a hook there replaces Claude Code's own making of the worktree. */
const NEVER: ReadonlySet<string> = new Set(['WorktreeCreate']);

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(
    ({ name, event, costly }) => !NEVER.has(name) && (wanted.includes(name) || (event !== 'other' && costly === undefined)),
  );
}

export const { canonicalName, isKnown } = namesIn(EVENTS);
