import type { Agent, EventName, ToolKind } from '@piton/contracts';
import { foldedName, isSynonym } from './payload-fields.ts';
import { STRANGE_TOOLS, STRANGERS } from './strangers.ts';

/** What all agents that are known say, together. */
export interface KnownWords {
  readonly agents: readonly Agent[];
  /** Is the field one that this agent sends? */
  isFieldOf(agent: Agent, key: string): boolean;
  isEventOf(agent: Agent, nativeEvent: string): boolean;
  /** Does any of them send such a field, or might one that nobody knows send it in the place of another? */
  isField(key: string): boolean;
  isEvent(nativeEvent: string): boolean;
  /** By its name in any spelling. */
  eventNamed(said: string): EventName | undefined;
  toolKind(name: string): ToolKind | undefined;
}

export function knownWords(agents: readonly Agent[]): KnownWords {
  const fields = new Set([...agents.flatMap(({ shape }) => shape.fields), ...STRANGERS.flatMap(({ fields: own }) => own)]);
  // Sets: each event that does not name its sender is looked up here while the agent waits.
  const fieldsOf = new Map(agents.map((agent) => [agent, new Set(agent.shape.fields)]));
  const eventsOf = new Map(agents.map((agent) => [agent, new Set(agent.events.map(({ name }) => name))]));
  const natives = new Set(agents.flatMap(({ events }) => events.map(({ name }) => name)));
  const events = new Map<string, EventName>();
  const kinds = new Map<string, ToolKind>(Object.entries(STRANGE_TOOLS));
  for (const agent of agents) {
    for (const { name, event } of agent.events) if (event !== 'other' && !events.has(foldedName(name))) events.set(foldedName(name), event);
    for (const [name, { kind }] of Object.entries(agent.tools)) {
      const folded = foldedName(name);
      if (!kinds.has(folded) || kinds.get(folded) === 'other') kinds.set(folded, kind);
    }
  }
  return {
    agents,
    isFieldOf: (agent, key) => fieldsOf.get(agent)?.has(key) === true,
    isEventOf: (agent, nativeEvent) => eventsOf.get(agent)?.has(nativeEvent) === true,
    isField: (key) => fields.has(key) || isSynonym(key),
    isEvent: (nativeEvent) => natives.has(nativeEvent),
    eventNamed: (said) => events.get(foldedName(said)),
    toolKind: (name) => kinds.get(foldedName(name)) ?? kinds.get(ownPart(name)),
  };
}

/** Behind a single `__` stands the tool's own name; before it, that of whoever brings it. */
export const ownPart = (name: string): string => foldedName(name.split(/(?<!_)__(?!_)/).at(-1) ?? '');
