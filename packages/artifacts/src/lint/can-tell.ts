import { type EventName, namesFor, TOOL_KINDS } from '@piton/contracts';
import type { LintAgent } from './world.ts';

/** Does an agent tell of an event, by its own name or as a kind of a generic one? */
export function canTell({ events, capabilities, tools }: LintAgent, event: EventName): boolean {
  if (event in capabilities) return true;
  const kinds = new Set([...Object.values(tools).map(({ kind }) => kind), 'mcp' as const]);
  return events.some(({ event: told }) => TOOL_KINDS.some((kind) => namesFor(told, kinds.has(kind) ? kind : undefined).includes(event)));
}
