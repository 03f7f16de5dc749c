import { type Agent, type Capability, DECISION_NAMES, type DecisionName, EVENTS, type EventName } from '@piton/contracts';
import type { AgentDriver } from '@piton/testing';

/** One decision on one event. */
export interface Cell {
  readonly event: EventName;
  readonly decision: Exclude<DecisionName, 'observe'>;
}

export const nameOf = ({ event, decision }: Cell): string => `${event}-${decision}`;
/** What the hook of this cell says, and nobody else. */
export const tokenOf = ({ event, decision }: Cell): string => `TOKEN_${event}_${decision}`;

const DECISIONS = DECISION_NAMES.filter((name): name is Cell['decision'] => name !== 'observe');
export const ALL_CELLS: readonly Cell[] = EVENTS.flatMap((event) => DECISIONS.map((decision) => ({ event, decision })));

export const claimOf = (agent: Agent, { event, decision }: Cell): Capability => agent.capabilities[event]?.[decision] ?? { how: 'none' };

/** What its table says it honours, in whatever way. */
export const claimsOf = (agent: Agent): Cell[] => ALL_CELLS.filter((cell) => claimOf(agent, cell).how !== 'none');

interface Driven {
  readonly agent: Agent;
  readonly driver: AgentDriver;
}

/** What a run can show of it. The rest the driver names, and says why. */
const provocable = ({ agent, driver }: Driven): Cell[] =>
  claimsOf(agent).filter(({ event, decision }) => !driver.unprovoked?.[event] && !driver.unprovoked?.[`${event}.${decision}`]);

const isOnTerminalOnly = ({ driver }: Driven, { event }: Cell): boolean => driver.terminal?.only.includes(event) ?? false;

/** What a headless run can show. */
export const playable = (driven: Driven): Cell[] => provocable(driven).filter((cell) => !isOnTerminalOnly(driven, cell));

/** What a run on a terminal shows, and no other. */
export const playableOnTerminal = (driven: Driven): Cell[] => provocable(driven).filter((cell) => isOnTerminalOnly(driven, cell));
