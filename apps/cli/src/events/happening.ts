import type { DecisionName, EventName } from '@piton/contracts';
import type { EventHeader, EventQuery, Store } from '@piton/store';

/** One thing that happened, from the events that report it: a tool call has one before it, one after it, and maybe a question. */
export interface Happening {
  /** The first of them. */
  readonly event: EventHeader;
  /** All of them, oldest first. */
  readonly parts: readonly EventHeader[];
}

/** What may follow `pre_tool_use` of the same call. */
const FOLLOWS: ReadonlySet<EventName> = new Set(['post_tool_use', 'post_tool_use_failure', 'permission_request', 'permission_denied']);

/** From events to what happened. Both newest first. */
export function happeningsOf(events: readonly EventHeader[]): Happening[] {
  const rows: { event: EventHeader; parts: EventHeader[]; isPart?: true }[] = [];
  /** Rows that wait for the event before them, by call. */
  const waiting = new Map<string, (typeof rows)[number][]>();
  for (const event of events) {
    const row: (typeof rows)[number] = { event, parts: [event] };
    rows.push(row);
    if (FOLLOWS.has(event.event)) for (const key of keysOf(event)) waiting.set(key, [...(waiting.get(key) ?? []), row]);
    if (event.event !== 'pre_tool_use') continue;
    for (const key of keysOf(event)) {
      const later = (waiting.get(key) ?? []).filter((each) => !each.isPart && sameCall(event, each.event));
      waiting.delete(key);
      for (const each of later) {
        each.isPart = true;
        row.parts.push(...each.parts);
      }
    }
    row.parts.sort((a, b) => a.seq - b.seq);
  }
  return rows.filter(({ isPart }) => !isPart);
}

/** By the agent's id of the call, and by what it does: not every event of every agent has the id. */
function keysOf({ session, tool }: EventHeader): string[] {
  if (!tool) return [];
  const does = JSON.stringify([session, tool.name, tool.command, tool.files]);
  return tool.useId === null ? [does] : [JSON.stringify([session, tool.useId]), does];
}

const sameCall = ({ tool: a }: EventHeader, { tool: b }: EventHeader): boolean =>
  a?.useId == null || b?.useId == null || a.useId === b.useId;

const STRONGEST: readonly DecisionName[] = ['deny', 'ask', 'rewrite', 'modify', 'continue', 'replace', 'allow'];

/** The event whose decision counts most; without any, the first. */
export function decidedEvent({ event, parts }: Happening): EventHeader {
  for (const decision of STRONGEST) {
    const found = parts.find((part) => part.decision === decision);
    if (found) return found;
  }
  return event;
}

const MAX_PAGES = 20;

/** The latest things that happened, newest first, and how many events they were read from. Work is bounded however many were recorded. */
export async function latestHappenings(
  store: Store,
  query: Omit<EventQuery, 'limit' | 'before'>,
  limit: number,
): Promise<{ readonly happenings: readonly Happening[]; readonly events: number }> {
  const events: EventHeader[] = [];
  const size = Math.max(100, limit * 2);
  for (let page = 0; page < MAX_PAGES; page++) {
    const before = events.at(-1)?.seq;
    const more = await store.events({ ...query, derived: false, canary: false, ...(before !== undefined && { before }), limit: size });
    events.push(...more);
    // One more than asked for: the last may lack the event before it.
    if (more.length < size || happeningsOf(events).length > limit) break;
  }
  const happenings = happeningsOf(events).slice(0, limit);
  return { happenings, events: happenings.reduce((sum, { parts }) => sum + parts.length, 0) };
}
