import type { ActiveDecision } from './decision.ts';
import { EVENTS, type EventName, type ToolKind } from './events.ts';

/** Events whose hooks are answered alike. */
export type EventFamily = 'before-tool' | 'after-tool' | 'permission' | 'prompt' | 'session-start' | 'stop' | 'before-compact' | 'rest';

interface FamilyRule {
  /** What Claude's `block` comes to: what is left to be stopped. */
  readonly block: Extract<ActiveDecision, 'deny' | 'replace' | 'continue'>;
  /** Exit code 2 is such a block, unless it is without effect or a failure here. */
  readonly exit2?: 'ignored' | 'fails';
  /** Something can still be stopped. */
  readonly deniable?: true;
  /** Plain text that a hook prints is for the model. */
  readonly injectsText?: true;
}

/** How the hooks of each family are answered. */
export const EVENT_FAMILIES: Readonly<Record<EventFamily, FamilyRule>> = {
  'before-tool': { block: 'deny', deniable: true },
  'after-tool': { block: 'replace' },
  permission: { block: 'deny', exit2: 'ignored', deniable: true },
  prompt: { block: 'deny', deniable: true, injectsText: true },
  'session-start': { block: 'deny', exit2: 'fails', injectsText: true },
  stop: { block: 'continue' },
  'before-compact': { block: 'deny', deniable: true },
  rest: { block: 'deny', exit2: 'fails' },
};

interface EventFacts {
  readonly family: EventFamily;
  /** It is about one call of a tool. */
  readonly tool?: true;
  /** It is the event of one kind of tool, beside the event of every tool. */
  readonly of?: { readonly event: 'pre_tool_use' | 'post_tool_use'; readonly kind: ToolKind };
}

const before = (kind?: ToolKind): EventFacts => ({
  ...{ family: 'before-tool', tool: true },
  ...(kind && { of: { event: 'pre_tool_use', kind } }),
});
const after = (kind?: ToolKind): EventFacts => ({
  ...{ family: 'after-tool', tool: true },
  ...(kind && { of: { event: 'post_tool_use', kind } }),
});

/** All that differs between the canonical events. */
export const EVENT_FACTS: Readonly<Record<EventName, EventFacts>> = {
  session_start: { family: 'session-start' },
  session_end: { family: 'rest' },
  user_prompt_submit: { family: 'prompt' },
  pre_tool_use: before(),
  post_tool_use: after(),
  post_tool_use_failure: after(),
  pre_shell_execution: before('shell'),
  post_shell_execution: after('shell'),
  pre_mcp_execution: before('mcp'),
  post_mcp_execution: after('mcp'),
  pre_read_file: before('read'),
  pre_file_edit: before('edit'),
  post_file_edit: after('edit'),
  permission_request: { family: 'permission', tool: true },
  permission_denied: { family: 'rest', tool: true },
  subagent_start: { family: 'rest' },
  subagent_stop: { family: 'stop' },
  todo_update: after('todo'),
  stop: { family: 'stop' },
  stop_failure: { family: 'rest' },
  pre_compact: { family: 'before-compact' },
  post_compact: { family: 'rest' },
  notification: { family: 'rest' },
  other: { family: 'rest' },
};

export const familyOf = (event: EventName): EventFamily => EVENT_FACTS[event].family;

/** Matchers count on these events only; elsewhere a matcher is ignored. Asked for every hook of every event. */
export const isToolEvent = (event: EventName): boolean => EVENT_FACTS[event].tool === true;

/**
 * The names whose hooks fire for one native call: the generic name first, then the name of its kind.
 * The post events of a kind fire after either end; the to-do list has changed only after success.
 */
export function namesFor(event: EventName, kind: ToolKind | undefined): EventName[] {
  const generic = event === 'post_tool_use_failure' && kind !== 'todo' ? 'post_tool_use' : event;
  const ofKind = EVENTS.find((name) => {
    const { of } = EVENT_FACTS[name];
    return of !== undefined && of.event === generic && of.kind === kind;
  });
  return ofKind === undefined ? [event] : [event, ofKind];
}
