import { PITON_EVENTS, parsePitonEventName } from '@piton/contracts';
import type { EventHeader, EventQuery, PitonEventDetail, PitonEventQuery, Store } from '@piton/store';
import { Command } from 'commander';
import { withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { describePitonEvent, pitonEventTable } from '../events/piton-events.ts';
import { eventTable } from '../events/row.ts';
import { describeEvent } from '../events/show.ts';
import { tailEvents } from '../events/tail.ts';
import { SOME_AGENT } from '../example-agents.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { readStore } from '../open-store.ts';
import { parseEventOption, parseRecordedAgent } from '../options/names.ts';
import { parseSinceOption } from '../options/since.ts';
import { parseCount } from '../output/count.ts';
import { requireOne } from '../unique-match.ts';

interface Filters {
  readonly session?: string;
  readonly agent?: string;
  readonly event?: string;
  readonly since?: string;
  readonly search?: string;
  readonly canaries?: boolean;
}
interface ListOptions extends Filters {
  readonly own?: boolean;
  readonly limit: string;
  readonly json?: boolean;
}

export function eventsCommand(context: Context): Command {
  const command = new Command('events');
  filters(command.command('list').description('List recent events, newest last (default)'))
    .option('-n, --limit <count>', 'Maximum number to list', '30')
    .option('--search <text>', 'Only events whose prompt, command, path or text matches')
    .option('--own', 'List the events that Piton emits, and which subscriptions ran')
    .option('--json', 'Print JSON')
    .action((options: ListOptions) => (options.own ? listPitonEvents(context, options) : list(context, options)));
  command
    .command('show')
    .description('Show one event in full: envelope, hooks, decision, delivery')
    .argument('<id>', 'Event ID, or a unique prefix of it')
    .option('--json', 'Print JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  filters(command.command('tail').description('Follow events as they are stored, until Ctrl-C'))
    .option('--json', 'Print one JSON object per line')
    .action((options: Filters & { json?: boolean }) =>
      tailEvents(context, requirePlaces(context), queryOf(options), options.json === true),
    );
  return withExamples(command, [
    'events',
    'events --event pre_tool_use --since 2h',
    'events --search "rm -rf"',
    'events --own --event checkpoint-created',
    'events show 01K',
    `events tail --agent ${SOME_AGENT}`,
  ]);
}

function filters(command: Command): Command {
  return command
    .option('--session <id>', 'Only this session')
    .option('--agent <name>', 'Only this agent')
    .option('--event <name>', 'Only this event')
    .option('--since <when>', 'Only newer than this: 90m, 2h, 7d or a date')
    .option('--canaries', 'Include the test events of piton status');
}

function queryOf(options: Filters): EventQuery {
  const agent = options.agent === undefined ? undefined : parseRecordedAgent(options.agent);
  const event = options.event === undefined ? undefined : parseEventOption(options.event);
  const since = options.since === undefined ? undefined : parseSinceOption(options.since);
  return {
    ...(options.session !== undefined && { session: options.session }),
    ...(agent !== undefined && { agent }),
    ...(event && { event }),
    ...(since && { since }),
    ...(!options.canaries && { canary: false }),
  };
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const limit = parseCount('--limit', options.limit);
  const query = { ...queryOf(options), limit, ...(options.search !== undefined && { text: options.search }) };
  const events = [...(await readStore(requirePlaces(context), (store) => store.events(query), [] as readonly EventHeader[]))].reverse();
  if (options.json) return printJson(context, events);
  const filtered = [options.session, options.agent, options.event, options.since, options.search].some((each) => each !== undefined);
  if (events.length === 0)
    return printLine(
      context,
      withCommandName(
        context,
        filtered
          ? 'No events match. List all: piton events'
          : 'No events yet. They appear here once an agent runs. `piton status` tests the setup.',
      ),
    );
  context.out(eventTable(context, events));
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
  const { agent, since, session } = queryOf(others);
  const query: PitonEventQuery = {
    limit: parseCount('--limit', options.limit),
    ...(event && { event }),
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(since !== undefined && { since }),
  };
  const events = [
    ...(await readStore(requirePlaces(context), (store) => store.pitonEvents(query), [] as readonly PitonEventDetail[])),
  ].reverse();
  if (options.json)
    return printJson(
      context,
      events.map(({ event: pitonEvent, runs }) => ({ ...pitonEvent, runs })),
    );
  if (events.length === 0) return printLine(context, 'Piton has emitted no events yet. Checkpoints, sessions and denied calls emit them.');
  context.out(pitonEventTable(context, events));
}

async function show(context: Context, id: string, options: { json?: boolean }): Promise<void> {
  const either = async (store: Store) => ({ event: await store.event(id), own: await store.pitonEvent(id) });
  const none = { event: { found: 'none' }, own: { found: 'none' } } as const;
  const { event: found, own: piton } = await readStore(requirePlaces(context), either, none);
  if (found.found === 'none' && piton.found === 'one') {
    if (options.json) return printJson(context, { ...piton.value.event, runs: piton.value.runs });
    return context.out(describePitonEvent(context, piton.value));
  }
  const event = requireOne(found.found === 'none' && piton.found === 'many' ? piton : found, 'event', id);
  if (options.json) return printJson(context, event);
  context.out(describeEvent(context, event));
}
