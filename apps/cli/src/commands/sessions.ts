import type { ExportUsage } from '@piton/contracts';
import type { EventHeader, SessionDetail, SessionSummary } from '@piton/store';
import { Command } from 'commander';
import { commandName, withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { usageOf } from '../export/tokens.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { readStore } from '../open-store.ts';
import { parseRecordedAgent } from '../options/names.ts';
import { parseSinceOption } from '../options/since.ts';
import { parseCount } from '../output/count.ts';
import { table, uniquePrefix } from '../output/table.ts';
import { plural } from '../output/text.ts';
import { formatDuration, formatShortTime, formatTime } from '../output/time.ts';
import { describeSession } from '../sessions/show.ts';
import { requireOne } from '../unique-match.ts';

interface ListOptions {
  readonly limit: string;
  readonly agent?: string;
  readonly since?: string;
  readonly json?: boolean;
}

export function sessionsCommand(context: Context): Command {
  const command = new Command('sessions');
  command
    .command('list')
    .description('List recent sessions by their last event, newest last (default)')
    .option('-n, --limit <count>', 'Maximum number to list', '20')
    .option('--agent <name>', 'Only this agent')
    .option('--since <when>', 'Only newer than this: 90m, 2h, 7d or a date')
    .option('--json', 'Print JSON')
    .action((options: ListOptions) => list(context, options));
  command
    .command('show')
    .description('Show the turns of a session, with prompts, tools and denials')
    .argument('<id>', "Session ID, the agent's session ID, or a unique prefix of either")
    .option('--json', 'Print JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  return withExamples(command, ['sessions', 'sessions --since 7d --json', 'sessions show 01K']);
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const since = options.since === undefined ? undefined : parseSinceOption(options.since);
  const agent = options.agent === undefined ? undefined : parseRecordedAgent(options.agent);
  const query = { limit: parseCount('--limit', options.limit), ...(agent && { agent }), ...(since && { since }) };
  const sessions = [
    ...(await readStore(requirePlaces(context), (store) => store.sessions(query), [] as readonly SessionSummary[])),
  ].reverse();
  if (options.json) return printJson(context, sessions);
  if (sessions.length === 0 && (agent || since))
    return printLine(context, withCommandName(context, 'No sessions match. List all: piton sessions'));
  if (sessions.length === 0) return printLine(context, 'No sessions yet. A session starts with the first event of an agent.');
  context.out(
    table(context, sessions, [
      { title: 'LAST', value: (session) => formatTime(session.lastUs / 1000), narrow: (session) => formatShortTime(session.lastUs / 1000) },
      { title: 'AGENT', value: (session) => session.agent },
      { title: 'STATE', value: (session) => session.phase, colour: (session) => (session.phase === 'active' ? 'green' : 'dim') },
      { title: 'FOR', value: (session) => formatDuration((session.lastUs - session.startedUs) / 1000), align: 'right', narrow: 'left-out' },
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
          uniquePrefix(
            id,
            all.map((each) => each.id),
          ),
        colour: () => 'dim',
      },
    ]),
  );
  printLine(context, context.paint('dim', `\n${plural(sessions.length, 'session')}. Show one: ${commandName(context)} sessions show <id>`));
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
  if (!found) throw new Failure(`no session starts with ${JSON.stringify(id)}`, { remedy: 'nothing has been recorded yet' });
  if (options.json) return printJson(context, { ...found.session, usage: found.usage, eventList: found.events });
  context.out(describeSession(context, found.session, found.events, found.usage));
}
