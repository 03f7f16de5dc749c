import { OBSERVATION_KINDS, type ObservationKind, type ObservedHere, type Store } from '@piton/store';
import { Command } from 'commander';
import { commandName, withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { ID_FORMS } from '../ids/latest.ts';
import { LISTED, requireObservation } from '../ids/observation.ts';
import { requireSession } from '../ids/session.ts';
import { requirePlaces } from '../locations.ts';
import { readStore } from '../open-store.ts';
import { parseCount } from '../output/count.ts';
import { fitLines } from '../output/fit.ts';
import { showPaged } from '../output/pager.ts';
import { type Column, table } from '../output/table.ts';
import { plural, printable } from '../output/text.ts';
import { formatShortTime, formatTime } from '../output/time.ts';
import { repositoryRoot } from '../repository.ts';
import { type DeleteOptions, deleteObservations } from './delete.ts';
import { eventsOf, KINDS, summaryOf } from './observation-text.ts';

interface ListOptions {
  readonly kind?: string;
  readonly here?: boolean;
  readonly session?: string;
  readonly limit: string;
  readonly json?: boolean;
}

export function observationsCommand(context: Context): Command {
  const command = new Command('observations');
  command
    .command('list')
    .description('List what was learnt from sessions, newest last (default)')
    .option('--kind <kind>', `Only these: ${OBSERVATION_KINDS.join(', ')}. Without it all but handoffs`)
    .option('--here', 'Only of sessions in this repository, or below this directory')
    .option('--session <id>', 'Only of this session: its ID, a prefix of it, or @')
    .option('-n, --limit <count>', 'Maximum number to list', '20')
    .option('--json', 'Print JSON')
    .action((options: ListOptions) => list(context, options));
  command
    .command('show')
    .description('Show one with the events that it follows from, and until when it is kept')
    .argument('<id>', ID_FORMS)
    .option('--json', 'Print JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  command
    .command('delete')
    .description('Delete observations for good. The same is not observed again')
    .argument('<id...>', ID_FORMS)
    .option('--yes', 'Delete without asking')
    .option('--dry-run', 'Only show what would be deleted')
    .option('--json', 'Print JSON')
    .action((ids: string[], options: DeleteOptions) => deleteObservations(context, ids, options));
  return withExamples(command, [
    'observations',
    'observations --here --kind fix',
    'observations show @',
    'observations delete @ --dry-run',
  ]);
}

type Row = ObservedHere & { readonly shortId: string };

async function list(context: Context, options: ListOptions): Promise<void> {
  const kinds = options.kind === undefined ? LISTED : parseKinds(options.kind);
  const limit = parseCount('--limit', options.limit);
  const path = options.here ? (repositoryRoot(context) ?? context.cwd) : undefined;
  const { rows, more } = await readStore(
    requirePlaces(context),
    async (store) => {
      const session = options.session === undefined ? undefined : (await requireSession(store, options.session)).id;
      const filter = { kinds, ...(path !== undefined && { path }), ...(session !== undefined && { session }) };
      const found = await store.observations({ ...filter, limit: limit + 1 });
      return { rows: await withShortIds(store, found.slice(0, limit).reverse()), more: found.length > limit };
    },
    { rows: [] as Row[], more: false },
  );
  if (options.json)
    return printJson(
      context,
      rows.map(({ shortId: _, ...row }) => row),
    );
  if (rows.length === 0) {
    const isFiltered = [options.kind, options.here, options.session].some((given) => given !== undefined);
    const none = isFiltered ? 'No observations match. List all: piton observations' : 'Nothing was observed yet.';
    return printLine(context, withCommandName(context, none));
  }
  const count = more ? `The last ${rows.length}. More: --limit ${limit * 10}.` : `${plural(rows.length, 'observation')}.`;
  const footer = fitLines(`${count} One in full: ${commandName(context)} observations show <id>`, context.width);
  await showPaged(context, `${table(context, rows, COLUMNS)}${context.paint('dim', footer)}\n`, { fromEnd: true });
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'TIME', value: ({ wallUs }) => formatTime(wallUs / 1000), narrow: ({ wallUs }) => formatShortTime(wallUs / 1000) },
  { title: 'AGENT', value: ({ agent }) => agent },
  { title: 'KIND', value: ({ kind }) => kind, colour: ({ kind }) => (kind === 'crash' ? 'red' : undefined) },
  { title: 'WHAT', value: summaryOf, flexible: true },
  { title: 'UNTIL', value: untilOf, narrow: 'left-out' },
  { title: 'ID', value: ({ shortId }) => shortId, colour: () => 'dim', whole: true },
];

function untilOf({ expiresUs }: ObservedHere): string {
  return expiresUs === null ? '' : formatTime(expiresUs / 1000).slice(0, 10);
}

async function show(context: Context, id: string, options: { json?: boolean }): Promise<void> {
  const found = await readStore<ObservedHere | undefined>(requirePlaces(context), (store) => requireObservation(store, id), undefined);
  if (!found) throw new Failure(`no observation starts with ${JSON.stringify(id)}`, { remedy: 'nothing has been recorded yet' });
  if (options.json) return printJson(context, found);
  const { paint } = context;
  const { kind, wallUs, agent, session, expiresUs, body } = found;
  const facts: readonly (readonly [string, string])[] = [
    ['what', `${KINDS[kind]}: ${summaryOf(found)}`],
    ['when', formatTime(wallUs / 1000)],
    ['session', `${session} (${agent})`],
    ['events', eventsOf(found).join('\n')],
    ['until', expiresUs === null ? 'kept until you delete it' : formatTime(expiresUs / 1000)],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === ''
      ? []
      : [fitLines(`${paint('dim', name.padEnd(9))}${printable(value).replaceAll('\n', `\n${' '.repeat(9)}`)}`, context.width)],
  );
  const text = [paint('bold', `${kind}  ${found.id}`), ...lines, '', printable(JSON.stringify(body, null, 2)), ''].join('\n');
  await showPaged(context, text);
}

async function withShortIds(store: Store, found: readonly ObservedHere[]): Promise<Row[]> {
  const short = await store.shortIds(
    'observation',
    found.map(({ id }) => id),
  );
  return found.map((one, at) => ({ ...one, shortId: short[at] ?? one.id }));
}

function parseKinds(text: string): ObservationKind[] {
  const known: readonly string[] = OBSERVATION_KINDS;
  return text.split(',').map((word) => {
    const kind = word.trim();
    if (known.includes(kind)) return kind as ObservationKind;
    throw new Failure(`no kind is named ${JSON.stringify(kind)}`, { remedy: `known: ${known.join(', ')}`, usage: true });
  });
}
