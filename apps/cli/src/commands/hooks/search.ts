import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { readCatalogues } from '../../catalogue/catalogue-file.ts';
import { digestOf } from '../../catalogue/origin.ts';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { readAdded } from '../../library/added-file.ts';
import { librarySources } from '../../library/artifact-source.ts';
import { artifactsFolder, treeAt } from '../../library/target.ts';
import { existingPlaces } from '../../locations.ts';
import { table } from '../../output/table.ts';
import { catalogueOption, libraryState } from './add.ts';

interface Options {
  readonly catalogue: readonly string[];
  readonly json?: boolean;
}

interface Row {
  readonly name: string;
  readonly version: string;
  readonly event: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly needs: readonly string[];
  readonly source: string;
  readonly path: string;
  readonly digest: string;
  /** `library`, or the catalogue's file. */
  readonly from: string;
  /** Whether it is among the person's own: as it is listed, or otherwise. */
  readonly state: 'added' | 'changed' | '';
}

export function hooksSearchCommand(context: Context): Command {
  const command = new Command('search')
    .argument('[words...]', 'Words of the name, description, event or tags (default: all hooks)')
    .addOption(catalogueOption())
    .option('--json', 'Print JSON')
    .action((words: string[], options: Options) => run(context, words, options));
  return withExamples(command, ['hooks search', 'hooks search secret', 'hooks search deploy --catalogue hooks.json']);
}

function run(context: Context, words: readonly string[], { catalogue, json }: Options): void {
  const rows = [...libraryRows(context), ...catalogueRows(context, catalogue)].filter((row) => fits(row, words));
  if (json) return printJson(context, rows);
  if (rows.length === 0) {
    context.exit.code = 1;
    return printLine(context, 'No hook has all of these words.');
  }
  const several = catalogue.length > 0;
  context.out(
    table(context, rows, [
      { title: 'name', value: ({ name }) => name },
      { title: 'event', value: ({ event }) => event, narrow: 'left-out' },
      ...(several ? [{ title: 'from', value: ({ from }: Row) => from, flexible: 'middle' as const, narrow: 'left-out' as const }] : []),
      { title: 'here', value: ({ state }) => state },
      { title: 'what it does', value: ({ description }) => description, flexible: true },
    ]),
  );
  const how = several ? 'piton hooks add <name> --catalogue <file>' : 'piton hooks add <name>';
  printLine(context, withCommandName(context, `\nAdd one: ${how}`));
}

function fits({ name, description, event, tags }: Row, words: readonly string[]): boolean {
  const text = [name, description, event, ...tags].join('\n').toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
}

function libraryRows(context: Context): Row[] {
  const folder = artifactsFolder(context, 'user');
  return librarySources(context).map((source) => {
    const { name, version, event, description, tags, needs, files } = source;
    const state = libraryState(source, join(folder, name));
    return { name, version, event, description, tags, needs, source: name, path: '', digest: digestOf(files), from: 'library', state };
  });
}

function catalogueRows(context: Context, files: readonly string[]): Row[] {
  const places = existingPlaces(context);
  const added = places === undefined ? {} : readAdded(places.home);
  const folder = artifactsFolder(context, 'user');
  return readCatalogues(context, files).flatMap(({ hooks }, at) =>
    hooks.map((hook) => {
      const there = join(folder, hook.name);
      const state = treeIsThere(folder, there) ? (added[there]?.digest === hook.digest ? 'added' : 'changed') : '';
      return { ...hook, from: files[at] ?? '', state } as const;
    }),
  );
}

/** A name in a catalogue may be any text. */
const treeIsThere = (folder: string, there: string): boolean => {
  try {
    return resolve(there).startsWith(`${folder}/`) && treeAt(there) !== undefined;
  } catch {
    return false;
  }
};
