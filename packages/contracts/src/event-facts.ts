import type { ActiveDecision } from './decision.ts';
import { EVENTS, type EventName, TOOL_KINDS, type ToolKind } from './events.ts';

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

/** Events of one kind of tool: they come beside the event of every tool, and no agent reports them by themselves. */
export type KindEvent = `${'pre' | 'post'}_${'shell' | 'mcp'}_execution` | 'pre_read_file' | `${'pre' | 'post'}_file_edit` | 'todo_update';

/** Events about one call of a tool. */
export type ToolEvent = KindEvent | 'pre_tool_use' | 'post_tool_use' | 'post_tool_use_failure' | 'permission_request' | 'permission_denied';

/**
 * A table over all canonical events but those in `Without`, which have no entry. A new event does not compile until each
 * table says which it is.
 */
export type EventTable<Value, Without extends EventName = never> = Readonly<Record<Exclude<EventName, Without>, Value>> & {
  readonly [Name in Without]?: never;
};

interface EventFacts {
  readonly family: EventFamily;
  readonly tool?: true;
  /** The event of every tool that it comes beside, and the kind of tool that it is about. */
  readonly of?: 'pre_tool_use' | 'post_tool_use';
  readonly kind?: ToolKind;
  /** After a tool: only where it succeeded, or failed. */
  readonly only?: 'success' | 'failure';
}

const rest = { family: 'rest' } as const;
const stop = { family: 'stop' } as const;
const before = { family: 'before-tool', tool: true } as const;
const after = { family: 'after-tool', tool: true } as const;
const beforeKind = (kind: ToolKind) => ({ ...before, of: 'pre_tool_use', kind }) as const;
const afterKind = (kind: ToolKind) => ({ ...after, of: 'post_tool_use', kind }) as const;

/** All that differs between the canonical events. */
export const EVENT_FACTS: {
  readonly [Name in EventName]: EventFacts &
    (Name extends KindEvent ? Required<Pick<EventFacts, 'of' | 'kind'>> : { readonly of?: never; readonly kind?: never }) &
    (Name extends ToolEvent ? { readonly tool: true } : { readonly tool?: never });
} = {
  session_start: { family: 'session-start' },
  session_end: rest,
  user_prompt_submit: { family: 'prompt' },
  pre_tool_use: before,
  post_tool_use: { ...after, only: 'success' },
  post_tool_use_failure: { ...after, only: 'failure' },
  pre_shell_execution: beforeKind('shell'),
  post_shell_execution: afterKind('shell'),
  pre_mcp_execution: beforeKind('mcp'),
  post_mcp_execution: afterKind('mcp'),
  pre_read_file: beforeKind('read'),
  pre_file_edit: beforeKind('edit'),
  post_file_edit: afterKind('edit'),
  permission_request: { family: 'permission', tool: true },
  permission_denied: { ...rest, tool: true },
  subagent_start: rest,
  subagent_stop: stop,
  // The to-do list has changed only after success.
  todo_update: { ...afterKind('todo'), only: 'success' },
  stop,
  stop_failure: rest,
  pre_compact: { family: 'before-compact' },
  post_compact: rest,
  notification: rest,
  other: rest,
};

export const familyOf = (event: EventName): EventFamily => EVENT_FACTS[event].family;

/** What exit code 2 comes to; undefined where it decides nothing. */
export function exit2Of(event: EventName): FamilyRule['block'] | undefined {
  const { block, exit2 } = EVENT_FAMILIES[familyOf(event)];
  return exit2 === undefined ? block : undefined;
}

/** Plain text that a hook prints is for the model. */
export const injectsText = (event: EventName): boolean => EVENT_FAMILIES[familyOf(event)].injectsText === true;

/** Matchers count on these events only; elsewhere a matcher is ignored. Asked for every hook of every event. */
export const isToolEvent = (event: EventName): boolean => EVENT_FACTS[event].tool === true;

/**
 * The names whose hooks fire for one native call: the generic name first, then the name of its kind.
 * The post events of a kind fire after either end; the to-do list has changed only after success.
 */
export function namesFor(event: EventName, kind: ToolKind | undefined): EventName[] {
  const generic = event === 'post_tool_use_failure' && kind !== 'todo' ? 'post_tool_use' : event;
  const ofKind = EVENTS.find((name) => {
    const facts = EVENT_FACTS[name];
    return facts.of === generic && facts.kind === kind;
  });
  return ofKind === undefined ? [event] : [event, ofKind];
}

/** All names whose hooks could fire for a native call of which nobody can tell the kind. */
export const namesOfAnyKind = (event: EventName): EventName[] => [
  ...new Set([event, ...TOOL_KINDS.flatMap((kind) => namesFor(event, kind))]),
];
