import type { EventName } from '@piton/contracts';
import type { Rule } from '../context.ts';
import { sendsEvent } from '../sends-event.ts';
import { targetsOf } from '../targets.ts';

/** Without `target_harnesses` a hook runs in every agent that sends its event. A named agent must send it. */
export const targetEventRule: Rule = ({ entry, event, file, lineOf }, { agents }) => {
  if (event === undefined || entry.target_harnesses === undefined) return [];
  return targetsOf(entry, agents)
    .filter((agent) => !sendsEvent(agent, event))
    .map((agent) => ({
      ...{ rule: 'target.event', file, line: lineOf('target_harnesses') },
      what: `${agent.title} (${agent.id}) does not send ${event}: the hook would never run there`,
      remedy: remedyOf(agent.id, event),
    }));
};

const remedyOf = (agent: string, event: EventName): string =>
  `remove ${agent} from target_harnesses, or use another event than ${event}: piton agents ${agent}`;
