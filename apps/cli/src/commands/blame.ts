import { Command } from 'commander';
import { blameHere, byOf, lineJson } from '../checkpoints/blame.ts';
import { openHere, shortId } from '../checkpoints/current-repository.ts';
import { type Context, printJson } from '../context.ts';
import { withExamples } from '../examples.ts';
import { table } from '../output/table.ts';
import { truncate } from '../output/text.ts';

export function blameCommand(context: Context): Command {
  const command = new Command('blame')
    .argument('<file>', 'A file in this repository')
    .option('--rev <commit>', 'Blame the file as of this commit')
    .option('--json', 'Print JSON')
    .action((file: string, options: { rev?: string; json?: boolean }) => run(context, file, options));
  return withExamples(command, ['blame src/login.ts', 'blame README.md --json']);
}

async function run(context: Context, file: string, { rev, json }: { rev?: string; json?: boolean }): Promise<void> {
  const lines = await blameHere(context, await openHere(context), file, rev);
  if (json) return printJson(context, lines.map(lineJson));
  context.out(
    table(context, lines, [
      { title: 'by', value: byOf },
      { title: 'checkpoint', value: ({ checkpoint }) => (checkpoint ? shortId(checkpoint) : '') },
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
