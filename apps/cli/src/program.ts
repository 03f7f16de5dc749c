import { Command } from 'commander';
import { agentsCommand } from './commands/agents.ts';
import { blameCommand } from './commands/blame.ts';
import { checkpointsCommand } from './commands/checkpoints.ts';
import { cleanCommand } from './commands/clean.ts';
import { completionCommand } from './commands/completion.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events.ts';
import { explainCommand } from './commands/explain.ts';
import { exportCommand } from './commands/export.ts';
import { hooksCommand } from './commands/hooks.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { lintCommand } from './commands/lint.ts';
import { materializeCommand } from './commands/materialize.ts';
import { redactCommand } from './commands/redact.ts';
import { referenceCommand } from './commands/reference.ts';
import { resumeCommand } from './commands/resume.ts';
import { rewindCommand } from './commands/rewind.ts';
import { schemaCommand } from './commands/schema.ts';
import { serverCommand } from './commands/server.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { settingsCommand } from './commands/settings.ts';
import { statusCommand } from './commands/status.ts';
import { trustCommand } from './commands/trust.ts';
import { uninstallCommand } from './commands/uninstall.ts';
import { untrustCommand } from './commands/untrust.ts';
import type { Context } from './context.ts';
import { withExamples } from './examples.ts';

/** The whole tree. Completion and the reference are made from it. */
export function buildProgram(context: Context): Command {
  const program = new Command('piton')
    .description(
      'One lifecycle layer under every AI coding agent: it hears their events, lets your hooks decide, and records what happened.',
    )
    .version(context.version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .addHelpCommand(new Command('help').argument('[command]').description('show help for a command').helpGroup('More:'));
  withExamples(program, ['demo', 'init', 'status', 'events tail']);

  group(program, 'Set up', [
    initCommand(context),
    statusCommand(context),
    doctorCommand(context),
    uninstallCommand(context),
    demoCommand(context),
  ]);
  group(program, 'Look', [eventsCommand(context), sessionsCommand(context), agentsCommand(context)]);
  group(program, 'Work', [
    checkpointsCommand(context),
    rewindCommand(context),
    explainCommand(context),
    blameCommand(context),
    resumeCommand(context),
    exportCommand(context),
  ]);
  group(program, 'Hooks', [
    hooksCommand(context),
    trustCommand(context),
    untrustCommand(context),
    lintCommand(context),
    importCommand(context),
    materializeCommand(context),
  ]);
  group(program, 'More', [
    serverCommand(context),
    settingsCommand(context),
    redactCommand(context),
    cleanCommand(context),
    schemaCommand(context),
    completionCommand(context, program),
  ]);
  program.addCommand(referenceCommand(context, program), { hidden: true });
  inherit(program, context);
  for (const [name, fallback] of Object.entries(DEFAULTS))
    showDefault(
      program.commands.find((each) => each.name() === name),
      fallback,
    );
  return program;
}

function group(program: Command, title: string, commands: readonly Command[]): void {
  for (const command of commands) program.addCommand(command.helpGroup(`${title}:`));
}

/** Commander passes these on only to commands that it made itself. */
function inherit(command: Command, context: Context): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err })
    .showHelpAfterError(`\nTry: ${pathOf(command)} --help`)
    .configureHelp({ showGlobalOptions: false, helpWidth: Math.min(100, context.width) });
  for (const child of command.commands) {
    child.helpOption('-h, --help', 'show help');
    if (child.commands.length > 0) child.helpCommand(false);
    inherit(child, context);
  }
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** What a group does when it is given alone. Commander's own default would swallow a misspelt word instead of suggesting. */
const DEFAULTS: Readonly<Record<string, string>> = {
  checkpoints: 'list',
  events: 'list',
  hooks: 'list',
  sessions: 'list',
  server: 'status',
  settings: 'list',
};

/** `piton events --limit 3` works, so `piton events --help` says so. */
function showDefault(command: Command | undefined, name: string): void {
  const child = command?.commands.find((each) => each.name() === name);
  if (!command || !child) return;
  command.addHelpText('after', () => {
    const help = child.createHelp();
    const options = help.visibleOptions(child).filter(({ long }) => long !== '--help');
    const lines = options.map((option) => `  ${help.optionTerm(option).padEnd(22)}  ${help.optionDescription(option)}`);
    return lines.length === 0 ? '' : `\nOptions of ${name}, which it does when given alone:\n${lines.join('\n')}`;
  });
}

export function withDefaults(program: Command, args: readonly string[]): string[] {
  const [first, second] = args;
  const fallback = first === undefined ? undefined : DEFAULTS[first];
  const asksHelp = second === '-h' || second === '--help';
  if (!first || !fallback || asksHelp || (second !== undefined && !second.startsWith('-'))) return [...args];
  return program.commands.some((command) => command.name() === first) ? [first, fallback, ...args.slice(1)] : [...args];
}
