import { Command, Help } from 'commander';
import type { Context } from './context.ts';

/** A command as its parent's help lists it. Its code, options included, is loaded when it is called. */
export interface CommandEntry {
  /** Name and arguments, as commander would list them. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<CommandFactory>;
}

export type CommandFactory = (context: Context, call: Call) => Command | Promise<Command>;

export interface Call {
  /** The words after the command's name. `all` loads every subcommand. */
  readonly words: readonly string[] | 'all';
  /** The program with every command loaded, for completion and the reference. */
  readonly wholeProgram: () => Promise<Command>;
}

const usages = new WeakMap<Command, string>();

export const nameOf = ({ usage }: CommandEntry): string => usage.split(' ', 1)[0] ?? usage;

/** One command per entry: the called one in full, the others only as their parent lists them. */
export async function commandsOf(entries: readonly CommandEntry[], context: Context, { words, wholeProgram }: Call): Promise<Command[]> {
  const build = async (entry: CommandEntry): Promise<Command> => {
    const name = nameOf(entry);
    const isCalled = words === 'all' || words[0] === name;
    const below = { words: words === 'all' ? words : words.slice(1), wholeProgram };
    const command = isCalled ? await (await entry.load())(context, below) : new Command(name);
    usages.set(command, entry.usage);
    return command.description(entry.summary);
  };
  return Promise.all(entries.map(build));
}

/** A command is listed the same whether it is loaded or not. */
export function subcommandTerm(command: Command): string {
  // The program has many commands, whose own help has their arguments.
  if (command.parent?.parent === null) return command.name();
  return usages.get(command) ?? new Help().subcommandTerm(command);
}
