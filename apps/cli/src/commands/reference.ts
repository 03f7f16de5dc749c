import { Command } from 'commander';
import type { Call } from '../command-table.ts';
import type { Context } from '../context.ts';
import { examplesOf } from '../examples.ts';

/** Prints `docs/cli.md`. Hidden: only `scripts/cli-reference.mjs` uses it. */
export function referenceCommand(context: Context, { wholeProgram }: Call): Command {
  return new Command('reference').action(async () => context.out(pageOf(await wholeProgram())));
}

function pageOf(program: Command): string {
  const sections = program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => sectionsOf(command, 'piton'));
  return `# The command

<!-- Written by scripts/cli-reference.mjs from the command itself. Do not edit. -->

${program.description()}

Listings take \`--json\`. Questions can be answered with \`--yes\`; without a terminal Piton never asks. Exit codes: 0 success,
1 failure (the message says what, where, and how to fix it), 2 invalid command line.
\`PITON_HOME\` moves all of Piton's data; \`NO_COLOR\` turns colours off.

${sections.join('\n')}`;
}

function sectionsOf(command: Command, parent: string): string[] {
  const path = `${parent} ${command.name()}`;
  return [sectionOf(command, path), ...command.commands.flatMap((child) => sectionsOf(child, path))];
}

function sectionOf(command: Command, path: string): string {
  const help = command.createHelp();
  const description = command.description();
  const lines = [
    `${path.split(' ').length > 2 ? '###' : '##'} \`${path}\``,
    '',
    `${description}.`,
    '',
    '```',
    `${path} ${command.usage()}`,
    '```',
    '',
  ];
  const args = command.registeredArguments.map((argument) => [argument.name(), argument.description]);
  const options = help
    .visibleOptions(command)
    .filter((option) => option.long !== '--help')
    .map((option) => [option.flags, help.optionDescription(option)]);
  const rows = [...args, ...options];
  if (rows.length > 0)
    lines.push('| | |', '|---|---|', ...rows.map(([name, what]) => `| \`${name}\` | ${(what ?? '').replaceAll('|', '\\|')} |`), '');
  const examples = examplesOf(command);
  if (examples.length > 0) lines.push('```', ...examples.map((example) => `piton ${example}`), '```', '');
  return lines.join('\n');
}
