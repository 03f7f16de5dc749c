import { type Agent, type CanonicalEvent, capabilityOf, type Delivery, decisionNameOf, type Reduced } from '@piton/contracts';
import type { LifecyclePorts } from '../ports.ts';

/** Applies session memory to a decision: refused stops are counted, and deferred content is delivered. */
export function withSessionEffects(
  { sessions }: Pick<LifecyclePorts, 'sessions'>,
  agent: Agent,
  event: CanonicalEvent,
  reduced: Reduced,
  answered: boolean,
): { reduced: Reduced; notes: Delivery[] } {
  if (event.sessionId === '') return { reduced, notes: [] };
  if (event.event === 'user_prompt_submit') sessions.prompted(event);
  if (event.event === 'stop' || event.event === 'subagent_stop') {
    const { reduced: rest, capped } = sessions.cap(event, reduced);
    return {
      reduced: rest,
      notes: capped ? [{ decision: 'continue', how: 'none', note: 'refused too often in a row: the agent may stop' }] : [],
    };
  }
  if (answered || !carriesDeferred(agent, event)) return { reduced, notes: [] };
  const deferred = sessions.takeDeferred(event);
  if (deferred === undefined) return { reduced, notes: [] };
  const content = joinTexts(deferred, reduced.content);
  return {
    reduced: {
      ...reduced,
      content,
      decision: decisionNameOf({ ...reduced, content }),
    },
    notes: [],
  };
}

/** At the first event of the session itself that takes context. A subagent would keep it to itself. */
const carriesDeferred = (agent: Agent, { event, agentId }: CanonicalEvent): boolean =>
  agentId === undefined && capabilityOf(agent.capabilities, event, 'replace').how === 'now';

export const joinTexts = (...parts: (string | undefined)[]): string => parts.filter((part) => part !== undefined).join('\n');
