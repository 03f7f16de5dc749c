import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { showDryRun } from '../../install/change.ts';
import { type AddRequest, addChanges, addHook, ChangedHookError } from '../../library/add.ts';
import { type ArtifactSource, findSource, hookHash, leftOutText, librarySources, type Mode } from '../../library/artifact-source.ts';
import { addedJson, describeAdded } from '../../library/describe.ts';
import { type AddScope, artifactsFolder, SCOPES, treeAt } from '../../library/target.ts';
import { existingPlaces } from '../../locations.ts';
import { table } from '../../output/table.ts';
import { changeLines } from '../../trust/review.ts';
import { evidenceOfAgent } from '../../under-agent.ts';

interface Options {
  readonly scope: AddScope;
  readonly mode?: Mode;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function hooksAddCommand(context: Context): Command {
  const command = new Command('add')
    .argument('[name...]', 'Names from the library, or paths of folders with an ARTIFACT.md')
    .addOption(new Option('--scope <scope>', 'For you everywhere, or for this project').choices(SCOPES).default('user'))
    .addOption(new Option('--mode <mode>', 'shadow: record what it would decide, but do not enforce it').choices(['enforce', 'shadow']))
    .option('--force', 'Overwrite a hook that was changed')
    .option('--dry-run', 'Show what would be written, and write nothing')
    .option('--json', 'Print JSON')
    .action((names: string[], options: Options) => run(context, names, options));
  return withExamples(command, [
    'hooks add',
    'hooks add block-destructive-commands',
    'hooks add protect-paths --mode shadow',
    'hooks add run-tests-at-stop --scope project',
    'hooks add ./my-guard',
  ]);
}

async function run(context: Context, names: readonly string[], { scope, mode, force = false, dryRun, json }: Options): Promise<void> {
  if (names.length === 0) return list(context, scope, json === true);
  refuseUnderAgent(context);
  // Find all of them before writing the first.
  const sources = names.map((name) => findSource(context, name));
  const forwarder = existingPlaces(context)?.forwarder;
  const isSetUp = forwarder !== undefined && existsSync(forwarder);
  const request: AddRequest = { scope, force, ...(mode && { mode }) };
  if (dryRun) {
    const changes = sources.flatMap((source) => explained(context, source, () => addChanges(context, source, request)));
    return showDryRun(context, changes, json === true);
  }
  const results = [];
  for (const source of sources) {
    const result = await addOrExplain(context, source, request);
    results.push(result);
    if (!json) describeAdded(context, result, scope, isSetUp);
  }
  if (json)
    printJson(
      context,
      results.map((result) => addedJson(context, result, scope)),
    );
}

async function addOrExplain(context: Context, source: ArtifactSource, request: AddRequest): ReturnType<typeof addHook> {
  try {
    return await addHook(context, source, request);
  } catch (error) {
    throw explainedError(context, source, error);
  }
}

function explained<T>(context: Context, source: ArtifactSource, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw explainedError(context, source, error);
  }
}

function explainedError(context: Context, source: ArtifactSource, error: unknown): unknown {
  if (!(error instanceof ChangedHookError)) return error;
  for (const line of error.changes.flatMap((change) => changeLines(context, change))) context.err(`${line}\n`);
  for (const link of error.links) context.err(`- ${leftOutText(link)}\n`);
  return new Failure(`${source.name} was changed since it was added. The changes above would be lost`, {
    where: error.folder,
    remedy: 'keep it, or use --force',
  });
}

/** A hook runs as soon as it is added, so a person must add it. */
function refuseUnderAgent(context: Context): void {
  const evidence = evidenceOfAgent(context.env);
  if (evidence)
    throw new Failure(`adding hooks is not allowed under an agent (${evidence})`, {
      remedy: 'run it in your own terminal. In tests and CI set PITON_ALLOW_UNDER_AGENT=1',
    });
}

type LibraryState = 'added' | 'changed' | '';

function list(context: Context, scope: AddScope, json: boolean): void {
  const folder = artifactsFolder(context, scope);
  const rows = librarySources(context).map((source) => ({ ...source, standing: libraryState(source, join(folder, source.name)) }));
  if (json)
    return printJson(
      context,
      rows.map(({ name, version, event, description, tags, needs, standing }) => ({
        name,
        version,
        event,
        description,
        tags,
        needs,
        standing,
      })),
    );
  context.out(
    table(context, rows, [
      { title: 'name', value: ({ name }) => name },
      { title: 'event', value: ({ event }) => event, narrow: 'left-out' },
      { title: 'here', value: ({ standing }) => standing },
      { title: 'what it does', value: ({ description }) => description, flexible: true },
    ]),
  );
  printLine(context, withCommandName(context, '\nAdd one: piton hooks add <name>. To try it first: --mode shadow'));
}

function libraryState(source: ArtifactSource, folder: string): LibraryState {
  const there = treeAt(folder)?.files;
  if (!there) return '';
  return hookHash(there) === hookHash(source.files) ? 'added' : 'changed';
}
