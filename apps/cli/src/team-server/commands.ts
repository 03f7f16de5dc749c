import { shellWord } from '@piton/contracts';
import type { Command } from 'commander';
import { type Context, printJson, printLine } from '../context.ts';
import { Failure } from '../failure.ts';
import { table } from '../output/table.ts';
import { oneLine, plural } from '../output/text.ts';
import { formatAge } from '../output/time.ts';
import { serverAddress } from '../team/join.ts';
import { type AdminOptions, asked, DATABASE_HELP, portsOf, SECRET_HELP } from './admin-options.ts';
import { addMemberCommands } from './member-commands.ts';
import { databaseUrl, teamServerProgram } from './program.ts';
import { type ServeOptions, serveTeam } from './serve.ts';

/** What admins of a team's server call. */
export function addServerCommands(context: Context, command: Command): void {
  command
    .command('serve')
    .description('Serve a team, from its PostgreSQL. Keeps nothing itself: start as many as you like')
    .option('--database <url>', DATABASE_HELP)
    .option('--secret-file <file>', SECRET_HELP)
    .option('--listen <address>', 'Host and port. It speaks plain HTTP: a proxy before it brings TLS', '127.0.0.1:4790')
    .action((options: ServeOptions) => serveTeam(context, options));
  command
    .command('migrate')
    .description("Bring a team's database to this version, as its owner. Running servers go on")
    .option('--database <url>', 'postgres://… of the owner (default: $PITON_TEAM_DATABASE)')
    .option('--json', 'Print JSON')
    .action((options: AdminOptions) => migrate(context, options));
  command
    .command('maintain')
    .description('Make the partitions of the next days, and drop what is too old, as the owner. For each day')
    .option('--database <url>', 'postgres://… of the owner (default: $PITON_TEAM_DATABASE)')
    .option('--days <number>', 'Keep headers so long', '730')
    .option('--body-days <number>', 'Keep prompts and bodies so long', '90')
    .option('--json', 'Print JSON')
    .action((options: AdminOptions & { days: string; bodyDays: string }) => maintain(context, options));
  command
    .command('tenant')
    .description('Make a team on a server, with its first admin')
    .argument('<name>', 'Name of the team')
    .requiredOption('--admin <name>', 'Name of its first admin')
    .option('--database <url>', DATABASE_HELP)
    .option('--secret-file <file>', SECRET_HELP)
    .option('--json', 'Print JSON')
    .action((name: string, options: AdminOptions & { admin: string }) => makeTenant(context, name, options));
  command
    .command('code')
    .description('Make a code by which one machine joins')
    .argument('<tenant>', 'Id of the team')
    .requiredOption('--person <name>', 'Whose machine it is. Added if they are new')
    .option('--minutes <number>', 'How long the code is good', '60')
    .option('--url <url>', 'Address of the server, for the whole command to hand over')
    .option('--database <url>', DATABASE_HELP)
    .option('--secret-file <file>', SECRET_HELP)
    .option('--json', 'Print JSON')
    .action((tenant: string, options: AdminOptions & CodeOptions) => makeCode(context, tenant, options));
  command
    .command('machines')
    .description('List the machines of a team, and what is not as it should be on each')
    .argument('<tenant>', 'Id of the team')
    .option('--silent-hours <number>', 'Without an event for so long, while commits appear, a machine is silent', '24')
    .option('--database <url>', DATABASE_HELP)
    .option('--secret-file <file>', SECRET_HELP)
    .option('--json', 'Print JSON')
    .action((tenant: string, options: AdminOptions & { silentHours: string }) => listMachines(context, tenant, options));
  addMemberCommands(context, command);
}

interface CodeOptions {
  readonly person: string;
  readonly minutes: string;
  readonly url?: string;
}

/** Who has it may join: it is handed over, and used soon. */
const MOST_SECONDS = 7 * 24 * 3600;

function refuseEmpty(what: string, text: string): void {
  if (text.trim() === '') throw new Failure(`${what} must not be empty`, { usage: true });
}

function positive(text: string, name: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value))
    throw new Failure(`${name} must be a number above 0, not ${JSON.stringify(text)}`, { usage: true });
  return value;
}

async function migrate(context: Context, options: AdminOptions): Promise<void> {
  const applied = await asked(teamServerProgram(context).migrate(databaseUrl(context, options)), true);
  if (options.json) return printJson(context, { applied });
  printLine(
    context,
    applied.length === 0
      ? 'Nothing to do: the database has this version.'
      : `${plural(applied.length, 'step')} applied: ${applied.join(', ')}`,
  );
}

async function maintain(context: Context, options: AdminOptions & { days: string; bodyDays: string }): Promise<void> {
  const [days, bodyDays] = [positive(options.days, '--days'), positive(options.bodyDays, '--body-days')];
  const done = await asked(teamServerProgram(context).maintain(databaseUrl(context, options), days, bodyDays), true);
  if (options.json) return printJson(context, done ?? {});
  printLine(
    context,
    `${context.paint('green', '✓')} partitions are there, and what was older than ${days} days (bodies: ${bodyDays}) is gone`,
  );
}

async function makeTenant(context: Context, name: string, options: AdminOptions & { admin: string }): Promise<void> {
  refuseEmpty('the name of the team', name);
  refuseEmpty('--admin', options.admin);
  const made = await asked(teamServerProgram(context).makeTenant(portsOf(context, options), name, options.admin));
  if (options.json) return printJson(context, made);
  printLine(context, `${context.paint('green', '✓')} ${oneLine(name)}: ${made.tenant}`);
  const secret = options.secretFile === undefined ? '' : ` --secret-file ${shellWord(options.secretFile)}`;
  // Not its database: an address may hold a password.
  const database = options.database === undefined ? '' : ', with --database as here';
  printLine(
    context,
    `A machine joins with a code${database}: piton team code ${made.tenant} --person ${shellWord(options.admin)}${secret}`,
  );
}

async function makeCode(context: Context, tenant: string, options: AdminOptions & CodeOptions): Promise<void> {
  const seconds = Math.round(positive(options.minutes, '--minutes') * 60);
  if (seconds > MOST_SECONDS) throw new Failure('--minutes may be 10080 at most, which is a week', { usage: true });
  refuseEmpty('--person', options.person);
  const address = options.url === undefined ? undefined : serverAddress(options.url).url;
  const code = await asked(teamServerProgram(context).makeCode(portsOf(context, options), tenant, options.person, seconds));
  const command = address === undefined ? undefined : `piton team join ${shellWord(`${address}/#${code}`)}`;
  if (options.json) return printJson(context, { code, seconds, ...(command !== undefined && { command }) });
  context.out(`${command ?? code}\n`);
}

async function listMachines(context: Context, tenant: string, options: AdminOptions & { silentHours: string }): Promise<void> {
  const hours = positive(options.silentHours, '--silent-hours');
  const machines = await asked(teamServerProgram(context).listMachines(portsOf(context, options), tenant, hours));
  if (options.json) return printJson(context, machines);
  if (machines.length === 0) return printLine(context, 'No machine has joined.');
  const age = (at: string | null): string => (at === null ? 'never' : `${formatAge(Date.now() - Date.parse(at))} ago`);
  context.out(
    table(context, machines, [
      { title: 'ID', value: ({ machine }) => machine },
      { title: 'MACHINE', value: ({ name }) => oneLine(name) },
      { title: 'SEEN', value: ({ leftAt, lastSeenAt }) => (leftAt === null ? age(lastSeenAt) : 'left') },
      { title: 'LAST EVENT', value: ({ lastEventAt }) => age(lastEventAt) },
      { title: 'AGENTS', value: ({ agents }) => agents.map(({ agent }) => agent).join(', ') },
      { title: 'DRIFT', value: ({ drift }) => (drift.length === 0 ? '-' : String(drift.length)) },
    ]),
  );
  for (const { name, drift } of machines) for (const { what } of drift) printLine(context, `${oneLine(name)}: ${oneLine(what)}`);
}
