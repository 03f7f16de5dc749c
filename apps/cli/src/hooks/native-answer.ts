import type { Agent, NativeAnswer } from '@piton/contracts';
import type { EventDetail } from '@piton/store';

/** What the agent read, encoded again from what is stored, so without secrets. Null if the body has expired. */
export function nativeAnswer(agent: Agent, event: EventDetail): NativeAnswer | null {
  const { envelope, outcome } = event;
  // With no decision, a hook may have answered in the agent's format, which is not stored.
  if (!envelope || !outcome || event.late || event.canary || outcome.decision.decision === 'observe') return null;
  // The registration may belong to another agent, but the payload is this one's.
  const decoded = agent.decode(envelope.payload, { nativeEvent: event.nativeEvent, cwd: event.projectPath, variables: {} });
  const attended = !outcome.delivered.some(({ decision, how }) => decision === 'ask' && how === 'degraded');
  return agent.encode(decoded, outcome.decision, { attended }).answer;
}
