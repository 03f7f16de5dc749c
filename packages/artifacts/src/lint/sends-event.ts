import { type EventName, namesFor, TOOL_KINDS } from '@piton/contracts';
import type { LintAgent } from './context.ts';

/** Does an agent send an event, directly or as a kind of a generic one? */
export function sendsEvent({ events, capabilities, tools }: LintAgent, event: EventName): boolean {
  if (event in capabilities) return true;
  const kinds = new Set([...Object.values(tools).map(({ kind }) => kind), 'mcp' as const]);
  return events.some(({ event: sent }) => TOOL_KINDS.some((kind) => namesFor(sent, kinds.has(kind) ? kind : undefined).includes(event)));
}
