import type { Agent, CanonicalEvent, EventName } from '@piton/contracts';
import type { HeardFrame } from '../hearing.ts';

/** A transcript that may have grown, as an event tells of it. */
export interface Sight {
  /** The session's id in the store. */
  readonly session: string;
  readonly agent: Agent;
  readonly path: string;
  /** The subagent whose transcript it is. */
  readonly agentId: string | null;
  /** Where the agent itself keeps it, where that can be told. */
  readonly own: string | null;
}

/** After these an agent has written something worth reading; at a prompt, what it wrote after its last word. */
const MOMENTS: ReadonlySet<EventName> = new Set<EventName>([
  'user_prompt_submit',
  'stop',
  'stop_failure',
  'subagent_stop',
  'pre_compact',
  'post_compact',
  'session_end',
]);

export const isMoment = (names: readonly EventName[]): boolean => names.some((name) => MOMENTS.has(name));

/** Where to look after an event: the session's own transcript, and the subagent's that has ended. */
export function sightsOf(
  { event, agent }: HeardFrame,
  session: string,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Sight[] {
  const format = agent?.transcript;
  if (agent === undefined || !format || format.print !== undefined) return [];
  const located = locatedBy(event, format.locate, home, env);
  const path = event.transcriptPath || located;
  const sight = (where: string, agentId: string | null): Sight => ({ session, agent, path: where, agentId, own: located });
  return [
    ...(path ? [sight(path, null)] : []),
    ...(event.agentTranscriptPath ? [sight(event.agentTranscriptPath, event.agentId ?? 'subagent')] : []),
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
