import { type Agent, type CanonicalEvent, type EventName, isToolEvent, type JsonObject, type NativeContext } from '@piton/contracts';

/** `exact`: as the agent sent it. `translated`: said in another name, word or shape, or found elsewhere. `not told`: the agent does not say it. */
export type Fidelity = 'exact' | 'translated' | 'not told';

export interface PayloadRow {
  readonly agent: string;
  readonly event: EventName;
  readonly field: string;
  readonly fidelity: Fidelity;
}

const COMMON = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'permission_mode'];
const CALL = ['tool_name', 'tool_input', 'tool_use_id'];

/** What Claude Code documents of each event, besides the fields that come with every one. What it marks as rolling out is not here. */
const DOCUMENTED: Partial<Record<EventName, readonly string[]>> = {
  session_start: ['source', 'model'],
  session_end: ['reason'],
  user_prompt_submit: ['prompt'],
  pre_tool_use: CALL,
  post_tool_use: [...CALL, 'tool_response', 'duration_ms'],
  post_tool_use_failure: [...CALL, 'error', 'is_interrupt', 'duration_ms'],
  permission_request: ['tool_name', 'tool_input', 'permission_suggestions'],
  permission_denied: [...CALL, 'reason'],
  subagent_start: ['agent_id', 'agent_type'],
  subagent_stop: ['agent_id', 'agent_type', 'agent_transcript_path', 'stop_hook_active', 'last_assistant_message'],
  stop: ['stop_hook_active', 'last_assistant_message'],
  stop_failure: ['error', 'error_details', 'last_assistant_message'],
  pre_compact: ['trigger', 'custom_instructions'],
  post_compact: ['trigger', 'compact_summary'],
  notification: ['message', 'title', 'notification_type'],
};

export const documentedFields = (event: EventName): readonly string[] | undefined => {
  const own = DOCUMENTED[event];
  return own && [...COMMON, ...own];
};

/** What the other payloads of the agent say. */
interface Known {
  /** The start of a subagent says its type. */
  readonly startNamesType: boolean;
}

/** Fields that Piton's memory of the session or the agent's transcript adds after decoding. */
function foundElsewhere({ event, tool, sessionId, task, transcriptPath }: CanonicalEvent, agent: Agent, known: Known): readonly string[] {
  if (event === 'stop' && agent.transcript?.holdsLastMessage && transcriptPath !== undefined) return ['last_assistant_message'];
  if (event === 'subagent_stop') return task !== undefined ? ['agent_type', 'agent_id'] : known.startNamesType ? ['agent_type'] : [];
  return isToolEvent(event) && tool !== undefined && tool.useId === undefined && sessionId !== '' ? ['tool_use_id'] : [];
}

interface Sample {
  readonly payload: unknown;
  readonly context: NativeContext;
}

/**
 * How each field of Claude Code's payloads comes about, by what the decoder makes of payloads that were recorded. Documented ones
 * say only what no recording says: agents send more than is written.
 */
export function payloadTable(agent: Agent, recorded: readonly Sample[], documented: readonly Sample[] = []): PayloadRow[] {
  const events = [...recorded, ...documented].map(({ payload, context }) => agent.decode(payload, context));
  const startNamesType = events.some(({ event, portable }) => event === 'subagent_start' && typeof portable.agent_type === 'string');
  const rows = rowsOf(agent, recorded, { startNamesType });
  for (const [key, row] of rowsOf(agent, documented, { startNamesType }))
    if ((rows.get(key)?.fidelity ?? 'not told') === 'not told') rows.set(key, row);
  return [...rows.values()];
}

function rowsOf(agent: Agent, samples: readonly Sample[], known: Known): Map<string, PayloadRow> {
  const rows = new Map<string, PayloadRow>();
  for (const { payload, context } of samples) {
    const event = agent.decode(payload, context);
    for (const field of documentedFields(event.event) ?? []) {
      const found = fidelityOf(event, field, payload, agent, known);
      const key = `${event.event} ${field}`;
      rows.set(key, { agent: agent.id, event: event.event, field, fidelity: weaker(rows.get(key)?.fidelity, found) });
    }
  }
  return rows;
}

/** A field is told where one payload of the event tells it; it is exact where all that tell it do so exactly. */
function weaker(known: Fidelity | undefined, found: Fidelity): Fidelity {
  if (known === undefined || known === 'not told') return found;
  return found === 'not told' ? known : known === 'translated' ? known : found;
}

function fidelityOf(event: CanonicalEvent, field: string, payload: unknown, agent: Agent, known: Known): Fidelity {
  const native = (typeof payload === 'object' && payload !== null ? payload : {}) as JsonObject;
  const told: JsonObject = { ...event.portable, session_id: event.sessionId || undefined, cwd: event.cwd };
  if (field === 'hook_event_name') return native.hook_event_name === portableName(event) ? 'exact' : 'translated';
  const value = told[field];
  if (value === undefined || value === null) return foundElsewhere(event, agent, known).includes(field) ? 'translated' : 'not told';
  return JSON.stringify(value) === JSON.stringify(native[field]) ? 'exact' : 'translated';
}

const portableName = ({ event }: CanonicalEvent): string => event.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
