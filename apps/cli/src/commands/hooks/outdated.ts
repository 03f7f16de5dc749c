import { Command } from 'commander';
import { type AddedHook, addedHooks, chooseAdded } from '../../catalogue/added-hooks.ts';
import { refetch } from '../../catalogue/offer.ts';
import type { Origin } from '../../catalogue/origin.ts';
import { type Staging, withStaging } from '../../catalogue/staging.ts';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { hookHash } from '../../library/artifact-source.ts';
import { treeAt } from '../../library/target.ts';
import { table } from '../../output/table.ts';
import { repositoryRoot } from '../../repository.ts';

interface Options {
  readonly json?: boolean;
}

type State = 'current' | 'newer' | 'pinned' | 'not reached' | 'unknown source';

interface Row {
  readonly name: string;
  readonly scope: AddedHook['scope'];
  readonly version: string;
  readonly available: string;
  readonly source: string;
  readonly state: State;
  /** Somebody changed the copy that is here. */
  readonly changed: boolean;
  readonly why?: string;
}

export function hooksOutdatedCommand(context: Context): Command {
  const command = new Command('outdated')
    .argument('[name...]', 'Only these hooks')
    .option('--json', 'Print JSON')
    .action((names: string[], options: Options) => run(context, names, options));
  return withExamples(command, ['hooks outdated', 'hooks outdated --json']);
}

async function run(context: Context, names: readonly string[], { json }: Options): Promise<void> {
  const all = [...addedHooks(context, 'user'), ...(repositoryRoot(context) === undefined ? [] : addedHooks(context, 'project'))];
  const rows: Row[] = [];
  await withStaging(async (staging) => {
    for (const hook of chooseAdded(all, names)) rows.push(await look(context, hook, staging));
  });
  if (json) return printJson(context, rows);
  if (rows.length === 0)
    return printLine(context, withCommandName(context, 'No hook was added yet. To see what there is: piton hooks search'));
  context.out(
    table(context, rows, [
      { title: 'name', value: ({ name }) => name },
      { title: 'here', value: ({ version, changed }) => `${version}${changed ? ', changed' : ''}` },
      { title: 'there', value: ({ available }) => available },
      {
        title: 'state',
        value: ({ state }) => state,
        colour: ({ state }) => (state === 'current' || state === 'pinned' ? undefined : 'yellow'),
      },
      { title: 'source', value: ({ source }) => source, flexible: 'middle' },
    ]),
  );
  for (const { name, why } of rows) if (why !== undefined) printLine(context, `\n! ${name}: ${why}`);
  if (rows.some(({ state }) => state === 'newer'))
    printLine(context, withCommandName(context, '\nTo see what is new, and take it: piton hooks update <name>'));
}

async function look(context: Context, { name, scope, folder, added, origin }: AddedHook, staging: Staging): Promise<Row> {
  const here = treeAt(folder)?.files ?? [];
  const row = {
    name,
    scope,
    version: added.version,
    available: '',
    source: origin?.source ?? '',
    changed: hookHash(here) !== added.essence,
  };
  if (origin === undefined) return { ...row, state: 'unknown source' };
  if (isPinned(origin)) return { ...row, available: added.version, state: 'pinned' };
  try {
    const { source } = await refetch(context, origin, { staging, catalogues: [] });
    return { ...row, available: source.version, state: hookHash(source.files) === added.essence ? 'current' : 'newer' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...row, state: 'not reached', why: error.message };
  }
}

/** A commit or a version of a package never becomes another. */
const isPinned = ({ kind, source }: Origin): boolean =>
  (kind === 'git' && /#(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(source)) ||
  (kind === 'npm' && /.@\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/.test(source));
