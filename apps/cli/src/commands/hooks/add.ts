import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '@piton/contracts';
import { Command, Option } from 'commander';
import { acceptOffer, explainedError, fromOffer, offerJson, planOffer, refuseUnderAgent } from '../../catalogue/accept.ts';
import { isDigest } from '../../catalogue/catalogue-file.ts';
import { findOffer, type Offer } from '../../catalogue/offer.ts';
import { type Staging, withStaging } from '../../catalogue/staging.ts';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { showDryRun } from '../../install/change.ts';
import { type AddPlan, type AddRequest, addChanges, addHook } from '../../library/add.ts';
import { type ArtifactSource, hookHash, librarySources, type Mode } from '../../library/artifact-source.ts';
import { addedJson, describeAdded } from '../../library/describe.ts';
import { type AddScope, artifactsFolder, SCOPES, treeAt } from '../../library/target.ts';
import { existingPlaces } from '../../locations.ts';
import { table } from '../../output/table.ts';

interface Options {
  readonly scope: AddScope;
  readonly mode?: Mode;
  readonly hook?: string;
  readonly digest?: string;
  readonly catalogue: readonly string[];
  readonly cases: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function hooksAddCommand(context: Context): Command {
  const command = new Command('add')
    .argument(
      '[source...]',
      'Names from the library or a catalogue, folders, git addresses (https://…#ref), or npm packages (npm:name@version)',
    )
    .addOption(new Option('--scope <scope>', 'For you everywhere, or for this project').choices(SCOPES).default('user'))
    .addOption(new Option('--mode <mode>', 'shadow: record what it would decide, but do not enforce it').choices(['enforce', 'shadow']))
    .option('--hook <name>', 'Which of its hooks, if a source has several: its name or folder')
    .option('--digest <digest>', 'Add it only if it has this digest')
    .addOption(catalogueOption())
    .option('--no-cases', 'Do not run the test cases that come with it')
    .option('--force', 'Overwrite a hook that was changed')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--dry-run', 'Show what would be written, and write nothing')
    .option('--json', 'Print JSON')
    .action((names: string[], options: Options) => run(context, names, options));
  return withExamples(command, [
    'hooks add',
    'hooks add block-destructive-commands',
    'hooks add protect-paths --mode shadow',
    'hooks add run-tests-at-stop --scope project',
    'hooks add ./my-guard',
    'hooks add https://example.com/team/hooks.git#v1 --hook no-force-push',
    'hooks add npm:@example/hooks@1.2.0 --dry-run',
  ]);
}

export const catalogueOption = (): Option =>
  new Option('--catalogue <file>', 'Also look in this catalogue. Can be repeated')
    .argParser((file: string, files: string[]) => [...files, file])
    .default([], 'none');

async function run(context: Context, names: readonly string[], options: Options): Promise<void> {
  if (names.length === 0) return list(context, options.scope, options.json === true);
  refuseUnderAgent(context, 'adding');
  if (options.digest !== undefined && !isDigest(options.digest))
    throw new Failure('--digest takes sha256: and 64 hexadecimal digits', { usage: true });
  if (names.length > 1 && (options.digest !== undefined || options.hook !== undefined))
    throw new Failure('--digest and --hook are for one source', { remedy: 'add one at a time', usage: true });
  await withStaging((staging) => add(context, names, options, staging));
}

interface Found {
  readonly offer: Offer;
  readonly plan: AddPlan;
}

/** Finds all of them before asking about the first, and asks about all before writing the first. */
async function add(context: Context, names: readonly string[], options: Options, staging: Staging): Promise<void> {
  const { scope, mode, force = false, json = false, yes = false } = options;
  const request: AddRequest = { scope, force, ...(mode && { mode }) };
  const found: Found[] = [];
  for (const name of names) {
    const offer = await findOffer(context, name, { staging, hook: options.hook, digest: options.digest, catalogues: options.catalogue });
    found.push({ offer, plan: planOffer(context, offer, request) });
  }
  if (options.dryRun) {
    const changes = found.flatMap(({ offer }) => addChanges(context, offer.source, request));
    return showDryRun(context, changes, json);
  }
  const accepted: Found[] = [];
  const command = commandOf(names, options);
  for (const each of found)
    if (
      each.offer.origin.kind === 'library' ||
      (await acceptOffer(context, each.offer, each.plan, { ...{ yes, json, command, staging }, cases: options.cases }))
    )
      accepted.push(each);
  await write(context, accepted, request, json);
}

async function write(context: Context, accepted: readonly Found[], request: AddRequest, json: boolean): Promise<void> {
  const forwarder = existingPlaces(context)?.forwarder;
  const isSetUp = forwarder !== undefined && existsSync(forwarder);
  const results = [];
  for (const { offer } of accepted) {
    const result = await addHook(context, offer.source, request, fromOffer(offer)).catch((error: unknown) => {
      throw explainedError(context, offer.source, error);
    });
    results.push({ ...addedJson(context, result, request.scope), ...offerJson(offer) });
    if (!json) describeAdded(context, result, request.scope, isSetUp);
  }
  if (json) printJson(context, results);
}

/** As it was called, but for `--yes`. */
function commandOf(names: readonly string[], { scope, mode, hook, digest, catalogue, cases, force }: Options): string {
  const words = [
    ...names,
    ...(hook === undefined ? [] : ['--hook', hook]),
    ...(digest === undefined ? [] : ['--digest', digest]),
    ...catalogue.flatMap((file) => ['--catalogue', file]),
    ...(scope === 'project' ? ['--scope', scope] : []),
    ...(mode === undefined ? [] : ['--mode', mode]),
    ...(cases ? [] : ['--no-cases']),
    ...(force ? ['--force'] : []),
  ];
  return `piton hooks add ${words.map(shellWord).join(' ')}`;
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

export function libraryState(source: ArtifactSource, folder: string): LibraryState {
  const there = treeAt(folder)?.files;
  if (!there) return '';
  return hookHash(there) === hookHash(source.files) ? 'added' : 'changed';
}
