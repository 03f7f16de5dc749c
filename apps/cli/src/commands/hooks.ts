import { Command } from 'commander';
import { type Call, type CommandEntry, commandsOf } from '../command-table.ts';
import type { Context } from '../context.ts';
import { withExamples } from '../examples.ts';

const COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'list [options] [words...]',
    summary: 'List the hooks active here in run order, with their state and recent results (default)',
    load: async () => (await import('./hooks/list.ts')).hooksListCommand,
  },
  {
    usage: 'new [options] <kind> [name]',
    summary: 'Create a working hook with test cases, as a starting point',
    load: async () => (await import('./hooks/new.ts')).hooksNewCommand,
  },
  {
    usage: 'add [options] [name...]',
    summary: 'Add hooks from the library, or your own artifact folder. Without a name it lists the library',
    load: async () => (await import('./hooks/add.ts')).hooksAddCommand,
  },
  {
    usage: 'remove [options] <name...>',
    summary: 'Remove hooks that `hooks add` wrote. Keeps hooks you have changed',
    load: async () => (await import('./hooks/remove.ts')).hooksRemoveCommand,
  },
  {
    usage: 'explain [options] [event]',
    summary: 'Explain one event: which hooks were considered, which ran, what each returned, and what the agent got',
    load: async () => (await import('./hooks/explain.ts')).hooksExplainCommand,
  },
  {
    usage: 'test [options] <hook>',
    summary: 'Run a hook without an agent, on recorded payloads and on its test cases',
    load: async () => (await import('./hooks/test.ts')).hooksTestCommand,
  },
  {
    usage: 'backtest [options] <hook>',
    summary: 'Run a hook on your recorded calls to see what it would have done',
    load: async () => (await import('./hooks/backtest.ts')).hooksBacktestCommand,
  },
  {
    usage: 'promote [options] <hook>',
    summary: 'Show what a hook in shadow mode would have done, then enforce it',
    load: async () => (await import('./hooks/promote.ts')).hooksPromoteCommand,
  },
  {
    usage: 'record [options] <session>',
    summary: 'Save the events of a session, with their decisions, as test cases for `hooks test`',
    load: async () => (await import('./hooks/record.ts')).hooksRecordCommand,
  },
  {
    usage: 'replay [options] <session>',
    summary: 'Run the current hooks on a recorded session, and show where the decisions differ',
    load: async () => (await import('./hooks/replay.ts')).hooksReplayCommand,
  },
];

export async function hooksCommand(context: Context, call: Call): Promise<Command> {
  const command = new Command('hooks');
  for (const each of await commandsOf(COMMANDS, context, call)) command.addCommand(each);
  return withExamples(command, [
    'hooks',
    'hooks new guard no-force-push',
    'hooks list secret',
    'hooks list --event pre_tool_use',
    'hooks add block-destructive-commands',
    'hooks explain',
    'hooks test no-rm-rf',
    'hooks backtest no-rm-rf --since 30d',
  ]);
}
