import type { Agent, CanonicalEvent, EventName, EventTable, ToolEvent, TranscriptFormat } from '@piton/contracts';
import type { DecodedEvent } from '@piton/lifecycle';

/** A transcript that may have grown, from an event. */
export interface TranscriptCandidate {
  /** The session's id in the store. */
  readonly session: string;
  /** The agent's id for the session. */
  readonly ref: string;
  readonly agent: Agent;
  readonly format: TranscriptFormat;
  readonly path: string;
  /** The subagent whose transcript it is. */
  readonly agentId: string | null;
  /** Where the agent keeps it, if that is known. */
  readonly agentPath: string | null;
  /** The model that the event names. */
  readonly model?: string | null;
}

/** After these events there is something new to read; at a prompt, what the agent wrote after its last stop. */
const GROWING: EventTable<boolean, ToolEvent> = {
  session_start: false,
  session_end: true,
  user_prompt_submit: true,
  subagent_start: false,
  subagent_stop: true,
  stop: true,
  stop_failure: true,
  pre_compact: true,
  post_compact: true,
  notification: false,
  other: false,
};

export const growsTranscript = (names: readonly EventName[]): boolean => names.some((name) => GROWING[name] === true);

/** What to read after an event: the session's transcript, and that of a subagent that has ended. */
export function candidatesOf(
  { event, agent }: DecodedEvent,
  session: string,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): TranscriptCandidate[] {
  const format = agent?.transcript;
  if (agent === undefined || !format) return [];
  const located = locatedBy(event, format.locate, home, env);
  // A database is read only from the agent's own location, never from a path in a payload.
  const path = format.database ? located : event.transcriptPath || located;
  const about = { session, ref: event.sessionId, agent, agentPath: located, model: event.model ?? null };
  const candidates = (where: string, agentId: string | null): TranscriptCandidate[] => {
    const beside = format.beside?.locate(where) ?? null;
    return [
      { ...about, format, path: where, agentId },
      ...(beside !== null && format.beside ? [{ ...about, format: format.beside.format, path: beside, agentId }] : []),
    ];
  };
  return [
    ...(path ? candidates(path, null) : []),
    ...(event.agentTranscriptPath ? candidates(event.agentTranscriptPath, event.agentId ?? 'subagent') : []),
  ];
}

type Locate = NonNullable<NonNullable<Agent['transcript']>['locate']>;

/** An id with a path separator would name a file elsewhere. */
const UNSAFE = /[/\\\0]|^\.{1,2}$/;

function locatedBy(
  { sessionId, cwd }: CanonicalEvent,
  locate: Locate | undefined,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (locate === undefined || sessionId === '' || UNSAFE.test(sessionId)) return null;
  const found = locate({ sessionId, cwd, home, env });
  return found === null || found.startsWith('/') ? found : `${home}/${found}`;
}
