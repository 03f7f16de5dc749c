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
    usage: 'search [options] [words...]',
    summary: 'Search the hooks library, and catalogues that you name',
    load: async () => (await import('./hooks/search.ts')).hooksSearchCommand,
  },
  {
    usage: 'add [options] [source...]',
    summary: 'Add hooks from the library, a git repository, an npm package or a folder. Without one it lists the library',
    load: async () => (await import('./hooks/add.ts')).hooksAddCommand,
  },
  {
    usage: 'outdated [options] [name...]',
    summary: 'List the hooks that `hooks add` wrote, and whether their sources have newer ones',
    load: async () => (await import('./hooks/outdated.ts')).hooksOutdatedCommand,
  },
  {
    usage: 'update [options] [name...]',
    summary: 'Show what is new in the source of a hook that was added, and take it if you agree',
    load: async () => (await import('./hooks/update.ts')).hooksUpdateCommand,
  },
  {
    usage: 'remove [options] <name...>',
    summary: 'Remove hooks that `hooks add` wrote. Keeps hooks you have changed',
    load: async () => (await import('./hooks/remove.ts')).hooksRemoveCommand,
  },
  {
    usage: 'sign [options] <folder>',
    summary: 'Sign a hook of yours with a key of ssh, so that others know it is yours',
    load: async () => (await import('./hooks/sign.ts')).hooksSignCommand,
  },
  {
    usage: 'index [options] [folder]',
    summary: 'Make a catalogue of the hooks in a folder, for `hooks search` and `hooks add`',
    load: async () => (await import('./hooks/make-index.ts')).hooksIndexCommand,
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
    'hooks search secret',
    'hooks add block-destructive-commands',
    'hooks explain',
    'hooks test no-rm-rf',
    'hooks backtest no-rm-rf --since 30d',
  ]);
}
