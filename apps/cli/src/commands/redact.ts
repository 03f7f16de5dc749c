import { createReadStream } from 'node:fs';
import { Command } from 'commander';
import { type Context, printJson } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { plural } from '../output/text.ts';
import { redactorHere, Tally } from '../redactor.ts';

interface Options {
  readonly summary?: boolean;
  readonly json?: boolean;
}

export function redactCommand(context: Context): Command {
  const command = new Command('redact')
    .argument('[file]', 'Read this file instead of stdin')
    .option('--summary', 'Print the number of secrets of each kind on stderr')
    .option('--json', 'Print the text and the findings as one JSON object')
    .action((file: string | undefined, options: Options) => run(context, file, options));
  return withExamples(command, ['redact < session.log', 'redact --summary notes.md > clean.md', 'redact --json < payload.json']);
}

async function run(context: Context, file: string | undefined, options: Options): Promise<void> {
  if (file === undefined && process.stdin.isTTY) throw new Failure('no input', { remedy: 'piton redact < file', usage: true });
  const redactor = redactorHere(context);
  const stream = redactor.stream();
  const found = new Tally();
  try {
    for await (const piece of file === undefined ? process.stdin : createReadStream(file)) stream.write(piece as Uint8Array);
  } catch (error) {
    throw new Failure(`cannot read the input: ${(error as Error).message}`, file === undefined ? {} : { where: file });
  }
  const text = stream.end(found.add);
  if (options.json) return printJson(context, { rules: redactor.version, found: found.list(), text });
  context.verbatim(text);
  if (!options.summary) return;
  const kinds = found.list().map(({ kind, count }) => `${count} ${kind}`);
  context.err(`${plural(found.all, 'secret')} replaced${kinds.length > 0 ? `: ${kinds.join(', ')}` : ''}\n`);
}
