import type { EventName, NativeEvent } from '@piton/contracts';

const SECOND = 1000;
const native = (name: string, event: EventName, seconds: number): NativeEvent => ({ name, event, timeoutMs: seconds * SECOND });

/** What the extension tells Piton; `.error` is the same event of a tool or a run that failed. pi waits for a handler without end, so the times are ours. */
export const EVENTS: readonly NativeEvent[] = [
  native('session_start', 'session_start', 60),
  native('input', 'user_prompt_submit', 30),
  native('tool_call', 'pre_tool_use', 60),
  native('tool_result', 'post_tool_use', 60),
  native('tool_result.error', 'post_tool_use_failure', 60),
  native('agent_before_settle', 'stop', 60),
  native('agent_before_settle.error', 'stop_failure', 30),
  native('session_before_compact', 'pre_compact', 60),
  native('session_compact', 'post_compact', 30),
  native('session_shutdown', 'session_end', 5),
];

const BY_NAME: ReadonlyMap<string, EventName> = new Map(EVENTS.map(({ name, event }) => [name, event]));
export const canonicalName = (nativeEvent: string): EventName => BY_NAME.get(nativeEvent) ?? 'other';
