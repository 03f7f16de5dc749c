import { shellWord } from '@piton/contracts';
import { Argument, type Command } from 'commander';
import { type Context, printJson, printLine } from '../context.ts';
import { Failure } from '../failure.ts';
import { table } from '../output/table.ts';
import { oneLine, plural } from '../output/text.ts';
import { formatAge, formatTime } from '../output/time.ts';
import { type AdminOptions, asked, type ConfirmedOptions, confirmed, portsOf, withConfirmation, withDatabase } from './admin-options.ts';
import { addPersonCommands, done } from './person-commands.ts';
import { teamServerProgram } from './program.ts';

/** What admins do about machines, people and what they agreed to. */
export function addMemberCommands(context: Context, command: Command): void {
  withConfirmation(
    command
      .command('end')
      .description('End a machine: its key stops working at once, and what it sent stays')
      .argument('<tenant>', 'Id of the team')
      .argument('<machine>', 'Id or name of the machine'),
  ).action((tenant: string, machine: string, options: ConfirmedOptions) => endMachine(context, tenant, machine, options));
  withConfirmation(
    command
      .command('bodies')
      .description('Show or change whether a team wants prompts, commands and outputs. Each person is asked again')
      .argument('<tenant>', 'Id of the team')
      .addArgument(new Argument('[setting]', 'on or off').choices(['on', 'off'])),
  ).action((tenant: string, setting: 'on' | 'off' | undefined, options: ConfirmedOptions) => bodies(context, tenant, setting, options));

  addPersonCommands(context, command);
  const audit = command.command('audit').description('Show or check the log of who looked at what, and changed what');
  withDatabase(
    audit
      .command('list')
      .description('List the entries of the audit log, oldest first')
      .argument('<tenant>', 'Id of the team')
      .option('--after <number>', 'Only those after this one', '0')
      .option('--limit <number>', 'At most so many', '100'),
  ).action((tenant: string, options: AdminOptions & { after: string; limit: string }) => listAudit(context, tenant, options));
  withDatabase(
    audit
      .command('verify')
      .description('Compute the chain of the audit log again. Exits with 1 if an entry was changed or is missing')
      .argument('<tenant>', 'Id of the team')
      .option('--head <hash>', 'A head that you kept: it has to be there still'),
  ).action((tenant: string, options: AdminOptions & { head?: string }) => verifyAudit(context, tenant, options));
}

async function endMachine(context: Context, tenant: string, ref: string, options: ConfirmedOptions): Promise<void> {
  const program = teamServerProgram(context);
  const ports = portsOf(context, options);
  const found = await asked(program.endMachine(ports, tenant, ref, false));
  const name = oneLine(found.name);
  if (found.leftAt !== null) {
    if (options.json) return printJson(context, { ended: null, ...found });
    return printLine(context, `${name} has left, or was ended, ${formatAge(Date.now() - Date.parse(found.leftAt))} ago.`);
  }
  if (options.dryRun) {
    if (options.json) return printJson(context, { dryRun: true, ...found });
    return printLine(context, `Piton would end ${name} (${found.machine}): its key stops working at once, and what it sent stays.`);
  }
  const question = `End ${name}? Its key stops working at once, what it sent stays, and joining again needs a new code.`;
  if (!(await confirmed(context, options, question, `piton team end ${tenant} ${shellWord(ref)}`))) return;
  await asked(program.endMachine(ports, tenant, found.machine, true));
  if (options.json) return printJson(context, { ended: found.machine, name: found.name });
  done(context, `${name} is ended. What it sent stays; its own \`piton team status\` says so.`);
}

async function bodies(context: Context, tenant: string, setting: 'on' | 'off' | undefined, options: ConfirmedOptions): Promise<void> {
  const program = teamServerProgram(context);
  const ports = portsOf(context, options);
  const before = await asked(program.readBodiesSetting(ports, tenant));
  const wanted = setting === undefined ? before : setting === 'on';
  const text = (is: boolean): string => (is ? 'wants prompts, commands and outputs' : 'does not want prompts, commands or outputs');
  if (setting === undefined || wanted === before) {
    if (options.json) return printJson(context, { bodies: before, changed: false });
    return printLine(context, `The team ${text(before)}.`);
  }
  if (options.dryRun) {
    if (options.json) return printJson(context, { dryRun: true, bodies: wanted });
    return printLine(context, `From then on the team ${text(wanted)}. ${wanted ? NOBODY_YET : STAYS}`);
  }
  const question = `${wanted ? 'Ask for' : 'Want no'} prompts, commands and outputs? ${wanted ? NOBODY_YET : STAYS}`;
  if (!(await confirmed(context, options, question, `piton team bodies ${tenant} ${setting}`))) return;
  await asked(program.changeBodiesSetting(ports, tenant, wanted));
  if (options.json) return printJson(context, { bodies: wanted, changed: true });
  done(context, `the team ${text(wanted)}. ${wanted ? NOBODY_YET : STAYS}`);
}
const NOBODY_YET = 'Nothing of them leaves a machine until its person agrees: piton team consent.';
const STAYS = 'Machines send none any more. What is stored stays until its days are over, or its person is deleted.';

function count(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Failure(`${name} must be a number, not ${JSON.stringify(text)}`, { usage: true });
  return Number(text);
}

async function listAudit(context: Context, tenant: string, options: AdminOptions & { after: string; limit: string }): Promise<void> {
  const [after, limit] = [count(options.after, '--after'), count(options.limit, '--limit')];
  const program = teamServerProgram(context);
  const ports = portsOf(context, options);
  const entries = await asked(program.listAudit(ports, tenant, after, limit));
  if (options.json) return printJson(context, entries);
  if (entries.length === 0) return printLine(context, 'Nothing is in the audit log.');
  const own = program.actorOf(ports);
  context.out(
    table(context, entries, [
      { title: 'NUMBER', value: ({ number }) => String(number) },
      { title: 'AT', value: ({ at }) => formatTime(at.toISOString()) },
      { title: 'WHO', value: ({ actor }) => (actor === own ? `${actor} (you)` : oneLine(actor)) },
      { title: 'DID', value: ({ action }) => oneLine(action) },
      { title: 'ABOUT', value: ({ subject }) => oneLine(subject) },
    ]),
  );
}

async function verifyAudit(context: Context, tenant: string, options: AdminOptions & { head?: string }): Promise<void> {
  const verdict = await asked(teamServerProgram(context).verifyAudit(portsOf(context, options), tenant, options.head));
  if (!verdict.ok) {
    if (options.json) printJson(context, verdict);
    const before = Math.max(0, (verdict.number ?? 1) - 2);
    throw new Failure(`the audit log is broken: ${verdict.error}`, {
      remedy: `compare this with the same of a backup restored elsewhere: piton team audit list ${tenant} --after ${before} --json`,
    });
  }
  if (options.json) return printJson(context, verdict);
  done(context, `${plural(verdict.entries, 'entry', 'entries')}, none changed or missing. Its head: ${verdict.head}`);
  printLine(context, 'The end cannot prove itself. Keep the head elsewhere, and check it the next time with --head.');
}
