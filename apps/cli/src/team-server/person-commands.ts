import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWord } from '@piton/contracts';
import type { PersonLine } from '@piton/team';
import { Argument, type Command } from 'commander';
import { type Context, printJson, printLine } from '../context.ts';
import { codeOf, Failure, reasonOf } from '../failure.ts';
import { table } from '../output/table.ts';
import { oneLine, plural } from '../output/text.ts';
import { type AdminOptions, asked, type ConfirmedOptions, confirmed, portsOf, withConfirmation, withDatabase } from './admin-options.ts';
import { teamServerProgram } from './program.ts';

type Role = PersonLine['role'];
type ExportOptions = ConfirmedOptions & { readonly output: string };

export const done = (context: Context, text: string): void => printLine(context, `${context.paint('green', '✓')} ${text}`);

/** What admins do about people. */
export function addPersonCommands(context: Context, command: Command): void {
  const person = command.command('person').description('List people of a team, change their role, export or delete them');
  withDatabase(person.command('list').description('List the people of a team').argument('<tenant>', 'Id of the team')).action(
    (tenant: string, options: AdminOptions) => listPeople(context, tenant, options),
  );
  withConfirmation(
    person
      .command('role')
      .description('Show or change what a person may: a member sees their own, an auditor everybody, an admin changes things too')
      .argument('<tenant>', 'Id of the team')
      .argument('<person>', 'Id or name of the person')
      .addArgument(new Argument('[role]', 'admin, auditor or member').choices(ROLES)),
  ).action((tenant: string, who: string, role: Role | undefined, options: ConfirmedOptions) =>
    personRole(context, tenant, who, role, options),
  );
  withConfirmation(
    person
      .command('export')
      .description('Write all that is known of a person, with what they wrote, as JSON lines. The audit log has it')
      .argument('<tenant>', 'Id of the team')
      .argument('<person>', 'Id or name of the person')
      .requiredOption('--output <file>', 'A file that is not there yet. Nobody else may read it'),
  ).action((tenant: string, who: string, options: ExportOptions) => exportPerson(context, tenant, who, options));
  withConfirmation(
    person
      .command('delete')
      .description('Delete a person: the key of their prompts and outputs, their name, their machines. There is no undo')
      .argument('<tenant>', 'Id of the team')
      .argument('<person>', 'Id or name of the person'),
  ).action((tenant: string, who: string, options: ConfirmedOptions) => deletePerson(context, tenant, who, options));
}

async function listPeople(context: Context, tenant: string, options: AdminOptions): Promise<void> {
  const people = await asked(teamServerProgram(context).listPeople(portsOf(context, options), tenant));
  if (options.json) return printJson(context, people);
  context.out(
    table(context, people, [
      { title: 'ID', value: ({ person }) => person },
      { title: 'NAME', value: ({ name, leftAt }) => `${oneLine(name)}${leftAt === null ? '' : ' (left)'}` },
      { title: 'ROLE', value: ({ role }) => role },
      { title: 'MACHINES', value: ({ machines }) => String(machines) },
      { title: 'BODIES', value: ({ consent }) => (consent ? 'agreed' : '-') },
      { title: 'PSEUDONYM', value: ({ pseudonym }) => pseudonym },
    ]),
  );
}

const about = ({ name, person, machines }: PersonLine): string => `${oneLine(name)} (${person}, ${plural(machines, 'machine')})`;

async function exportPerson(context: Context, tenant: string, who: string, options: ExportOptions): Promise<void> {
  const program = teamServerProgram(context);
  const ports = portsOf(context, options);
  const found = await asked(program.findPerson(ports, tenant, who));
  const file = resolve(context.cwd, options.output);
  if (options.dryRun) {
    if (options.json) return printJson(context, { dryRun: true, ...found, output: file });
    return printLine(
      context,
      `Piton would write all that is known of ${about(found)}, with what they wrote, to ${file}. The audit log has it.`,
    );
  }
  const question = `Write all that is known of ${about(found)}, with what they wrote, to ${file}? The audit log has it.`;
  const command = `piton team person export ${tenant} ${shellWord(who)} --output ${shellWord(options.output)}`;
  if (!(await confirmed(context, options, question, command))) return;
  let open: number;
  try {
    open = openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new Failure(codeOf(error) === 'EEXIST' ? 'the file is there already' : `cannot write the file: ${reasonOf(error)}`, {
      where: file,
      remedy: 'name another with --output',
    });
  }
  let records: number;
  try {
    records = await asked(program.exportPerson(ports, tenant, found.person, (line) => void writeSync(open, `${JSON.stringify(line)}\n`)));
  } catch (error) {
    rmSync(file); // half of what is known must not pass for all of it, nor stand in the way of the next try
    throw error;
  } finally {
    closeSync(open);
  }
  if (options.json) return printJson(context, { exported: found.person, output: file, records });
  done(context, `${plural(records, 'record')} of ${oneLine(found.name)} in ${file}`);
}

async function personRole(context: Context, tenant: string, who: string, role: Role | undefined, options: ConfirmedOptions): Promise<void> {
  const program = teamServerProgram(context);
  const ports = portsOf(context, options);
  const found = await asked(program.findPerson(ports, tenant, who));
  if (role === undefined || role === found.role) {
    if (options.json) return printJson(context, { person: found.person, role: found.role, changed: false });
    return printLine(context, `${oneLine(found.name)} is ${AS[found.role]}.`);
  }
  if (role !== 'admin') await asked(program.refuseLastAdmin(ports, tenant, found.person));
  if (options.dryRun) {
    if (options.json) return printJson(context, { dryRun: true, person: found.person, role });
    return printLine(context, `Piton would make ${oneLine(found.name)} ${AS[role]}. They are ${AS[found.role]}.`);
  }
  const question = `Make ${about(found)} ${AS[role]}? They are ${AS[found.role]}.`;
  if (!(await confirmed(context, options, question, `piton team person role ${tenant} ${shellWord(who)} ${role}`))) return;
  await asked(program.changeRole(ports, tenant, found.person, role));
  if (options.json) return printJson(context, { person: found.person, role, changed: true });
  done(context, `${oneLine(found.name)} is ${AS[role]} from now on`);
}
const ROLES: readonly Role[] = ['admin', 'auditor', 'member'];
const AS: Readonly<Record<Role, string>> = { admin: 'an admin', auditor: 'an auditor', member: 'a member' };

async function deletePerson(context: Context, tenant: string, who: string, options: ConfirmedOptions): Promise<void> {
  const program = teamServerProgram(context);
  const ports = portsOf(context, options);
  const found = await asked(program.findPerson(ports, tenant, who));
  await asked(program.refuseLastAdmin(ports, tenant, found.person));
  const what = 'the key of what they wrote, their name, and the names and keys of their machines';
  const stays = `headers of what their agents did, under ${found.pseudonym}. A backup from before has the key still.`;
  if (options.dryRun) {
    if (options.json) return printJson(context, { dryRun: true, ...found });
    printLine(context, `Piton would delete of ${about(found)}: ${what}.`);
    return printLine(context, `Stays: ${stays}`);
  }
  const question = `Delete of ${about(found)}: ${what}? There is no undo. Stays: ${stays}`;
  if (!(await confirmed(context, options, question, `piton team person delete ${tenant} ${shellWord(who)}`))) return;
  await asked(program.deletePerson(ports, tenant, found.person));
  if (options.json) return printJson(context, { deleted: found.person, pseudonym: found.pseudonym });
  done(context, `deleted: ${what}`);
  printLine(context, `Stays: ${stays}`);
}
