import { Command } from 'commander';
import { withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { table } from '../output/table.ts';

export function schemaCommand(context: Context): Command {
  const command = new Command('schema')
    .argument('[name]', 'Name of the schema')
    .option('--json', 'Print the list as JSON')
    .action((name: string | undefined, options: { json?: boolean }) => run(context, name, options));
  return withExamples(command, ['schema', 'schema envelope', 'schema settings > settings.schema.json']);
}

async function run(context: Context, name: string | undefined, options: { json?: boolean }): Promise<void> {
  // zod is slow to load, and no other command needs it at once.
  const { SCHEMAS } = await import('@piton/contracts/schemas');
  const all = Object.entries(SCHEMAS);
  if (name === undefined) {
    const rows = all.map(([each, schema]) => ({ name: each, title: String(schema.title ?? ''), id: String(schema.$id ?? '') }));
    if (options.json) return printJson(context, rows);
    context.out(
      table(context, rows, [
        { title: 'NAME', value: (row) => row.name },
        { title: 'DESCRIPTION', value: (row) => row.title },
      ]),
    );
    return printLine(context, withCommandName(context, `\nPrint one: piton schema ${rows[0]?.name ?? 'envelope'}`));
  }
  const found = all.find(([each]) => each === name);
  if (!found)
    throw new Failure(`no schema is named ${JSON.stringify(name)}`, {
      remedy: `known: ${all.map(([each]) => each).join(', ')}`,
      usage: true,
    });
  printJson(context, found[1]);
}
