import type { NativeEvent } from '@piton/contracts';
import { namesIn, native } from '../shared/native-events.ts';

/**
 * The first version in whose program text an event stands, of those looked at: 1.0.128, 2.0.42, 2.0.45, 2.0.60, 2.1.25, 2.1.50, 2.1.64,
 * 2.1.72 to 2.1.92, 2.1.101, 2.1.133, 2.1.139 and 2.1.325. The others are older than all of these.
 */
const SINCE: Readonly<Record<string, string>> = {
  SessionStart: '1.0.128',
  SessionEnd: '1.0.128',
  PermissionRequest: '2.0.45',
  SubagentStart: '2.0.45',
  PostToolUseFailure: '2.0.60',
  Setup: '2.1.25',
  TeammateIdle: '2.1.50',
  TaskCompleted: '2.1.50',
  ConfigChange: '2.1.50',
  WorktreeCreate: '2.1.50',
  WorktreeRemove: '2.1.50',
  Elicitation: '2.1.64',
  ElicitationResult: '2.1.64',
  InstructionsLoaded: '2.1.64',
  PostCompact: '2.1.76',
  StopFailure: '2.1.78',
  CwdChanged: '2.1.83',
  FileChanged: '2.1.83',
  TaskCreated: '2.1.84',
  PermissionDenied: '2.1.88',
  PostToolBatch: '2.1.133',
  UserPromptExpansion: '2.1.133',
  PreModelSwitch: '2.1.325',
  PostModelSwitch: '2.1.325',
  DirectoryAdded: '2.1.325',
  MessageDisplay: '2.1.325',
};

const withSince = (event: NativeEvent): NativeEvent => {
  const since = SINCE[event.name];
  return since === undefined ? event : { ...event, since };
};

/** All events of Claude Code 2.1.325. Those that have a canonical name and are not costly are registered by `init`. */
const ALL: readonly NativeEvent[] = [
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

export const EVENTS: readonly NativeEvent[] = ALL.map(withSince);

/** Registered for nobody: a hook there replaces Claude Code's own making of the worktree. */
const NEVER: ReadonlySet<string> = new Set(['WorktreeCreate']);

export function registeredEvents(wanted: readonly string[]): NativeEvent[] {
  return EVENTS.filter(
    ({ name, event, costly }) => !NEVER.has(name) && (wanted.includes(name) || (event !== 'other' && costly === undefined)),
  );
}

export const { canonicalName, isKnown } = namesIn(EVENTS);
