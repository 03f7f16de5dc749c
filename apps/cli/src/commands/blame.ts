import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type BlamedLine, blameFile } from '@piton/checkpoints';
import { Command } from 'commander';
import { placeHere } from '../checkpoints/here.ts';
import { type Context, printJson } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { table } from '../output/table.ts';

export function blameCommand(context: Context): Command {
  const command = new Command('blame')
    .description('who wrote each line of a file: which agent, in which session, after which prompt, or you')
    .argument('<file>', 'a file of this repository')
    .option('--rev <commit>', 'as of this commit instead of now')
    .option('--json', 'as JSON')
    .action((file: string, options: { rev?: string; json?: boolean }) => run(context, file, options));
  return withExamples(command, ['blame src/login.ts', 'blame README.md --json']);
}

async function run(context: Context, file: string, { rev, json }: { rev?: string; json?: boolean }): Promise<void> {
  const place = await placeHere(context);
  const lines = await blameFile(place, fromRoot(context, place.repository.root, file), rev);
  if (lines === null) throw new Failure(`there is no such file${rev ? ` in ${rev}` : ''}`, { where: file });
  if (json) return printJson(context, lines.map(asJson));
  context.out(
    table(context, lines, [
      { title: 'by', value: byOf },
      { title: 'checkpoint', value: ({ checkpoint }) => checkpoint?.id.slice(-8) ?? '' },
      { title: 'commit', value: ({ commit }) => commit?.slice(0, 8) ?? 'not yet' },
      { title: 'line', value: ({ line }) => String(line), align: 'right' },
      { title: 'text', value: ({ text }) => text, flexible: true },
    ]),
  );
}

export const byOf = ({ by, checkpoint }: BlamedLine): string =>
  by === 'agent' ? (checkpoint?.agent ?? 'agent') : by === 'human' ? 'you' : by;

export function asJson({ checkpoint, ...line }: BlamedLine): object {
  const { id = null, session = null, agent = null, turn = null, name = null } = checkpoint ?? {};
  return { ...line, checkpoint: id, session, agent, turn, name };
}

/** Relative to the current directory, as people type it. */
export function fromRoot(context: Context, root: string, file: string): string {
  const path = resolve(realpathSync(context.cwd), file);
  return relative(root, path);
}
