import { continuedBy } from '@piton/context';
import type { ExportCost, ExportUsage } from '@piton/contracts';
import { PRICE_DATE } from '@piton/prices';
import type { EventHeader, SessionDetail, SessionSummary, UsageRecord } from '@piton/store';
import { Command } from 'commander';
import { commandName, withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { costCell, ownPrices, sessionCost } from '../../export/cost.ts';
import { requestsOf, usageOf } from '../../export/tokens.ts';
import { Failure } from '../../failure.ts';
import { storyOf } from '../../handoff/story.ts';
import { requireSession, SESSION_FORMS } from '../../ids/session.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { parseRecordedAgent } from '../../options/names.ts';
import { parseSinceOption } from '../../options/since.ts';
import { parseCount } from '../../output/count.ts';
import { fitLines } from '../../output/fit.ts';
import { showPaged } from '../../output/pager.ts';
import { type Column, table } from '../../output/table.ts';
import { plural } from '../../output/text.ts';
import { formatDuration, formatShortTime, formatTime } from '../../output/time.ts';
import { repositoryRoot } from '../../repository.ts';
import { LEDGER_COLUMNS, type LedgerLine } from '../../sessions/ledger.ts';
import { describeSession } from '../../sessions/show.ts';

interface ListOptions {
  readonly limit: string;
  readonly agent?: string;
  readonly since?: string;
  readonly here?: boolean;
  readonly json?: boolean;
}

export function sessionsCommand(context: Context): Command {
  const command = new Command('sessions');
  command
    .command('list')
    .description('List recent sessions by their last event, newest last (default)')
    .option('-n, --limit <count>', 'Maximum number to list', '20')
    .option('--agent <name>', 'Only this agent')
    .option('--here', 'Only in this repository, or below this directory')
    .option('--since <when>', 'Only newer than this: 90m, 2h, 7d or a date')
    .option('--json', 'Print JSON')
    .action((options: ListOptions) => list(context, options));
  command
    .command('show')
    .description('Show the turns of a session, with prompts, tools and denials')
    .argument('<id>', SESSION_FORMS)
    .option('--json', 'Print JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  command
    .command('ledger')
    .description('List what a session has done: files, commands and how they ended, tests, commits, denials')
    .argument('<id>', SESSION_FORMS)
    .option('-n, --limit <count>', 'Maximum number to list', '200')
    .option('--json', 'Print JSON')
    .action((id: string, options: { limit: string; json?: boolean }) => ledger(context, id, options));
  return withExamples(command, ['sessions', 'sessions --since 7d --json', 'sessions --here', 'sessions show @', 'sessions ledger @']);
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const since = options.since === undefined ? undefined : parseSinceOption(options.since);
  const agent = options.agent === undefined ? undefined : parseRecordedAgent(options.agent);
  const path = options.here ? (repositoryRoot(context) ?? context.cwd) : undefined;
  const filter = { ...(agent && { agent }), ...(since && { since }), ...(path !== undefined && { path }) };
  const limit = parseCount('--limit', options.limit);
  const { sessions, shortIds, usage, total } = await readStore(
    requirePlaces(context),
    async (store) => {
      const found = [...(await store.sessions({ ...filter, limit }))].reverse();
      const ids = found.map(({ id }) => id);
      const all = found.length < limit ? found.length : await store.countSessions(filter);
      return { sessions: found, shortIds: await store.shortIds('session', ids), usage: await store.usage(ids), total: all };
    },
    { sessions: [] as SessionSummary[], shortIds: [] as readonly string[], usage: [] as readonly UsageRecord[], total: 0 },
  );
  const own = ownPrices(context);
  const costs = sessions.map(({ id, agent }) =>
    sessionCost(
      agent,
      usage.filter(({ session }) => session === id),
      own,
    ),
  );
  if (options.json)
    return printJson(
      context,
      sessions.map((session, at) => ({ ...session, cost: costs[at] ?? null })),
    );
  if (sessions.length === 0 && Object.keys(filter).length > 0)
    return printLine(context, withCommandName(context, 'No sessions match. List all: piton sessions'));
  if (sessions.length === 0) return printLine(context, 'No sessions yet. A session starts with the first event of an agent.');
  const rows = sessions.map((session, at) => ({ ...session, shortId: shortIds[at] ?? session.id, cost: costs[at] ?? null }));
  const count = total > rows.length ? `The last ${rows.length} of ${plural(total, 'session')}` : plural(total, 'session');
  const more = total > rows.length ? ` More: --limit ${rows.length * 10}.` : '';
  const isCounted = costs.some((cost) => cost !== null);
  const columns = isCounted ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'COST');
  const priced = isCounted ? ` Cost: list prices of ${PRICE_DATE}, not your bill.` : '';
  const footer = fitLines(`${count}.${more}${priced} Show one: ${commandName(context)} sessions show <id>`, context.width);
  await showPaged(context, `${table(context, rows, columns)}${context.paint('dim', footer)}\n`, { fromEnd: true });
}

async function ledger(context: Context, id: string, options: { limit: string; json?: boolean }): Promise<void> {
  const limit = parseCount('--limit', options.limit);
  const found = await readStore<{ session: SessionDetail; rows: readonly LedgerLine[]; isCut: boolean } | undefined>(
    requirePlaces(context),
    async (store) => {
      const session = await requireSession(store, id);
      const all = await store.ledger({ session: session.id, limit: limit + 1 });
      const rows = all.slice(0, limit);
      const shortIds = await store.shortIds(
        'event',
        rows.map(({ eventId }) => eventId),
      );
      const lines = rows.map((row, at) => ({ ...row, shortId: shortIds[at] ?? row.eventId }));
      return { session, rows: lines, isCut: all.length > limit };
    },
    undefined,
  );
  if (!found) throw new Failure(`no session starts with ${JSON.stringify(id)}`, { remedy: 'nothing has been recorded yet' });
  const { session, rows, isCut } = found;
  if (options.json) {
    const { turnList: _, observations: __, ...summary } = session;
    return printJson(context, { session: summary, ledger: rows.map(({ shortId: ___, ...row }) => row) });
  }
  if (rows.length === 0) return printLine(context, 'Nothing is recorded that this session has done.');
  const count = isCut ? `The last ${plural(rows.length, 'fact')}. More: --limit ${rows.length * 10}.` : `${plural(rows.length, 'fact')}.`;
  const footer = fitLines(`${count} The event of one: ${commandName(context)} events show <id>`, context.width);
  await showPaged(context, `${table(context, [...rows].reverse(), LEDGER_COLUMNS)}${context.paint('dim', footer)}\n`, { fromEnd: true });
}

type Row = SessionSummary & { readonly shortId: string; readonly cost: ExportCost | null };

const COLUMNS: readonly Column<Row>[] = [
  { title: 'LAST', value: (session) => formatTime(session.lastUs / 1000), narrow: (session) => formatShortTime(session.lastUs / 1000) },
  { title: 'AGENT', value: (session) => session.agent },
  { title: 'STATE', value: (session) => session.phase, colour: (session) => (session.phase === 'active' ? 'green' : 'dim') },
  { title: 'FOR', value: (session) => formatDuration((session.lastUs - session.startedUs) / 1000), align: 'right', narrow: 'left-out' },
  { title: 'TURNS', value: (session) => String(session.turns), align: 'right', narrow: 'left-out' },
  { title: 'TOOLS', value: (session) => String(session.tools), align: 'right' },
  {
    title: 'DENIED',
    value: (session) => String(session.denials),
    align: 'right',
    colour: (session) => (session.denials > 0 ? 'red' : undefined),
  },
  { title: 'COST', value: ({ cost }) => costCell(cost), align: 'right', narrow: 'left-out' },
  { title: 'FIRST PROMPT', value: (session) => titleOf(session), flexible: true },
  { title: 'ID', value: ({ shortId }) => shortId, colour: () => 'dim', whole: true },
];

/** A handed-off session is named after what it continues, not by the long prompt that Piton wrote. */
function titleOf(session: SessionSummary): string {
  const from = continuedBy(session);
  return from === undefined ? (session.firstPrompt ?? '') : `continues ${from}`;
}

async function show(context: Context, id: string, options: { json?: boolean }): Promise<void> {
  type Found = {
    session: SessionDetail;
    events: readonly EventHeader[];
    usage: readonly ExportUsage[];
    cost: ExportCost | null;
    shortIds: readonly string[];
    story: readonly SessionSummary[];
  };
  const found = await readStore<Found | undefined>(
    requirePlaces(context),
    async (store) => {
      const session = await requireSession(store, id);
      const events = [...(await store.events({ session: session.id, limit: 100_000 }))].reverse();
      const shortIds = await store.shortIds(
        'event',
        session.turnList.map((turn) => turn.id),
      );
      const story = await storyOf(store, session);
      const transcripts = await store.transcripts(session.id);
      const cost = sessionCost(session.agent, requestsOf(transcripts), ownPrices(context));
      return { session, events, usage: usageOf(transcripts), cost, shortIds, story };
    },
    undefined,
  );
  if (!found) throw new Failure(`no session starts with ${JSON.stringify(id)}`, { remedy: 'nothing has been recorded yet' });
  if (options.json)
    return printJson(context, {
      ...found.session,
      story: found.story.map(({ id, agent }) => ({ id, agent })),
      usage: found.usage,
      cost: found.cost,
      eventList: found.events,
    });
  await showPaged(context, describeSession(context, found));
}
