import { AGENTS, findAgent } from '@piton/agents';
import { EVENTS, PITON_EVENTS, parseEventName, parseOwnEventName } from '@piton/contracts';
import type { EventHeader, EventQuery, OwnEventDetail, OwnEventQuery, Store } from '@piton/store';
import { Command } from 'commander';
import { spelled } from '../command-name.ts';
import { type Context, printJson, say } from '../context.ts';
import { describeOwnEvent, ownEventTable } from '../events/own.ts';
import { eventTable } from '../events/row.ts';
import { describeEvent } from '../events/show.ts';
import { tailEvents } from '../events/tail.ts';
import { SOME_AGENT, withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { readStore } from '../open-store.ts';
import { parseCount } from '../output/count.ts';
import { parseSince } from '../output/time.ts';
import { requireOne } from '../single.ts';

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
  const command = new Command('events').description('what happened: list, look closely, or watch');
  filters(command.command('list').description('the latest events, oldest first (the default)'))
    .option('-n, --limit <count>', 'how many', '30')
    .option('--search <text>', 'only those whose prompt, command, path or text matches')
    .option('--own', "Piton's own events, and which subscriptions heard them")
    .option('--json', 'as JSON')
    .action((options: ListOptions) => (options.own ? listOwn(context, options) : list(context, options)));
  command
    .command('show')
    .description('one event in full: envelope, hooks, decision, delivery')
    .argument('<id>', 'its id, or a unique beginning of it')
    .option('--json', 'as JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  filters(command.command('tail').description('watch events as they are stored, until Ctrl-C'))
    .option('--json', 'one JSON object a line')
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
    .option('--session <id>', 'only this session')
    .option('--agent <name>', 'only this agent')
    .option('--event <name>', 'only this event')
    .option('--since <when>', 'only later than that: 90m, 2h, 7d or a date')
    .option('--canaries', 'also those that piton status sent');
}

function queryOf(options: Filters): EventQuery {
  const agent = options.agent === undefined ? undefined : findAgent(options.agent);
  if (options.agent !== undefined && !agent)
    throw new Failure(`no agent is called ${JSON.stringify(options.agent)}`, {
      remedy: `known: ${AGENTS.map(({ id }) => id).join(', ')}`,
      usage: true,
    });
  const event = options.event === undefined ? undefined : parseEventName(options.event);
  if (options.event !== undefined && !event)
    throw new Failure(`no event is called ${JSON.stringify(options.event)}`, { remedy: `known: ${EVENTS.join(', ')}`, usage: true });
  const since = options.since === undefined ? undefined : parseSince(options.since);
  if (options.since !== undefined && !since)
    throw new Failure(`--since ${JSON.stringify(options.since)} is no time`, {
      remedy: 'for example 90m, 2h, 7d or 2026-01-31',
      usage: true,
    });
  return {
    ...(options.session !== undefined && { session: options.session }),
    ...(agent && { agent: agent.id }),
    ...(event && { event }),
    ...(since && { since: since.getTime() * 1000 }),
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
    return say(
      context,
      spelled(
        context,
        filtered
          ? 'No event matches. Without a filter: piton events'
          : 'No events. What an agent does shows up here; `piton status` proves that it would.',
      ),
    );
  context.out(eventTable(context, events));
}

async function listOwn(context: Context, options: ListOptions): Promise<void> {
  if (options.search !== undefined)
    throw new Failure('--search looks through the events of agents', { remedy: 'leave out --own', usage: true });
  const event = options.event === undefined ? undefined : parseOwnEventName(options.event);
  if (options.event !== undefined && !event)
    throw new Failure(`no event of Piton's own is called ${JSON.stringify(options.event)}`, {
      remedy: `known: ${PITON_EVENTS.join(', ')}`,
      usage: true,
    });
  const { event: _, ...others } = options;
  const { agent, since, session } = queryOf(others);
  const query: OwnEventQuery = {
    limit: parseCount('--limit', options.limit),
    ...(event && { event }),
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(since !== undefined && { since }),
  };
  const events = [
    ...(await readStore(requirePlaces(context), (store) => store.ownEvents(query), [] as readonly OwnEventDetail[])),
  ].reverse();
  if (options.json)
    return printJson(
      context,
      events.map(({ event: said, runs }) => ({ ...said, runs })),
    );
  if (events.length === 0) return say(context, 'No event of Piton’s own. A checkpoint, a session or a denied call makes one.');
  context.out(ownEventTable(context, events));
}

async function show(context: Context, id: string, options: { json?: boolean }): Promise<void> {
  const either = async (store: Store) => ({ event: await store.event(id), own: await store.ownEvent(id) });
  const none = { event: { found: 'none' }, own: { found: 'none' } } as const;
  const { event: found, own } = await readStore(requirePlaces(context), either, none);
  if (found.found === 'none' && own.found === 'one') {
    if (options.json) return printJson(context, { ...own.value.event, runs: own.value.runs });
    return context.out(describeOwnEvent(context, own.value));
  }
  const event = requireOne(found.found === 'none' && own.found === 'many' ? own : found, 'event', id);
  if (options.json) return printJson(context, event);
  context.out(describeEvent(context, event));
}
