import { findAgent } from '@piton/agents';
import type { ExportUsage } from '@piton/contracts';
import type { EventHeader, SessionDetail, SessionSummary } from '@piton/store';
import { Command } from 'commander';
import { commandName, spelled } from '../command-name.ts';
import { type Context, printJson, say } from '../context.ts';
import { withExamples } from '../examples.ts';
import { usageOf } from '../export/tokens.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { readStore } from '../open-store.ts';
import { parseCount } from '../output/count.ts';
import { table, uniqueBeginning } from '../output/table.ts';
import { plural } from '../output/text.ts';
import { clock, parseSince, shortClock, took } from '../output/time.ts';
import { describeSession } from '../sessions/show.ts';
import { requireOne } from '../single.ts';

interface ListOptions {
  readonly limit: string;
  readonly agent?: string;
  readonly since?: string;
  readonly json?: boolean;
}

export function sessionsCommand(context: Context): Command {
  const command = new Command('sessions').description('sessions of agents, and what was done in each turn');
  command
    .command('list')
    .description('the latest sessions, by their last event, the latest at the end (the default)')
    .option('-n, --limit <count>', 'how many', '20')
    .option('--agent <name>', 'only this agent')
    .option('--since <when>', 'only later than that: 90m, 2h, 7d or a date')
    .option('--json', 'as JSON')
    .action((options: ListOptions) => list(context, options));
  command
    .command('show')
    .description('one session: its turns, with prompts, tools and denials')
    .argument('<id>', "its id, the agent's own id of it, or a unique beginning of either")
    .option('--json', 'as JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  return withExamples(command, ['sessions', 'sessions --since 7d --json', 'sessions show 01K']);
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const since = options.since === undefined ? undefined : parseSince(options.since);
  if (options.since !== undefined && !since)
    throw new Failure(`--since ${JSON.stringify(options.since)} is no time`, {
      remedy: 'for example 90m, 2h, 7d or 2026-01-31',
      usage: true,
    });
  const agent = options.agent === undefined ? undefined : (findAgent(options.agent)?.id ?? options.agent);
  const query = { limit: parseCount('--limit', options.limit), ...(agent && { agent }), ...(since && { since: since.getTime() * 1000 }) };
  const sessions = [
    ...(await readStore(requirePlaces(context), (store) => store.sessions(query), [] as readonly SessionSummary[])),
  ].reverse();
  if (options.json) return printJson(context, sessions);
  if (sessions.length === 0 && (agent || since))
    return say(context, spelled(context, 'No session matches. Without a filter: piton sessions'));
  if (sessions.length === 0) return say(context, 'No sessions yet. They begin with the first event of an agent.');
  context.out(
    table(context, sessions, [
      { title: 'LAST', value: (session) => clock(session.lastUs / 1000), narrow: (session) => shortClock(session.lastUs / 1000) },
      { title: 'AGENT', value: (session) => session.agent },
      { title: 'STATE', value: (session) => session.phase, colour: (session) => (session.phase === 'active' ? 'green' : 'dim') },
      { title: 'FOR', value: (session) => took((session.lastUs - session.startedUs) / 1000), align: 'right', narrow: 'left-out' },
      { title: 'TURNS', value: (session) => String(session.turns), align: 'right' },
      { title: 'TOOLS', value: (session) => String(session.tools), align: 'right' },
      {
        title: 'DENIED',
        value: (session) => String(session.denials),
        align: 'right',
        colour: (session) => (session.denials > 0 ? 'red' : undefined),
      },
      { title: 'FIRST PROMPT', value: (session) => session.firstPrompt ?? '', flexible: true },
      {
        title: 'ID',
        value: (session) => session.id,
        narrow: ({ id }, all) =>
          uniqueBeginning(
            id,
            all.map((each) => each.id),
          ),
        colour: () => 'dim',
      },
    ]),
  );
  say(context, context.paint('dim', `\n${plural(sessions.length, 'session')}; one in full: ${commandName(context)} sessions show <id>`));
}

async function show(context: Context, id: string, options: { json?: boolean }): Promise<void> {
  type Found = { session: SessionDetail; events: readonly EventHeader[]; usage: readonly ExportUsage[] };
  const found = await readStore<Found | undefined>(
    requirePlaces(context),
    async (store) => {
      const session = requireOne(await store.session(id), 'session', id);
      const events = [...(await store.events({ session: session.id, limit: 100_000 }))].reverse();
      return { session, events, usage: usageOf(await store.transcripts(session.id)) };
    },
    undefined,
  );
  if (!found) throw new Failure(`no session begins with ${JSON.stringify(id)}`, { remedy: 'nothing was recorded yet' });
  if (options.json) return printJson(context, { ...found.session, usage: found.usage, eventList: found.events });
  context.out(describeSession(context, found.session, found.events, found.usage));
}
