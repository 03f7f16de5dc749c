import type { Agent, NativeAnswer } from '@piton/contracts';
import type { EventDetail } from '@piton/store';

/** What the agent read, made again by its own folder from what is stored: secrets are out of it. Null where the body is gone. */
export function nativeAnswer(agent: Agent, event: EventDetail): NativeAnswer | null {
  const { envelope, outcome } = event;
  // Where nothing was decided a hook may have answered in the agent's own language, which is not kept.
  if (!envelope || !outcome || event.late || event.canary || outcome.decision.decision === 'observe') return null;
  // The registration may be another agent's; the payload is this one's.
  const decoded = agent.decode(envelope.payload, { nativeEvent: event.nativeEvent, cwd: event.projectPath, variables: {} });
  const attended = !outcome.delivered.some(({ decision, how }) => decision === 'ask' && how === 'degraded');
  return agent.encode(decoded, outcome.decision, { attended }).answer;
}
