/** The canonical events: the only names that hooks, settings, the store and the docs use. */
export const EVENTS = [
  'session_start',
  'session_end',
  'user_prompt_submit',
  'pre_tool_use',
  'post_tool_use',
  'post_tool_use_failure',
  'pre_shell_execution',
  'post_shell_execution',
  'pre_mcp_execution',
  'post_mcp_execution',
  'pre_read_file',
  'pre_file_edit',
  'post_file_edit',
  'permission_request',
  'permission_denied',
  'subagent_start',
  'subagent_stop',
  'todo_update',
  'stop',
  'stop_failure',
  'pre_compact',
  'post_compact',
  'notification',
  'other',
] as const;
export type EventName = (typeof EVENTS)[number];

/** Events that Piton emits, for subscriptions. */
export const PITON_EVENTS = [
  'checkpoint-created',
  'checkpoint-restored',
  'session-started',
  'session-ended',
  'commit-linked',
  'hook-failed',
  'decision-denied',
  'history-read',
] as const;
export type PitonEventName = (typeof PITON_EVENTS)[number];

/** Names that people write for a canonical event besides its own. */
export const EVENT_ALIASES: Readonly<Record<string, EventName>> = {
  pre_prompt: 'user_prompt_submit',
  post_response: 'stop',
  context_compact: 'pre_compact',
};

const KNOWN: ReadonlySet<string> = new Set(EVENTS);

/** Reads a canonical event's name in any accepted spelling: snake_case, kebab-case or an alias. */
export function parseEventName(text: string): EventName | undefined {
  if (KNOWN.has(text)) return text as EventName;
  const name = text.replaceAll('-', '_');
  if (KNOWN.has(name)) return name as EventName;
  return Object.hasOwn(EVENT_ALIASES, name) ? EVENT_ALIASES[name] : undefined;
}

/** Reads the name of an event that Piton emits, in kebab-case or snake_case. */
export function parsePitonEventName(text: string): PitonEventName | undefined {
  const name = text.replaceAll('_', '-');
  return PITON_EVENTS.find((each) => each === name);
}

export const isPitonEvent = (name: EventName | PitonEventName): name is PitonEventName => PITON_EVENTS.some((each) => each === name);

/** Every spelling under which a hook directory of this event may lie. */
export function spellingsOf(event: EventName): string[] {
  const snake = [event, ...Object.keys(EVENT_ALIASES).filter((alias) => EVENT_ALIASES[alias] === event)];
  return [...new Set(snake.flatMap((name) => [name, name.replaceAll('_', '-')]))];
}

export const TOOL_KINDS = ['shell', 'read', 'edit', 'mcp', 'subagent', 'todo', 'web', 'other'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];
