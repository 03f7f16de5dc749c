import { continuedBy } from '@piton/context';
import type { PageSession, Waiting } from '@piton/contracts/page';
import type { SessionSummary, Store, UsageSum } from '@piton/store';
import { summedCost } from '../../export/cost.ts';
import { sumTokens } from '../../export/tokens.ts';
import { oneLine } from '../../output/text.ts';
import { type PageReader, repositoryIdOf } from '../reader.ts';
import { maybeMs, ms, startOf } from '../text.ts';

const TITLE = 200;

/** Sessions as lists show them, in the same order. */
export async function sessionRows(
  reader: PageReader,
  store: Store,
  sessions: readonly SessionSummary[],
  waiting: readonly Waiting[] = [],
): Promise<PageSession[]> {
  const ids = sessions.map(({ id }) => id);
  const [shortIds, children, usage] = await Promise.all([store.shortIds('session', ids), store.countChildren(ids), store.usageSums(ids)]);
  const bySession = new Map<string, UsageSum[]>();
  for (const one of usage) bySession.set(one.session, [...(bySession.get(one.session) ?? []), one]);
  const own = reader.prices();
  const waits = new Set(waiting.map(({ session }) => session));
  return sessions.map((session, at) => {
    const requests = bySession.get(session.id) ?? [];
    return {
      id: session.id,
      shortId: shortIds[at] ?? session.id,
      agent: session.agent,
      providerRef: session.providerRef,
      title: titleOf(session),
      phase: session.phase,
      waiting: waits.has(session.id),
      parent: session.parentId,
      children: children.get(session.id) ?? 0,
      directory: session.projectPath,
      root: session.repo,
      repository: repositoryIdOf(session.repo),
      branch: session.branch,
      model: session.model,
      startedAt: ms(session.startedUs),
      lastAt: ms(session.lastUs),
      endedAt: maybeMs(session.endedUs),
      endReason: session.endReason,
      turns: session.turns,
      tools: session.tools,
      denials: session.denials,
      commits: session.commits,
      events: session.events,
      tokens: sumTokens(requests.map(({ tokens }) => tokens)),
      cost: summedCost(session.agent, requests, own),
    };
  });
}

export function titleOf(session: Pick<SessionSummary, 'firstPrompt'>): string | null {
  const from = continuedBy(session);
  if (from !== undefined) return `continues ${from}`;
  return session.firstPrompt === null ? null : startOf(oneLine(session.firstPrompt), TITLE);
}
