import type { EventName, NativeEvent } from '@piton/contracts';

const SECOND = 1000;

const native = (name: string, event: EventName, seconds: number): NativeEvent => ({ name, event, timeoutMs: seconds * SECOND });

/** All events of Droid 0.215.0. */
export const EVENTS: readonly NativeEvent[] = [
  // Droid waits no longer than this for all of them; what comes later is too late for the first request.
  native('SessionStart', 'session_start', 30),
  native('SessionEnd', 'session_end', 30),
  native('UserPromptSubmit', 'user_prompt_submit', 30),
  native('PreToolUse', 'pre_tool_use', 60),
  native('PostToolUse', 'post_tool_use', 60),
  native('SubagentStop', 'subagent_stop', 30),
  native('Stop', 'stop', 60),
  native('PreCompact', 'pre_compact', 30),
  native('Notification', 'notification', 30),
];

const BY_NAME: ReadonlyMap<string, NativeEvent> = new Map(EVENTS.map((event) => [event.name, event]));

/** An event that we do not know is still delivered and recorded. */
export const canonicalName = (nativeEvent: string): EventName => BY_NAME.get(nativeEvent)?.event ?? 'other';
