import { EVENT_FACTS, type EventName, namesFor, type ToolKind } from '@piton/contracts';
import type { LintContext } from './context.ts';

export interface KnownTool {
  /** As hooks see it, in every agent. */
  readonly name: string;
  readonly kind: ToolKind;
}

/** The portable names of all tools that come with an agent. */
export function portableTools({ agents }: LintContext): KnownTool[] {
  const byName = new Map(agents.flatMap(({ tools }) => Object.values(tools).map(({ name, kind }) => [name, { name, kind }] as const)));
  return [...byName.values()];
}

/** The portable names of a native tool. */
export function portableNamesOf(native: string, { agents }: LintContext): string[] {
  const names = agents.flatMap(({ tools }) => (Object.hasOwn(tools, native) ? (tools[native]?.name ?? []) : []));
  return [...new Set(names)];
}

/** The kinds of tools for which an event fires; undefined means any. */
export function kindsOf(event: EventName): readonly ToolKind[] | undefined {
  const { kind, tool } = EVENT_FACTS[event];
  if (kind !== undefined) return [kind];
  return tool ? undefined : [];
}

/** The event of a kind that is equivalent to a generic one with a matcher. */
export const kindEvent = (event: EventName, kind: ToolKind): EventName | undefined => namesFor(event, kind)[1];
