import type { EventName, NativeEvent } from '@piton/contracts';
import { native } from '../shared/native-events.ts';

/** Canonical events that it never reports. */
export type Unreported = 'permission_request' | 'permission_denied' | 'todo_update' | 'post_compact' | 'notification';

/**
 * All events of Cline CLI 3.0.65, by the names of the files that it runs for them. It waits 120 s for the hooks of a tool and
 * for no other; our own deadline stays well below.
 */
export const EVENTS: readonly NativeEvent[] = [
  native('TaskStart', 'session_start', 30),
  native('TaskResume', 'session_start', 30),
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('TaskComplete', 'stop', 30),
  native('TaskError', 'stop_failure', 30),
  native('TaskCancel', 'stop_failure', 30),
  native('SessionShutdown', 'session_end', 30),
  native('PreCompact', 'pre_compact', 30, 'a-file-that-is-never-run'),
];

export const REGISTERED: readonly NativeEvent[] = EVENTS.filter(({ costly }) => costly === undefined);

const BY_NAME: ReadonlyMap<string, NativeEvent> = new Map(EVENTS.map((event) => [event.name, event]));
export const isKnown = (nativeEvent: string): boolean => BY_NAME.has(nativeEvent);

/** Only the id of a parent distinguishes a subagent from the main agent. */
const OF_SUBAGENT: Partial<Record<EventName, EventName>> = {
  session_start: 'subagent_start',
  stop: 'subagent_stop',
  stop_failure: 'subagent_stop',
};

/** An event that we do not know is still delivered and recorded. */
export function canonicalName(nativeEvent: string, inSubagent: boolean): EventName {
  const event = BY_NAME.get(nativeEvent)?.event ?? 'other';
  return inSubagent ? (OF_SUBAGENT[event] ?? event) : event;
}
