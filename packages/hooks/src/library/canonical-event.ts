import {
  type CanonicalEvent,
  type EventName,
  type JsonObject,
  namesFor,
  PORTABLE_EVENT_NAMES,
  parseEventName,
  type ToolKind,
} from '@piton/contracts';
import type { Event } from './hook.ts';

/** What happens, as the loop reports it. All but the event itself may be left out. */
export interface Happening {
  readonly toolName?: string;
  readonly toolInput?: JsonObject;
  readonly toolResponse?: unknown;
  readonly toolUseId?: string;
  /** Left out: from the name, as Claude Code's tools are named. */
  readonly toolKind?: ToolKind;
  /** Files that the tool reads or writes. Left out: `file_path` of its input. */
  readonly files?: readonly string[];
  readonly prompt?: string;
  readonly source?: string;
  readonly sessionId?: string;
  /** Where commands run. Left out: where this process is. */
  readonly cwd?: string;
  /** Who asks: hooks find it as `piton.agent`. */
  readonly agent?: string;
  /** Further fields of the payload. */
  readonly payload?: JsonObject;
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: 'shell',
  PowerShell: 'shell',
  Read: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Task: 'subagent',
  Agent: 'subagent',
  TodoWrite: 'todo',
  WebFetch: 'web',
  WebSearch: 'web',
};

export const kindOf = (toolName: string): ToolKind =>
  toolName.startsWith('mcp__') ? 'mcp' : Object.hasOwn(KINDS, toolName) ? (KINDS[toolName] as ToolKind) : 'other';

/** Undefined where it names none: hooks may come from a file that nobody has checked. */
export const knownEvent = (event: unknown): EventName | undefined => (typeof event === 'string' ? parseEventName(event) : undefined);

export function eventNameOf(event: Event): EventName {
  const name = knownEvent(event);
  if (name === undefined) throw new TypeError(`no event is named ${String(event)}`);
  return name;
}

export function canonicalEvent(event: Event, happening: Happening): CanonicalEvent {
  const name = eventNameOf(event);
  const { toolName, toolInput: input = {}, toolResponse, toolUseId, prompt, source } = happening;
  const kind = happening.toolKind ?? kindOf(toolName ?? '');
  const named = toolName !== undefined && toolName !== '';
  const portable: JsonObject = {
    ...happening.payload,
    ...(named && { tool_name: toolName, tool_input: input }),
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    ...(toolResponse !== undefined && { tool_response: toolResponse }),
    ...(prompt !== undefined && { prompt }),
    ...(source !== undefined && { source }),
  };
  return {
    event: name,
    names: named ? namesFor(name, kind) : [name],
    agent: happening.agent ?? 'loop',
    nativeEvent: PORTABLE_EVENT_NAMES[name],
    sessionId: happening.sessionId ?? '',
    cwd: happening.cwd ?? process.cwd(),
    portable,
    raw: portable,
    ...(prompt !== undefined && { prompt }),
    ...(source !== undefined && { source }),
    ...(named && {
      tool: {
        name: toolName,
        nativeName: toolName,
        kind,
        input,
        files: happening.files ?? (typeof input.file_path === 'string' ? [input.file_path] : []),
        ...(toolUseId !== undefined && { useId: toolUseId }),
        ...(kind === 'shell' && typeof input.command === 'string' && { command: input.command }),
      },
    }),
  };
}
