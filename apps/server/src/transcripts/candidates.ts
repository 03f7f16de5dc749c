import type { Agent, CanonicalEvent, EventName, TranscriptFormat } from '@piton/contracts';
import type { DecodedEvent } from '@piton/lifecycle';

/** A transcript that may have grown, as an event tells of it. */
export interface TranscriptCandidate {
  /** The session's id in the store. */
  readonly session: string;
  /** The agent's own id of it. */
  readonly ref: string;
  readonly agent: Agent;
  readonly format: TranscriptFormat;
  readonly path: string;
  /** The subagent whose transcript it is. */
  readonly agentId: string | null;
  /** Where the agent itself keeps it, where that can be told. */
  readonly own: string | null;
}

/** After these an agent has written something worth reading; at a prompt, what it wrote after its last word. */
const GROWING: ReadonlySet<EventName> = new Set<EventName>([
  'user_prompt_submit',
  'stop',
  'stop_failure',
  'subagent_stop',
  'pre_compact',
  'post_compact',
  'session_end',
]);

export const growsTranscript = (names: readonly EventName[]): boolean => names.some((name) => GROWING.has(name));

/** Where to look after an event: the session's own transcript, and the subagent's that has ended. */
export function candidatesOf(
  { event, agent }: DecodedEvent,
  session: string,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): TranscriptCandidate[] {
  const format = agent?.transcript;
  if (agent === undefined || !format) return [];
  const located = locatedBy(event, format.locate, home, env);
  // A database is asked where the agent keeps it, wherever a payload would have it lie.
  const path = format.database ? located : event.transcriptPath || located;
  const about = { session, ref: event.sessionId, agent, own: located };
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

/** An id with a way up in it would name a file elsewhere. */
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
