import type { ActiveDecision, DecisionName } from './decision.ts';
import type { EventName } from './events.ts';

/** How a decision gets to an agent on an event. What is not in the table is `none`. */
export type Capability =
  | { readonly how: 'now' }
  | { readonly how: 'deferred'; readonly until: string }
  | { readonly how: 'degraded'; readonly becomes: string }
  | { readonly how: 'none' };

export type CapabilityTable = Readonly<Partial<Record<EventName, Readonly<Partial<Record<ActiveDecision, Capability>>>>>>;

export function capabilityOf(table: CapabilityTable, event: EventName, decision: DecisionName): Capability {
  if (decision === 'observe') return { how: 'now' };
  return table[event]?.[decision] ?? { how: 'none' };
}

/** Can any decision on this event change what the agent does? If not, it is answered before hooks run. */
export function canBlock(table: CapabilityTable, event: EventName): boolean {
  // No list: every event is asked this while its agent waits.
  const row = table[event];
  for (const decision in row) if (row[decision as ActiveDecision]?.how !== 'none') return true;
  return false;
}

/** What became of one part of a decision on its way to the agent. */
export interface Delivery {
  readonly decision: ActiveDecision;
  readonly how: Capability['how'];
  readonly note?: string;
}
