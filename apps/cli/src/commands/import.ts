import { join, resolve } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { Command } from 'commander';
import { withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { SOME_AGENT } from '../example-agents.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { type GatheredFile, gather } from '../import/gather.ts';
import { type ImportPlan, type Planned, planImport, plannedChanges } from '../import/plan.ts';
import { gatherInstalled, gatherNamed } from '../import/plugins.ts';
import { type PlannedRemoval, planRemovedOriginals, type Removal, removeOriginals } from '../import/remove-originals.ts';
import { printOriginals, shown, showPlan } from '../import/show.ts';
import { writePlanned } from '../import/write.ts';
import { type Change, changeJson, ownChange, printDiff } from '../install/change.ts';
import { ignoreChange, planIgnore, writeIgnore } from '../install/ignore-file.ts';
import { hooksChanged } from '../last-resort.ts';
import { makePlaces, userHome } from '../locations.ts';
import { parseAgentsOption } from '../options/names.ts';
import { plural } from '../output/text.ts';
import { consent } from '../question.ts';
import { repositoryRoot, requireRepository } from '../repository.ts';

interface Options {
  readonly agent?: string[];
  readonly scope?: string;
  readonly out?: string;
  readonly plugin?: string[];
  readonly copyScripts?: boolean;
  readonly removeOriginal?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function importCommand(context: Context): Command {
  const from = AGENTS.filter(({ importer }) => importer !== undefined).map(({ id }) => id);
  const command = new Command('import')
    .option('--agent <name...>', `Only from these: ${from.join(', ')} (default: all)`)
    .option('--scope <scope>', "user: your configuration. project: this repository's", 'user')
    .option('--out <directory>', 'Write here instead of artifacts/imported/ of that scope')
    .option('--plugin <folder...>', 'Only from these plugins, or from all plugins of these marketplaces')
    .option('--copy-scripts', 'Copy the scripts that the hooks run into the artifacts')
    .option('--remove-original', "Remove the originals from the agents' files, after a backup (user scope)")
    .option('--force', 'Overwrite artifacts that differ')
    .option('--dry-run', 'Show what would be done, and change nothing')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--json', 'Print JSON. Without --yes, only list')
    .action((options: Options) => run(context, options));
  return withExamples(command, [
    'import --dry-run',
    `import --agent ${SOME_AGENT} --copy-scripts`,
    'import --scope project --yes',
    'import --plugin ./marketplace --dry-run',
  ]);
}

async function run(context: Context, options: Options): Promise<void> {
  const { scope } = options;
  if (scope !== 'user' && scope !== 'project')
    throw new Failure(`--scope must be user or project, not ${JSON.stringify(scope)}`, { usage: true });
  if (options.removeOriginal && scope === 'project')
    throw new Failure('--remove-original needs --scope user: hooks imported into a project run only after `piton trust`', {
      usage: true,
    });
  const places = makePlaces(context);
  const home = userHome(context);
  const project = scope === 'project' ? requireRepository(context) : (repositoryRoot(context) ?? context.cwd);
  const base = scope === 'project' ? join(project, '.piton') : places.config;
  const outFor = ({ personal }: GatheredFile): string =>
    options.out === undefined ? join(base, ...(personal ? ['local'] : []), 'artifacts', 'imported') : resolve(context.cwd, options.out);
  const files = gatherAll(context, options, scope, scope === 'project' ? project : home);
  const plan = planImport(files, { outFor, home, project, copyScripts: options.copyScripts === true, isOwn: scope === 'user' });
  const wanted = plan.planned.filter(({ state }) => state === 'new' || (state === 'changed' && options.force));
  if (files.some(({ error }) => error !== undefined)) context.exit.code = 1;
  const only = options.dryRun === true || (options.json === true && !options.yes);
  if (!options.json) {
    showPlan(context, plan, files);
    if (plan.planned.length === 0) return printLine(context, nothing(plan, files, scope));
  }
  const removes = options.removeOriginal === true;
  // A plugin stays as it is.
  const there = [...wanted, ...plan.planned.filter(({ state }) => state === 'same')].filter(({ from }) => from.plugin === undefined);
  const originals = removes ? planRemovedOriginals(context, home, there) : [];
  // Hooks of one person are not for the repository.
  const ignore = scope === 'project' && wanted.some(({ from }) => from.personal) ? planIgnore(project) : undefined;
  const announced = [
    ...wanted.flatMap(plannedChanges),
    ...(ignore === undefined ? [] : [ignoreChange(ignore)]),
    ...originals.flatMap(({ change }) => change ?? []),
    ownChange(places.home, 'backups and records'),
  ];
  if (!only && (wanted.length > 0 || removes)) {
    const question = `Write ${plural(wanted.length, 'artifact')}${removes ? ' and remove the originals' : ''}?`;
    if (!(await consent(context, { question, yes: options.yes === true, command: commandLine(options) }))) return;
    if (ignore !== undefined) writeIgnore(ignore);
    for (const each of wanted) writePlanned(each);
    await hooksChanged(places);
  }
  const removed = removes && !only ? removeOriginals(places, originals) : [];
  if (options.json) return printJson(context, asJson(plan, files, only ? [] : wanted, removed, announced));
  if (only) return showOnly(context, wanted, originals);
  conclude(context, plan, wanted, removed, { scope, removes, there });
}

function gatherAll(context: Context, options: Options, scope: 'user' | 'project', base: string): GatheredFile[] {
  const agents = chosenAgents(options);
  if (options.plugin !== undefined) return options.plugin.flatMap((folder) => gatherNamed(agents, resolve(context.cwd, folder)));
  return agents.flatMap((agent) => [
    ...gather(context, agent, scope, base),
    ...(scope === 'user' ? gatherInstalled(context, agent, base) : []),
  ]);
}

function showOnly(context: Context, wanted: readonly Planned[], originals: readonly PlannedRemoval[]): void {
  printLine(context, `\n${plural(wanted.length, 'artifact')} would be written.`);
  for (const { change } of originals) if (change?.diff) printDiff(context, change.diff);
}

/** The command line as it was given: without its options it would do something else. */
function commandLine({ agent = [], scope, out, plugin = [], copyScripts, removeOriginal, force }: Options): string {
  return [
    'piton import',
    ...(agent.length > 0 ? ['--agent', ...agent] : []),
    ...(scope === 'project' ? ['--scope project'] : []),
    ...(out === undefined ? [] : ['--out', quotedPath(out)]),
    ...(plugin.length > 0 ? ['--plugin', ...plugin.map(quotedPath)] : []),
    ...(copyScripts ? ['--copy-scripts'] : []),
    ...(removeOriginal ? ['--remove-original'] : []),
    ...(force ? ['--force'] : []),
  ].join(' ');
}

const quotedPath = (path: string): string => (/^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

function chosenAgents({ agent }: Options): Agent[] {
  const able = AGENTS.filter(({ importer }) => importer !== undefined);
  if (agent === undefined) return able;
  const named = parseAgentsOption(agent);
  const unable = named.find(({ importer }) => importer === undefined);
  if (unable)
    throw new Failure(`importing hooks from ${unable.title} is not supported`, {
      remedy: `supported: ${able.map(({ id }) => id).join(', ')}`,
      usage: true,
    });
  return named;
}

function nothing({ left }: ImportPlan, files: readonly GatheredFile[], scope: string): string {
  if (left.length > 0 || files.length > 0) return '\nNothing to import.';
  return `No agent has hooks in ${scope === 'user' ? 'your user configuration. For this project: --scope project' : 'this repository'}.`;
}

interface ImportSummary {
  readonly scope: string;
  readonly removes: boolean;
  readonly there: readonly Planned[];
}

function conclude(
  context: Context,
  { planned }: ImportPlan,
  wanted: readonly Planned[],
  removed: readonly Removal[],
  summary: ImportSummary,
): void {
  const different = planned.filter(({ state }) => state === 'changed').length - wanted.filter(({ state }) => state === 'changed').length;
  printLine(
    context,
    `\n${plural(wanted.length, 'artifact')} written${different > 0 ? `, ${different} kept. Use --force to overwrite` : ''}.`,
  );
  if (summary.scope === 'project' && wanted.length > 0)
    printLine(context, withCommandName(context, 'They run once you trust them: piton trust'));
  for (const { file, kept, why } of removed) {
    if (kept === undefined) context.err(`${shown(context, file)}: ${withCommandName(context, why ?? '')}\n`);
    else printLine(context, `${shown(context, file)}: originals removed. Backup: ${kept}`);
  }
  if (removed.some(({ why }) => why !== undefined)) context.exit.code = 1;
  const doubled = summary.removes
    ? summary.there.filter(({ from }) => removed.some(({ file, why }) => file === from.path && why))
    : summary.there;
  if (doubled.length > 0) printOriginals(context, doubled, userHome(context));
}

function asJson(
  { planned, left }: ImportPlan,
  files: readonly GatheredFile[],
  written: readonly Planned[],
  removed: readonly Removal[],
  changes: readonly Change[],
): object {
  return {
    artifacts: planned.map((one) => ({
      ...{ agent: one.agent.id, folder: one.folder, state: one.state, written: written.includes(one) },
      ...{ from: one.from.path, line: one.hook.place.line, place: one.hook.place.path, event: one.hook.event },
      ...{ notes: one.notes, notPinned: one.notPinned },
    })),
    left: left.map(({ from, place, what, why }) => ({
      agent: from.agent.id,
      from: from.path,
      line: place.line,
      place: place.path,
      what,
      why,
    })),
    unreadable: files.flatMap(({ path, error }) => (error === undefined ? [] : [{ file: path, error }])),
    removed,
    changes: changes.map(changeJson),
  };
}
