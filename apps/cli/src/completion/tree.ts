import type { Command } from 'commander';

/** What completion scripts need to know about a command. */
export interface CommandNode {
  /** The words after `piton`; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly { readonly flags: readonly string[]; readonly description: string; readonly takesValue: boolean }[];
  readonly choices: readonly string[];
  readonly children: readonly CommandNode[];
}

export function commandTree(command: Command, path: readonly string[] = []): CommandNode {
  const help = command.createHelp();
  return {
    path,
    description: command.description(),
    options: help.visibleOptions(command).map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag != null),
      description: option.description,
      takesValue: option.required || option.optional,
    })),
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
