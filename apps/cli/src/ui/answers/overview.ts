import type { ExportCost, TokenCounts } from '@piton/contracts';
import type { PageOverview, PageSums } from '@piton/contracts/page';
import type { Sums, UsageSum } from '@piton/store';
import { sumCosts, summedCost } from '../../export/cost.ts';
import { sumTokens } from '../../export/tokens.ts';
import { badRequest } from '../answer.ts';
import { numberIn } from '../query.ts';
import { type PageReader, repositoryIdOf } from '../reader.ts';
import { lastDays } from './days.ts';

const MAX_DAYS = 366;
const MAX_REPOSITORIES = 100;
const NOTHING: Sums = { events: [], sessions: [], usage: [], counting: false };

/** What was counted, by day, agent, model and repository. */
export async function answerOverview(reader: PageReader, query: URLSearchParams): Promise<PageOverview> {
  const count = numberIn(query, 'days') ?? 30;
  if (count < 1 || count > MAX_DAYS) throw badRequest(`days is from 1 to ${MAX_DAYS}`);
  const given = query.get('repository');
  const repo = given === null ? undefined : await reader.root(given);
  const days = lastDays(count, Date.now(), query.get('zone'));
  const store = await reader.store();
  const found = (await store?.sums({ sinceUs: (days[0]?.from ?? 0) * 1000, ...(repo !== undefined && { repo }) })) ?? NOTHING;
  const own = reader.prices();
  const costOf = (usage: readonly UsageSum[]): ExportCost | null =>
    sumCosts([...groups(usage, ({ agent }) => agent)].map(([agent, some]) => summedCost(agent, some, own)));
  const dayOf = ({ fromUs }: { readonly fromUs: number }): string => days.findLast(({ from }) => from <= fromUs / 1000)?.day ?? '';
  const by = <Key>(keyOf: (one: Keyed) => Key): Map<Key, PageSums> => grouped(found, keyOf, costOf);
  const byDay = by(dayOf);
  return {
    counting: found.counting,
    totals: by(() => 'all').get('all') ?? sumsOf(NOTHING, costOf),
    days: days.map(({ day }) => ({ day, ...(byDay.get(day) ?? sumsOf(NOTHING, costOf)) })),
    agents: [...by(({ agent }) => agent)].map(([agent, sums]) => ({ agent, ...sums })).sort((one, other) => other.tools - one.tools),
    models: [...groups(found.usage, ({ model }) => model)]
      .map(([model, usage]) => ({
        model,
        requests: usage.reduce((sum, one) => sum + one.requests, 0),
        tokens: tokensOf(usage) as TokenCounts,
        cost: costOf(usage),
      }))
      .sort((one, other) => (other.cost?.usd ?? 0) - (one.cost?.usd ?? 0) || other.requests - one.requests),
    repositories: [...by(({ repo: root }) => root)]
      .map(([root, sums]) => ({ root, repository: repositoryIdOf(root), ...sums }))
      .sort((one, other) => other.tools - one.tools)
      .slice(0, MAX_REPOSITORIES),
  };
}

interface Keyed {
  readonly fromUs: number;
  readonly agent: string;
  readonly repo: string | null;
}

function groups<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const found = new Map<Key, Item[]>();
  for (const item of items) {
    const known = found.get(keyOf(item));
    if (known === undefined) found.set(keyOf(item), [item]);
    else known.push(item);
  }
  return found;
}

function grouped<Key>(
  { events, sessions, usage }: Sums,
  keyOf: (one: Keyed) => Key,
  costOf: (usage: readonly UsageSum[]) => ExportCost | null,
) {
  const [someEvents, someSessions, someUsage] = [groups(events, keyOf), groups(sessions, keyOf), groups(usage, keyOf)];
  const keys = new Set([...someEvents.keys(), ...someSessions.keys(), ...someUsage.keys()]);
  const sums = (key: Key): PageSums =>
    sumsOf({ events: someEvents.get(key) ?? [], sessions: someSessions.get(key) ?? [], usage: someUsage.get(key) ?? [] }, costOf);
  return new Map([...keys].map((key) => [key, sums(key)]));
}

function sumsOf({ events, sessions, usage }: Omit<Sums, 'counting'>, costOf: (usage: readonly UsageSum[]) => ExportCost | null): PageSums {
  const sum = { turns: 0, tools: 0, denials: 0, failures: 0, files: 0 };
  for (const each of events) {
    sum.turns += each.turns;
    sum.tools += each.tools;
    sum.denials += each.denials;
    sum.failures += each.failures;
    sum.files += each.files;
  }
  return { ...sum, sessions: sessions.reduce((all, one) => all + one.sessions, 0), tokens: tokensOf(usage), cost: costOf(usage) };
}

const tokensOf = (usage: readonly UsageSum[]): TokenCounts | null => sumTokens(usage.map(({ tokens }) => tokens));
