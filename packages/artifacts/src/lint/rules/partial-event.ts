import type { Rule } from '../context.ts';
import { targetsOf } from '../targets.ts';

/** A guard on an event that covers less than its name says guards less than its author thinks. */
export const partialEventRule: Rule = ({ entry, event, file, lineOf }, { agents }) => {
  if (event === undefined) return [];
  return targetsOf(entry, agents).flatMap(({ id, title, partial }) => {
    const covered = partial?.[event];
    if (covered === undefined) return [];
    return [
      {
        ...{ rule: 'event.partial', file, line: lineOf('event') },
        what: `in ${title} ${event} fires for ${covered}`,
        remedy: `use pre_tool_use as well and look at commands, or name other agents in target_harnesses: piton agents ${id}`,
      },
    ];
  });
};
