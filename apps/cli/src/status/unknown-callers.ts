import { AGENTS } from '@piton/agents';
import { type Agent, UNKNOWN_AGENT } from '@piton/contracts';
import type { EventHeader, Store } from '@piton/store';
import { oneLine, plural } from '../output/text.ts';
import { formatTime } from '../output/time.ts';

const RECENT_MS = 7 * 24 * 3_600_000;
const MOST = 1000;

/** Somebody who runs an agent's hooks, and is neither that agent nor one that is known to run them. */
export interface UnknownCaller {
  readonly agent: string;
  readonly title: string;
  readonly scope: string;
  readonly events: number;
  /** There are more than were counted. */
  readonly more: boolean;
  readonly since: string;
  readonly latest: string;
  /** What was seen of it last: its fields, who it seems to be, its program. */
  readonly signs: readonly string[];
}

/** Those of the last week, by the registration that they came through. */
export async function unknownCallers(store: Store): Promise<UnknownCaller[]> {
  const events = await store.events({ agent: UNKNOWN_AGENT, since: (Date.now() - RECENT_MS) * 1000, limit: MOST, canary: false });
  const byRegistration = new Map<string, EventHeader[]>();
  for (const event of events) {
    const [agent = '', , scope = ''] = event.via.split(':');
    byRegistration.set(`${agent}:${scope}`, [...(byRegistration.get(`${agent}:${scope}`) ?? []), event]);
  }
  return [...byRegistration].map(([key, all]) => {
    const [agent = '', scope = ''] = key.split(':');
    const [newest, oldest] = [all[0] as EventHeader, all.at(-1) as EventHeader];
    return {
      ...{ agent, scope, title: agentNamed(agent)?.title ?? agent, events: all.length, more: events.length === MOST },
      ...{ since: oldest.receivedAt, latest: newest.eventId, signs: newest.problems.map(oneLine) },
    };
  });
}

export const agentNamed = (id: string): Agent | undefined => AGENTS.find((agent) => agent.id === id);

export const callerLine = ({ title, events, more, since, signs }: UnknownCaller): string =>
  `something that is not ${title} runs its hooks: ${more ? 'at least ' : ''}${plural(events, 'event')} since ${formatTime(since)}, the last ${signs.join('; ')}`;
