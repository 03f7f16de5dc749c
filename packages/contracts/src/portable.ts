import type { CanonicalEvent, Tool } from './canonical.ts';
import { EVENT_FACTS } from './event-facts.ts';
import { EVENTS, type EventName, type ToolKind } from './events.ts';

/** What Piton adds to the payload that a hook reads. */
export interface PitonBlock {
  readonly event: EventName;
  readonly agent: string;
  readonly event_id: string;
  readonly tool?: {
    readonly kind: ToolKind;
    readonly command?: string;
    readonly files: readonly string[];
    /** The same files where links lead them; null where nobody could tell. */
    readonly resolved?: readonly (string | null)[];
  };
  readonly repo: string | null;
  readonly branch: string | null;
  readonly transcript_format: string | null;
  readonly derived?: true;
  readonly native: unknown;
}

export interface PortablePayload {
  readonly session_id: string;
  readonly cwd: string;
  readonly hook_event_name: string;
  readonly piton: PitonBlock;
  readonly [field: string]: unknown;
}

/** Claude Code's name of each event: hooks written for it find what they look for. */
export const PORTABLE_EVENT_NAMES = Object.fromEntries(
  EVENTS.map((event) => [event, pascalCase(EVENT_FACTS[event].of ?? event)]),
) as Readonly<Record<EventName, string>>;

function pascalCase(name: EventName): string {
  return name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}

export interface PortableContext {
  readonly eventId: string;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly transcriptFormat: string | null;
}

/** The JSON object on a hook's stdin. `name` is the name under which this hook was registered. */
export function portablePayload(event: CanonicalEvent, name: EventName, context: PortableContext): PortablePayload {
  const { tool } = event;
  return {
    ...event.portable,
    session_id: event.sessionId,
    cwd: event.cwd,
    hook_event_name: event.event === 'other' ? event.nativeEvent : PORTABLE_EVENT_NAMES[event.event],
    piton: {
      event: name,
      agent: event.agent,
      event_id: context.eventId,
      ...(tool && { tool: toolBlock(tool) }),
      repo: context.repo,
      branch: context.branch,
      transcript_format: context.transcriptFormat,
      ...(event.derived && { derived: true }),
      native: event.raw,
    },
  };
}

function toolBlock({ kind, command, files, resolved }: Tool): NonNullable<PitonBlock['tool']> {
  return { kind, ...(command !== undefined && { command }), files, ...(resolved && { resolved }) };
}

/** Values above this size are left out of the environment and named in PITON_OMITTED. */
export const ENVIRONMENT_VALUE_LIMIT = 4096;

/** No character takes more than three bytes. */
const isTooLong = (value: string): boolean =>
  value.length * 3 > ENVIRONMENT_VALUE_LIMIT && Buffer.byteLength(value) > ENVIRONMENT_VALUE_LIMIT;

/** The same facts as environment variables: data reaches a command this way, never as its text. */
export function portableEnvironment(event: CanonicalEvent, name: EventName, context: PortableContext): Record<string, string> {
  const { tool } = event;
  const kept: Record<string, string> = {};
  const omitted: string[] = [];
  const set = (key: string, value: string | null | undefined): void => {
    if (value === null || value === undefined) return;
    // A NUL cannot stand in an environment; such a value is as good as too long.
    if (isTooLong(value) || value.includes('\0')) omitted.push(key);
    else kept[key] = value;
  };
  set('PITON_EVENT', name);
  set('PITON_AGENT', event.agent);
  set('PITON_SESSION_ID', event.sessionId);
  set('PITON_EVENT_ID', context.eventId);
  set('PITON_CWD', event.cwd);
  set('PITON_REPO', context.repo);
  set('PITON_BRANCH', context.branch);
  if (tool !== undefined) {
    set('PITON_TOOL_KIND', tool.kind);
    set('PITON_TOOL_COMMAND', tool.command);
    if (tool.files.length > 0) set('PITON_TOOL_FILES', tool.files.join('\n'));
    if (tool.resolved?.length) set('PITON_TOOL_RESOLVED', tool.resolved.map((path) => path ?? '').join('\n'));
    set('TOOL_NAME', tool.name);
  }
  if (omitted.length > 0) kept.PITON_OMITTED = omitted.join(',');
  return kept;
}
