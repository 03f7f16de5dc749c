import { type Agent, type AgentProof, DECISION_NAMES, type DecisionName, EVENTS, type EventName, type ProofRow } from '@piton/contracts';

/** What is known of one decision on one event of an agent. */
export interface MatrixCell {
  readonly event: EventName;
  readonly decision: DecisionName;
  readonly result: ProofRow['result'] | 'claimed, not seen' | 'not possible';
  readonly how?: string;
  readonly assertion?: string;
}

/** The proof of the version that the agent's folder was written for; proofs of other versions do not count. */
export const proofOf = (proofs: readonly AgentProof[], agent: Agent): AgentProof | undefined =>
  proofs.find((proof) => proof.agent === agent.id && proof.version === agent.provenVersion);

/** Every event that the agent reports, with every decision: what was seen, what is only claimed, and what is not possible. */
export function matrixOf(agent: Agent, proof: AgentProof | undefined): MatrixCell[] {
  return eventsOf(agent, proof).flatMap((event) => DECISION_NAMES.map((decision) => cellOf(agent, proof, event, decision)));
}

function eventsOf(agent: Agent, proof: AgentProof | undefined): EventName[] {
  const reported = new Set<EventName>([
    ...agent.events.filter(({ event, costly }) => event !== 'other' && costly === undefined).map(({ event }) => event),
    ...(Object.keys(agent.capabilities) as EventName[]),
    ...(proof?.rows ?? []).map(({ event }) => event),
  ]);
  return EVENTS.filter((event) => reported.has(event));
}

function cellOf(agent: Agent, proof: AgentProof | undefined, event: EventName, decision: DecisionName): MatrixCell {
  const claim = decision === 'observe' ? { how: 'now' as const } : agent.capabilities[event]?.[decision];
  const base = { event, decision };
  if (!claim || claim.how === 'none') return { ...base, result: 'not possible' };
  const seen = proof?.rows.find((row) => row.event === event && row.decision === decision);
  if (seen) return seen;
  const how = claim.how === 'degraded' ? claim.becomes : claim.how === 'deferred' ? claim.until : undefined;
  return { ...base, result: 'claimed, not seen', ...(how && { how }) };
}

/** Where a hook may add context for the model, in the order in which they come. */
const CONTEXT_EVENTS: readonly EventName[] = ['session_start', 'user_prompt_submit', 'pre_tool_use', 'post_tool_use'];

/** The first place at which the model was seen to read the context of a hook. */
export const earliestContextEvent = (cells: readonly MatrixCell[]): EventName | undefined =>
  CONTEXT_EVENTS.find((place) =>
    cells.some(({ event, decision, result }) => event === place && decision === 'replace' && result === 'verified'),
  );

/** How the matrix is shown, on the page and in the terminal. */
export const MARKS: Readonly<Record<MatrixCell['result'], string>> = {
  verified: '●',
  deferred: '◐',
  degraded: '◌',
  'not provoked': '○',
  'claimed, not seen': '?',
  'not possible': '',
};

/** What has to be said beside a mark. What is the same at several events is said once. */
export function notesOf(cells: readonly MatrixCell[]): { readonly text: string; readonly events: readonly EventName[] }[] {
  const found = cells.flatMap(({ event, decision, result, how }) => (how ? [{ event, text: `${decision}, ${result}: ${how}` }] : []));
  return [...new Set(found.map(({ text }) => text))].map((text) => ({
    text,
    events: found.filter((one) => one.text === text).map(({ event }) => event),
  }));
}
