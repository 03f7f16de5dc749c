import type { Command } from 'commander';

const given = new WeakMap<Command, readonly string[]>();

/** Shown under `--help` and in the reference. The first word `piton` is added here. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  given.set(command, examples);
  return command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  piton ${example}`).join('\n')}`);
}

export const examplesOf = (command: Command): readonly string[] => given.get(command) ?? [];
