import { PITON_EVENTS, parsePitonEventName } from '@piton/contracts';
import type { EventQuery, PitonEventDetail, PitonEventQuery, Store } from '@piton/store';
import { Command } from 'commander';
import { commandName, withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { adviceFor } from '../../events/advice.ts';
import { latestHappenings } from '../../events/happening.ts';
import { type HappeningRow, happeningTable, idOf } from '../../events/happening-table.ts';
import { describePitonEvent, pitonEventTable } from '../../events/piton-events.ts';
import { type EventRow, eventTable } from '../../events/row.ts';
import { describeEvent } from '../../events/show.ts';
import { tailEvents } from '../../events/tail.ts';
import { SOME_AGENT } from '../../example-agents.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { type FoundEvent, requireEvent } from '../../ids/event.ts';
import { ID_FORMS } from '../../ids/latest.ts';
import { requireSession } from '../../ids/session.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { parseEventOption, parseRecordedAgent } from '../../options/names.ts';
import { parseSinceOption } from '../../options/since.ts';
import { parseCount } from '../../output/count.ts';
import { fitLines } from '../../output/fit.ts';
import { showPaged } from '../../output/pager.ts';
import { formatCount, plural } from '../../output/text.ts';
import { repositoryRoot } from '../../repository.ts';

interface Filters {
  readonly session?: string;
  readonly agent?: string;
  readonly event?: string;
  readonly since?: string;
  readonly denied?: boolean;
  readonly here?: boolean;
  readonly canaries?: boolean;
  readonly all?: boolean;
}
interface ListOptions extends Filters {
  readonly search?: string;
  readonly own?: boolean;
  readonly limit: string;
  readonly json?: boolean;
}

export function eventsCommand(context: Context): Command {
  const command = new Command('events');
  filters(command.command('list').description('List what happened, newest last, one row for each thing (default)'))
    .option('-n, --limit <count>', 'Maximum number of rows', '30')
    .option('--search <text>', 'Only where the prompt, command, path or text has these words')
    .option('--own', 'List the events that Piton emits, and which subscriptions ran')
    .option('--json', 'Print JSON: every event, with all its fields')
    .action((options: ListOptions) => (options.own ? listPitonEvents(context, options) : list(context, options)));
  command
    .command('show')
    .description('Show one event in full: envelope, hooks, decision, delivery')
    .argument('<id>', `Event ${ID_FORMS}`)
    .option('--json', 'Print JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  filters(command.command('tail').description('Follow events as they are stored, until Ctrl-C'))
    .option('--json', 'Print one JSON object per line')
    .action((options: Filters & { json?: boolean }) => tail(context, options));
  return withExamples(command, [
    'events',
    'events --denied --since 7d',
    `events --here --agent ${SOME_AGENT}`,
    'events --event pre_tool_use --since 2h',
    'events --search "rm -rf"',
    'events --own --event checkpoint-created',
    'events show @',
    `events tail --agent ${SOME_AGENT}`,
  ]);
}

function filters(command: Command): Command {
  return command
    .option('--session <id>', 'Only this session: its ID, a prefix of it, or @')
    .option('--agent <name>', 'Only this agent')
    .option('--event <name>', 'Only this event, one row each')
    .option('--denied', 'Only what was denied')
    .option('--here', 'Only in this repository, or below this directory')
    .option('--since <when>', 'Only newer than this: 90m, 2h, 7d or a date')
    .option('--all', 'Every event on its own row, also those that follow from another, and test events')
    .option('--canaries', 'Include the test events of piton status');
}

async function queryOf(context: Context, store: Store, options: Filters): Promise<EventQuery> {
  return {
    ...filterOf(context, options),
    ...(options.session !== undefined && { session: (await requireSession(store, options.session)).id }),
  };
}

function filterOf(context: Context, options: Filters): EventQuery {
  const agent = options.agent === undefined ? undefined : parseRecordedAgent(options.agent);
  const event = options.event === undefined ? undefined : parseEventOption(options.event);
  const since = options.since === undefined ? undefined : parseSinceOption(options.since);
  return {
    ...(agent !== undefined && { agent }),
    ...(event && { event }),
    ...(since && { since }),
    ...(options.denied && { denied: true }),
    ...(options.here && { path: repositoryRoot(context) ?? context.cwd }),
    ...(!options.canaries && !options.all && { canary: false }),
  };
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const limit = parseCount('--limit', options.limit);
  // Also where nothing is recorded yet.
  const filter = filterOf(context, options);
  const listed = await readStore<Listed | undefined>(
    requirePlaces(context),
    async (store) => {
      const query = { ...(await queryOf(context, store, options)), ...(options.search !== undefined && { text: options.search }) };
      // One row for each event if its name was asked for.
      const isSingle = options.all || options.event !== undefined || options.canaries || options.json;
      return isSingle ? listEvents(store, query, limit) : listHappenings(store, query, limit);
    },
    undefined,
  );
  if (options.json) return printJson(context, listed && 'events' in listed.rows ? listed.rows.events.map(({ event }) => event) : []);
  if (!listed || listed.shown === 0) return printNone(context, options, filter);
  const table = 'events' in listed.rows ? eventTable(context, listed.rows.events) : happeningTable(context, listed.rows.happenings);
  await showPaged(context, `${table}${context.paint('dim', footer(context, listed, options))}\n`, { fromEnd: true });
}

/** Rows, oldest first, and how many events they are of how many. */
interface Listed {
  readonly rows: { readonly events: readonly EventRow[] } | { readonly happenings: readonly HappeningRow[] };
  readonly shown: number;
  /** Null if to count them would take longer than to list them. */
  readonly total: number | null;
}

async function listEvents(store: Store, query: EventQuery, limit: number): Promise<Listed> {
  const events = [...(await store.events({ ...query, limit }))].reverse();
  const shortIds = await store.shortIds(
    'event',
    events.map(({ eventId }) => eventId),
  );
  const rows = events.map((event, at) => ({ event, shortId: shortIds[at] ?? event.eventId }));
  return { rows: { events: rows }, shown: rows.length, total: rows.length < limit ? rows.length : await countOf(store, query) };
}

async function listHappenings(store: Store, query: EventQuery, limit: number): Promise<Listed> {
  const { happenings, events } = await latestHappenings(store, query, limit);
  const oldestFirst = [...happenings].reverse();
  const shortIds = await store.shortIds('event', oldestFirst.map(idOf));
  const rows = oldestFirst.map((happening, at) => ({ happening, shortId: shortIds[at] ?? idOf(happening) }));
  const total = rows.length < limit ? events : await countOf(store, { ...query, derived: false });
  return { rows: { happenings: rows }, shown: events, total };
}

/** Beyond this a count takes longer than it is worth. */
const MAX_COUNTED = 10_000;

const countOf = async (store: Store, query: EventQuery): Promise<number | null> =>
  query.text === undefined ? store.countEvents(query, MAX_COUNTED + 1) : null;

function footer(context: Context, { rows, shown, total }: Listed, options: ListOptions): string {
  const count = 'events' in rows ? rows.events.length : rows.happenings.length;
  const of =
    total === null || total > MAX_COUNTED
      ? ` of more than ${formatCount(total === null ? shown : MAX_COUNTED)}`
      : ` of ${formatCount(total)}`;
  const isWhole = total !== null && total <= shown;
  const events = isWhole ? plural(shown, 'event') : `The last ${formatCount(shown)}${of} events`;
  const inRows = count === shown ? '' : ` in ${plural(count, 'row')}`;
  const hints = [
    ...(isWhole ? [] : [`More: --limit ${count * 10}.`]),
    ...('events' in rows || options.all ? [] : ['Every event: --all.']),
    `One in full: ${commandName(context)} events show <id>`,
  ];
  return fitLines(`${events}${inRows}. ${hints.join(' ')}`, context.width);
}

function printNone(context: Context, options: ListOptions, filter: EventQuery): void {
  const { canary: _, ...filters } = filter;
  const isFiltered = options.session !== undefined || options.search !== undefined || Object.keys(filters).length > 0;
  printLine(
    context,
    withCommandName(
      context,
      isFiltered
        ? 'No events match. List all: piton events'
        : 'No events yet. They appear here once an agent runs. `piton status` tests the setup.',
    ),
  );
}

async function tail(context: Context, options: Filters & { readonly json?: boolean }): Promise<void> {
  const places = requirePlaces(context);
  const query =
    options.session === undefined
      ? filterOf(context, options)
      : await readStore<EventQuery>(places, (store) => queryOf(context, store, options), {
          ...filterOf(context, options),
          session: options.session,
        });
  const everything = options.all === true || options.event !== undefined || options.canaries === true;
  await tailEvents(context, places, query, { json: options.json === true, everything });
}

async function listPitonEvents(context: Context, options: ListOptions): Promise<void> {
  if (options.search !== undefined)
    throw new Failure('--search cannot be combined with --own', { remedy: 'drop one of them', usage: true });
  const event = options.event === undefined ? undefined : parsePitonEventName(options.event);
  if (options.event !== undefined && !event)
    throw new Failure(`Piton emits no event named ${JSON.stringify(options.event)}`, {
      remedy: `known: ${PITON_EVENTS.join(', ')}`,
      usage: true,
    });
  const { event: _, ...others } = options;
  const { agent, since } = filterOf(context, others);
  const limit = parseCount('--limit', options.limit);
  const { events, shortIds } = await readStore(
    requirePlaces(context),
    async (store) => {
      // Piton's events name a session by the agent's ID.
      const session = options.session === undefined ? undefined : (await requireSession(store, options.session)).providerRef;
      const query: PitonEventQuery = {
        limit,
        ...(event && { event }),
        ...(agent !== undefined && { agent }),
        ...(session !== undefined && { session }),
        ...(since !== undefined && { since }),
      };
      const found = [...(await store.pitonEvents(query))].reverse();
      const ids = found.map(({ event: { id } }) => id);
      return { events: found, shortIds: await store.shortIds('event', ids) };
    },
    { events: [] as PitonEventDetail[], shortIds: [] as readonly string[] },
  );
  if (options.json)
    return printJson(
      context,
      events.map(({ event: pitonEvent, runs }) => ({ ...pitonEvent, runs })),
    );
  if (events.length === 0) return printLine(context, 'Piton has emitted no events yet. Checkpoints, sessions and denied calls emit them.');
  const rows = events.map((detail, at) => ({ ...detail, shortId: shortIds[at] ?? detail.event.id }));
  await showPaged(context, pitonEventTable(context, rows), { fromEnd: true });
}

async function show(context: Context, id: string, options: { json?: boolean }): Promise<void> {
  const read = async (store: Store) => {
    const event = await requireEvent(store, id);
    return { ...event, advice: event.of === 'agent' ? await adviceFor(context, store, event.event) : null };
  };
  const found = await readStore<(FoundEvent & { readonly advice: string | null }) | undefined>(requirePlaces(context), read, undefined);
  if (!found) throw new Failure(`no event starts with ${JSON.stringify(id)}`, { remedy: 'nothing has been recorded yet' });
  if (found.of === 'piton') {
    if (options.json) return printJson(context, { ...found.event.event, runs: found.event.runs });
    return void (await showPaged(context, describePitonEvent(context, found.event)));
  }
  if (options.json) return printJson(context, found.advice === null ? found.event : { ...found.event, advice: found.advice });
  await showPaged(context, describeEvent(context, found.event, found.advice));
}
