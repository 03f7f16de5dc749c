import { type Command, Help } from 'commander';
import { expect, it } from 'vitest';
import { subcommandTerm } from '../src/command-table.ts';
import type { Context } from '../src/context.ts';
import { buildProgram, commandWords, withDefaults } from '../src/program.ts';

const context = { version: '0', width: 100, out: () => {}, err: () => {} } as unknown as Context;
const find = (command: Command, name: string): Command => command.commands.find((each) => each.name() === name) as Command;
const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];
const optionsOf = (command: Command): (string | undefined)[] => command.options.map(({ long }) => long);

it('lists each command by its name, and those of a group with the arguments that they take', async () => {
  const program = await buildProgram(context, 'all');
  const commands = withAll(program).slice(1);
  expect(commands.length).toBeGreaterThan(40);
  expect(commands.map(subcommandTerm)).toEqual(
    commands.map((command) => (command.parent === program ? command.name() : new Help().subcommandTerm(command))),
  );
});

it('loads the command that is called, and no other', async () => {
  const program = await buildProgram(context, ['hooks', 'test', 'guard']);
  expect(optionsOf(find(find(program, 'hooks'), 'test'))).toContain('--watch');
  expect(optionsOf(find(find(program, 'hooks'), 'replay'))).toEqual([]);
  expect(optionsOf(find(program, 'status'))).toEqual([]);
});

it.each([
  [
    ['events', '--limit', '3'],
    ['events', 'list', '3'],
  ],
  [
    ['hooks', '--help'],
    ['hooks', 'list'],
  ],
  [['help', 'clean'], ['clean']],
  [
    ['help', 'hooks'],
    ['hooks', 'list'],
  ],
  [['--version'], []],
  [['--', 'status'], ['status']],
])('of %j reads which command is called', (args, words) => {
  expect(commandWords(withDefaults(args))).toEqual(words);
});
