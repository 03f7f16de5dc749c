import { AGENTS } from '@piton/agents';
import {
  EVENT_FACTS,
  type EventName,
  type EventTable,
  type JsonObject,
  PORTABLE_EVENT_NAMES,
  type ToolEvent,
  type ToolKind,
} from '@piton/contracts';
import type { SampleAbout } from './template.ts';

/** The directory of samples: one that every machine has. */
const CWD = '/tmp';

export interface Sample {
  readonly agent: string;
  readonly native_event: string;
  readonly payload: JsonObject;
  readonly cwd: string;
}

/** An event as an agent sends it whose native format is the portable one. */
export function samplePayload(event: EventName, about: SampleAbout): Sample | undefined {
  const native = PORTABLE_EVENT_NAMES[event];
  const agent = AGENTS.find(({ events }) => events.some(({ name }) => name === native));
  if (agent === undefined) return undefined;
  const payload = {
    session_id: '11111111-2222-4333-8444-555555555555',
    transcript_path: `${CWD}/transcript.jsonl`,
    cwd: CWD,
    hook_event_name: native,
    ...fieldsOf(event, about),
  };
  return { agent: agent.id, native_event: native, payload, cwd: CWD };
}

function fieldsOf(event: EventName, about: SampleAbout): JsonObject {
  const kind = kindOf(event, about);
  if (kind !== undefined) {
    const after = event.startsWith('post_') ? { tool_response: {} } : {};
    return { ...toolOf(kind, about), tool_use_id: 'toolu_01', ...after };
  }
  return FIELDS[event] ?? {};
}

/** The other fields in the payload of an event without a tool. */
const FIELDS: EventTable<JsonObject, ToolEvent> = {
  session_start: { source: 'startup' },
  session_end: { reason: 'other' },
  user_prompt_submit: { prompt: 'Where do we stand?' },
  subagent_start: {},
  subagent_stop: { stop_hook_active: false },
  stop: { stop_hook_active: false },
  stop_failure: {},
  pre_compact: { trigger: 'manual' },
  post_compact: {},
  notification: { message: 'It waits for you.' },
  other: {},
};

function kindOf(event: EventName, about: SampleAbout): ToolKind | undefined {
  const { kind, tool } = EVENT_FACTS[event];
  if (kind !== undefined || tool === undefined) return kind;
  return about.file === undefined ? 'shell' : 'edit';
}

function toolOf(kind: ToolKind, { command = 'ls', file = `${CWD}/notes.txt` }: SampleAbout): JsonObject {
  if (kind === 'shell') return { tool_name: 'Bash', tool_input: { command } };
  if (kind === 'read') return { tool_name: 'Read', tool_input: { file_path: file } };
  if (kind === 'edit') return { tool_name: 'Write', tool_input: { file_path: file, content: 'one line\n' } };
  if (kind === 'todo')
    return { tool_name: 'TodoWrite', tool_input: { todos: [{ content: 'Look', status: 'completed', activeForm: 'Looking' }] } };
  return { tool_name: 'mcp__files__list', tool_input: {} };
}
