import type { ActiveDecision, Capability, CapabilityTable, EventName, EventTable, KindEvent } from '@piton/contracts';

/** A table over the events that an agent reports; `Without` has no entry. Of events without a canonical name nothing is known. */
export type AgentTable<Value, Without extends EventName = never> = EventTable<Value, Without | KindEvent | 'other'>;

export const now = { how: 'now' } as const;
export const degraded = (becomes: string) => ({ how: 'degraded', becomes }) as const;
export const later = { how: 'deferred', until: 'the next session start, prompt or tool' } as const;

type Row = Readonly<Partial<Record<ActiveDecision, Capability>>>;
type DecisionsIn<Rows> = { [Name in keyof Rows]: keyof Rows[Name] }[keyof Rows];

/**
 * What an agent honours. The rest is `none`: every decision on the events of `Unanswered`, and those of `Untaken` on every
 * event. A new event or kind of decision does not compile until each agent has an answer.
 */
export const capabilityTable =
  <Unanswered extends EventName, Untaken extends ActiveDecision = never>() =>
  <const Rows extends EventTable<Row, Unanswered | 'other'>>(
    rows: Rows & Readonly<Record<Exclude<ActiveDecision, Untaken | DecisionsIn<Rows>>, 'is honoured on no event'>>,
  ): CapabilityTable =>
    rows;
