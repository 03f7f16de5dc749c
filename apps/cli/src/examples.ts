import type { Command } from 'commander';

const registered = new WeakMap<Command, readonly string[]>();

/** Shown under `--help` and in the reference. The leading `piton` is added here. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  registered.set(command, examples);
  return command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  piton ${example}`).join('\n')}`);
}

export const examplesOf = (command: Command): readonly string[] => registered.get(command) ?? [];
