import type { Command } from 'commander';
import type { CandidateKind } from './candidates.ts';
import { argumentKind, optionKind } from './kinds.ts';

/** What completion scripts need to know about a command. */
export interface CommandNode {
  /** The words after `piton`; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly {
    readonly flags: readonly string[];
    readonly description: string;
    readonly takesValue: boolean;
    /** What `piton candidates` offers for its value. */
    readonly value?: CandidateKind | undefined;
  }[];
  /** What it offers for the argument. */
  readonly argument?: CandidateKind | undefined;
  readonly choices: readonly string[];
  readonly takesArgument: boolean;
  readonly children: readonly CommandNode[];
}

export function commandTree(command: Command, path: readonly string[] = []): CommandNode {
  const help = command.createHelp();
  return {
    path,
    description: command.description(),
    options: help.visibleOptions(command).map((option) => {
      const flags = [option.short, option.long].filter((flag) => flag != null);
      const takesValue = option.required || option.optional;
      return { flags, description: option.description, takesValue, value: takesValue ? optionKind(flags) : undefined };
    }),
    argument: argumentKind(path),
    takesArgument: command.registeredArguments.length > 0,
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    children: help
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .map((child) => commandTree(child, [...path, child.name()])),
  };
}

export function allNodes(node: CommandNode): CommandNode[] {
  return [node, ...node.children.flatMap(allNodes)];
}
