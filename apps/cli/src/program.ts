import { Command } from 'commander';
import { commandName } from './command-name.ts';
import { type Call, commandsOf, subcommandTerm } from './command-table.ts';
import { HIDDEN, SECTIONS } from './commands/index.ts';
import type { Context } from './context.ts';
import { withExamples } from './examples.ts';
import { fitLines } from './output/fit.ts';
import { beginningOf, oneLine, truncate } from './output/text.ts';

/** The program, with the code of the command that `words` name. */
export async function buildProgram(context: Context, words: Call['words']): Promise<Command> {
  const program = new Command('piton')
    .description('One lifecycle layer under every AI coding agent: runs your hooks on their events and records what happened.')
    .version(context.version, '-v, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .addHelpCommand(new Command('help').argument('[command]').description('Show help for a command').helpGroup('More:'));
  withExamples(program, ['demo', 'init', 'status', 'events tail']);

  const call: Call = { words, wholeProgram: () => buildProgram(context, 'all') };
  for (const { title, commands } of SECTIONS)
    for (const command of await commandsOf(commands, context, call)) program.addCommand(command.helpGroup(`${title}:`));
  for (const command of await commandsOf(HIDDEN, context, call)) program.addCommand(command, { hidden: true });
  inherit(program, context);
  for (const [name, fallback] of Object.entries(DEFAULTS))
    showDefault(
      program.commands.find((each) => each.name() === name),
      fallback,
    );
  return program;
}

/** Commander passes these only to commands that it created itself. */
function inherit(command: Command, context: Context): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr: (text) => context.err(text.replace(/^\nTry: piton\b/, () => `\nTry: ${commandName(context)}`)),
      outputError: (text, write) => showUsageError(text, context.width, (line) => write(fitLines(line, context.width))),
    })
    .showHelpAfterError(`\nTry: ${pathOf(command)} --help`)
    .configureHelp({ showGlobalOptions: false, helpWidth: Math.min(100, context.width), subcommandTerm });
  for (const child of command.commands) {
    child.helpOption('-h, --help', 'Show help');
    if (child.commands.length > 0) child.helpCommand(false);
    inherit(child, context);
  }
}

/** Two quotes, and a full stop or what else stands behind. */
const QUOTES = 4;

/** What was typed is in it, and may have any number of lines. Commander's own suggestion has a line to itself. */
function showUsageError(text: string, width: number, write: (text: string) => void): void {
  const [, message = text, suggestion = ''] = /^([\s\S]*?)(\n\(Did you mean [^\n]*\))?\n$/.exec(text) ?? [];
  // In quotes it is one thing, which is not broken: longer than a line its beginning is enough.
  const short = oneLine(beginningOf(message)).replace(/'(.*)'/, (_, quoted: string) => `'${truncate(quoted, width - QUOTES)}'`);
  write(`${short}${suggestion}\n`);
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** What a group does without a subcommand. Commander's own default would accept a misspelt subcommand instead of suggesting one. */
const DEFAULTS: Readonly<Record<string, string>> = {
  checkpoints: 'list',
  events: 'list',
  hooks: 'list',
  mcp: 'serve',
  observations: 'list',
  sessions: 'list',
  server: 'status',
  settings: 'list',
  team: 'status',
};

/** `piton events --limit 3` works, so `piton events --help` shows it. */
function showDefault(command: Command | undefined, name: string): void {
  const child = command?.commands.find((each) => each.name() === name);
  if (!command || !child) return;
  command.addHelpText('after', () => {
    const help = child.createHelp();
    const options = help.visibleOptions(child).filter(({ long }) => long !== '--help');
    const lines = options.map((option) => `  ${help.optionTerm(option).padEnd(22)}  ${help.optionDescription(option)}`);
    return lines.length === 0 ? '' : `\nWithout a subcommand it runs ${name}. Options:\n${lines.join('\n')}`;
  });
}

export function withDefaults(args: readonly string[]): string[] {
  const [first, second] = args;
  const fallback = first === undefined ? undefined : DEFAULTS[first];
  const asksHelp = second === '-h' || second === '--help';
  if (!first || !fallback || asksHelp || (second !== undefined && !second.startsWith('-'))) return [...args];
  return [first, fallback, ...args.slice(1)];
}

/** The words that name the command. For a group alone they include its default, whose options the help lists. */
export function commandWords(args: readonly string[]): string[] {
  const words = args.filter((word) => !word.startsWith('-'));
  const [first, ...rest] = words[0] === 'help' ? words.slice(1, 2) : words;
  if (first === undefined) return [];
  const fallback = DEFAULTS[first];
  return rest.length === 0 && fallback !== undefined ? [first, fallback] : [first, ...rest];
}

/** With `--help` behind it commander would show the help of the group and succeed. Cut there, it names the word as unknown. */
export function upToUnknownCommand(program: Command, args: readonly string[]): readonly string[] {
  if (args[0] === 'help' && args[1] !== undefined) return program.commands.some((each) => each.name() === args[1]) ? args : [args[1]];
  let command = program;
  for (const [at, word] of args.entries()) {
    if (word.startsWith('-') || command.commands.length === 0) return args;
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    const isHelp = command === program && word === 'help';
    if (next === undefined) return isHelp ? args : args.slice(0, at + 1);
    command = next;
  }
  return args;
}
