import type { EventName } from '@piton/contracts';
import { canTell } from '../can-tell.ts';
import { targetsOf } from '../targets.ts';
import type { Rule } from '../world.ts';

/** Without `target_harnesses` a hook may run wherever its event is told; an agent that is named promises more. */
export const targetEventRule: Rule = ({ entry, event, file, lineOf }, { agents }) => {
  if (event === undefined || entry.target_harnesses === undefined) return [];
  return targetsOf(entry, agents)
    .filter((agent) => !canTell(agent, event))
    .map((agent) => ({
      ...{ rule: 'target.event', file, line: lineOf('target_harnesses') },
      what: `${agent.title} (${agent.id}) does not send ${event}: the hook would never run there`,
      remedy: remedyOf(agent.id, event),
    }));
};

const remedyOf = (agent: string, event: EventName): string =>
  `remove ${agent} from target_harnesses, or use another event than ${event}: piton agents ${agent}`;
