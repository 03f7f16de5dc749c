import type { EventName, NativeEvent } from '@piton/contracts';

const SECOND = 1000;
const native = (name: string, event: EventName, seconds: number): NativeEvent => ({ name, event, timeoutMs: seconds * SECOND });

/** Canonical events that it never reports. */
export type Unreported = 'notification';

/**
 * What the plugin sends to Piton, by the names of the plugin API. `.child` is the same event of a subagent's session, and
 * `session.resumed` is ours: a session that was there before says nothing until its first prompt. The agent itself waits
 * without end, so the times are ours, too.
 */
export const EVENTS: readonly NativeEvent[] = [
  native('session.created', 'session_start', 60),
  native('session.resumed', 'session_start', 60),
  native('session.created.child', 'subagent_start', 30),
  native('chat.message', 'user_prompt_submit', 30),
  native('tool.execute.before', 'pre_tool_use', 60),
  native('tool.execute.after', 'post_tool_use', 60),
  native('message.part.updated', 'post_tool_use_failure', 30),
  native('permission.asked', 'permission_request', 30),
  native('permission.replied', 'permission_denied', 30),
  native('session.idle', 'stop', 60),
  native('session.idle.child', 'subagent_stop', 30),
  native('session.error', 'stop_failure', 30),
  native('experimental.session.compacting', 'pre_compact', 60),
  native('session.compacted', 'post_compact', 30),
  native('session.deleted', 'session_end', 5),
  native('dispose', 'session_end', 5),
];

const BY_NAME: ReadonlyMap<string, EventName> = new Map(EVENTS.map(({ name, event }) => [name, event]));
export const canonicalName = (nativeEvent: string): EventName => BY_NAME.get(nativeEvent) ?? 'other';
