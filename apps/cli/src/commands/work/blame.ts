import { resolve } from 'node:path';
import { Command } from 'commander';
import { blameHere, byOf, lineJson } from '../../checkpoints/blame.ts';
import { openHere } from '../../checkpoints/current-repository.ts';
import { type Context, printJson } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { briefId } from '../../ids/checkpoint.ts';
import { table } from '../../output/table.ts';
import { truncate } from '../../output/text.ts';

export function blameCommand(context: Context): Command {
  const command = new Command('blame')
    .argument('<file>', 'A file in this repository')
    .option('--rev <commit>', 'Blame the file as of this commit')
    .option('-w, --ignore-space', 'Ignore changes of white space')
    .option('--ignore-rev <commit...>', 'Ignore the changes of these commits, such as one of a formatter')
    .option('--ignore-revs-file <file>', 'Ignore the commits in this list (default: .git-blame-ignore-revs, if there is one)')
    .option('--no-ignore-revs-file', 'Use no such list')
    .option('--json', 'Print JSON')
    .action((file: string, options: Options) => run(context, file, options));
  return withExamples(command, ['blame src/login.ts', 'blame src/login.ts -w', 'blame README.md --json']);
}

interface Options {
  readonly rev?: string;
  readonly ignoreSpace?: boolean;
  readonly ignoreRev?: readonly string[];
  /** False: `--no-ignore-revs-file`; true where neither is given. */
  readonly ignoreRevsFile?: string | boolean;
  readonly json?: boolean;
}

async function run(context: Context, file: string, { rev, json, ...given }: Options): Promise<void> {
  const { ignoreSpace = false, ignoreRev = [], ignoreRevsFile: list = true } = given;
  const ignoreRevsFile =
    typeof list === 'string' ? { ignoreRevsFile: resolve(context.cwd, list) } : list ? {} : { ignoreRevsFile: false as const };
  const lines = await blameHere(context, await openHere(context), file, rev, { ignoreSpace, ignoreRevs: ignoreRev, ...ignoreRevsFile });
  if (json) return printJson(context, lines.map(lineJson));
  context.out(
    table(context, lines, [
      { title: 'by', value: byOf },
      { title: 'checkpoint', value: ({ checkpoint }) => (checkpoint ? briefId(checkpoint) : '') },
      { title: 'commit', value: ({ commit }) => commit?.slice(0, 8) ?? 'not yet' },
      {
        title: 'after',
        value: ({ by, checkpoint }) => (by === 'agent' && checkpoint ? truncate(checkpoint.name, 30) : ''),
        narrow: 'left-out',
      },
      { title: 'line', value: ({ line }) => String(line), align: 'right' },
      { title: 'text', value: ({ text }) => text, flexible: true, spaced: true },
    ]),
  );
}
