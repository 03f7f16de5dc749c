import type { CanonicalEvent, EventName, JsonObject } from '@piton/contracts';

/** The `transcript_format` of what Piton writes for agents without a transcript that a hook can read. */
export const PORTABLE_TRANSCRIPT = 'claude-jsonl';

/** What a line says besides its message. */
export interface LineContext {
  readonly eventId: string;
  /** ISO-8601. */
  readonly at: string;
  readonly branch: string | null;
}

/**
 * What an event adds to a transcript in the form of Claude Code: prompts, calls, results and the last message of a turn. What
 * the model says between two calls no event tells, so it is not there.
 */
export function transcriptLines(event: CanonicalEvent, context: LineContext): JsonObject[] {
  const message = messageOf(event, context.eventId);
  if (message === undefined) return [];
  const { type, ...rest } = message;
  return [
    {
      type,
      uuid: context.eventId,
      parentUuid: null,
      sessionId: event.sessionId,
      timestamp: context.at,
      cwd: event.cwd,
      gitBranch: context.branch ?? '',
      userType: 'external',
      isSidechain: event.agentId !== undefined,
      ...(event.agentId !== undefined && { agentId: event.agentId }),
      ...rest,
    },
  ];
}

interface Line extends JsonObject {
  readonly type: 'user' | 'assistant';
}

const messageOf = (event: CanonicalEvent, eventId: string): Line | undefined => LINES[event.event]?.(event, eventId);

const useIdOf = ({ tool }: CanonicalEvent, eventId: string): string => tool?.useId ?? `toolu_${eventId}`;

function lastMessage(event: CanonicalEvent, eventId: string): Line | undefined {
  const text = event.portable.last_assistant_message;
  return typeof text === 'string' && text !== '' ? assistant(event, eventId, [{ type: 'text', text }]) : undefined;
}

/** The events that say what stands in a transcript. */
const LINES: Readonly<Partial<Record<EventName, (event: CanonicalEvent, eventId: string) => Line | undefined>>> = {
  user_prompt_submit: ({ prompt }) => (prompt === undefined ? undefined : { type: 'user', message: { role: 'user', content: prompt } }),
  pre_tool_use: (event, id) =>
    event.tool && assistant(event, id, [{ type: 'tool_use', id: useIdOf(event, id), name: event.tool.name, input: event.tool.input }]),
  post_tool_use: (event, id) => event.tool && resultOf(useIdOf(event, id), event.portable.tool_response, false),
  post_tool_use_failure: (event, id) =>
    event.tool && resultOf(useIdOf(event, id), event.portable.error ?? event.portable.tool_response ?? event.text, true),
  subagent_stop: lastMessage,
  stop: lastMessage,
};

const assistant = ({ model }: CanonicalEvent, eventId: string, content: readonly JsonObject[]): Line => ({
  type: 'assistant',
  message: { id: `msg_${eventId}`, type: 'message', role: 'assistant', model: model ?? '', content },
});

function resultOf(useId: string, response: unknown, failed: boolean): Line {
  const content = [{ type: 'tool_result', tool_use_id: useId, content: textOfResponse(response), ...(failed && { is_error: true }) }];
  return { type: 'user', message: { role: 'user', content }, toolUseResult: response ?? null };
}

/** Of a command what it printed, as Claude Code has it there. */
function textOfResponse(response: unknown): string {
  if (typeof response === 'string') return response;
  const { stdout, stderr } = (response ?? {}) as { readonly stdout?: unknown; readonly stderr?: unknown };
  if (typeof stdout === 'string') return [stdout, stderr].filter((text) => typeof text === 'string' && text !== '').join('\n');
  return response === undefined ? '' : JSON.stringify(response);
}
