import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeEverything } from '@piton/checkpoints/clean';
import type { Places } from '@piton/contracts/places';
import { Command } from 'commander';
import { withCommandName } from '../../command-name.ts';
import { type Context, printAsIs, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { removeTree, removeTreeBut } from '../../files/remove-tree.ts';
import { copiesOf, dropBackups, keptBackups } from '../../import/originals.ts';
import { type AgentPlan, removeAgent } from '../../install/agent-plan.ts';
import { changeJson, changesOf, printDiffs, printSteps, type Step } from '../../install/change.ts';
import { removeLink } from '../../install/command-link.ts';
import { writeConfig } from '../../install/config-file.ts';
import type { EditPlan } from '../../install/edit.ts';
import { attempt, type FailedAgent, failedJson, reportFailed } from '../../install/failed-agent.ts';
import { removeIgnore } from '../../install/ignore-file.ts';
import { allRecords } from '../../install/records.ts';
import { planRemovals, type UninstallPlan } from '../../install/uninstall/plan.ts';
import { aloneMcp, type Left, purgeSteps, removalSteps, whatStays } from '../../install/uninstall/steps.ts';
import { hooksContext, unwatchRepositories } from '../../install/watch-repository.ts';
import { removeEmptyFolders } from '../../library/target.ts';
import { applyMcpRemoval, dropMcpRecord } from '../../mcp/registration.ts';
import { wrap } from '../../output/text.ts';
import { consent } from '../../question.ts';
import { withdrawTrust } from '../../readiness/trust-hooks.ts';
import { type Stopped, stopServer } from '../../server/server-process.ts';

interface Options {
  readonly project?: boolean;
  readonly yes?: boolean;
  readonly purge?: boolean;
  readonly restore?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function uninstallCommand(context: Context): Command {
  const command = new Command('uninstall')
    .option('--project', 'Remove it from this repository instead of from your user')
    .option('--purge', "Also delete all of Piton's data: recorded events, trusted hooks, runtime, and its checkpoints in every repository")
    .option('--no-restore', "Do not put imported hooks back into the agents' files")
    .option('--dry-run', 'Show what would be done and what stays, and change nothing')
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, ['uninstall --dry-run', 'uninstall', 'uninstall --project', 'uninstall --purge']);
}

async function run(context: Context, options: Options): Promise<void> {
  if (options.project && options.purge) throw new Failure('--purge cannot be combined with --project', { usage: true });
  const plan = await planRemovals(context, { project: options.project === true, restore: options.restore !== false });
  const removals = removalSteps(plan);
  const purge = options.purge ? purgeSteps(plan) : [];
  if (removals.length + purge.length === 0) return nothingToDo(context, plan, options);
  if (options.dryRun) return showDryRun(context, plan, removals, purge, options);
  const answers = await ask(context, removals, purge, options);
  if (answers === 'no') return printLine(context, 'Nothing was changed.');

  const done = await applyRemovals(context, plan);
  const purged = answers === 'purge' ? await applyPurge(context, plan, done) : undefined;
  if (done.failed.length > 0 || done.problems.length > 0) context.exit.code = 1;
  const left = whatStays(plan, purged === 'deleted');
  if (options.json) return printJson(context, doneJson(plan, done, purged, [...removals, ...(purged ? purge : [])], left));
  printSteps(context, done.failed.length > 0 ? removals.filter(({ changes }) => !isFailed(changes, done)) : removals, true);
  if (done.server === 'stopped') printLine(context, `  ${context.paint('green', '✓')} server stopped`);
  if (done.server === 'busy') printLine(context, `  ${context.paint('green', '✓')} the server stops when running hooks are done`);
  if (purged === 'deleted') {
    printSteps(
      context,
      purge.map((step) => ({ ...step, what: `${step.what}: deleted` })),
      true,
    );
  }
  for (const problem of done.problems) printLine(context, `${context.paint('yellow', '!')} ${problem}`);
  printLeft(context, left);
  if (purged === 'deleted' && done.registered.length > 0)
    printLine(context, `\nStill registered, but inactive without Piton: ${done.registered.join(', ')}`);
  reportFailed(context, done.failed);
  if (purged === 'kept') context.err(`${plan.places?.home} was not deleted: it still holds the backups of these files\n`);
}

/** JSON and the exit code tell which file failed. Its step is not done. */
const isFailed = (changes: Step['changes'], { failedFiles }: Done): boolean => changes.some(({ path }) => failedFiles.has(path));

function nothingToDo(context: Context, plan: UninstallPlan, options: Options): void {
  const { failed, scope } = plan;
  if (failed.length > 0) context.exit.code = 1;
  const left = whatStays(plan, false);
  if (options.json)
    return printJson(context, {
      ...{ changed: false, dryRun: options.dryRun === true, agents: [], failed: failed.map(failedJson), server: 'none', purged: false },
      ...{ changes: [], stays: left },
    });
  if (failed.length > 0) return reportFailed(context, failed);
  printLine(context, `Nothing to do: Piton is not in any agent's ${scope} configuration${options.project ? ' in this repository' : ''}.`);
  printLeft(context, left);
}

function showDryRun(context: Context, plan: UninstallPlan, removals: readonly Step[], purge: readonly Step[], options: Options): void {
  const left = whatStays(plan, purge.length > 0);
  if (plan.failed.length > 0) context.exit.code = 1;
  const steps = [...removals, ...purge];
  if (options.json)
    return printJson(context, {
      ...{ changed: false, dryRun: true, failed: plan.failed.map(failedJson), changes: changesOf(steps).map(changeJson), stays: left },
    });
  printLine(context, 'Piton would change (dry run):');
  printSteps(context, removals, false);
  if (purge.length > 0) {
    printLine(context, '\nand delete for good:');
    printSteps(context, purge, false);
  }
  printLeft(context, left);
  printDiffs(context, changesOf(steps));
  reportFailed(context, plan.failed);
}

/** Deleting data for good is a question of its own. */
async function ask(context: Context, removals: readonly Step[], purge: readonly Step[], options: Options): Promise<'no' | 'yes' | 'purge'> {
  const yes = options.yes === true;
  const command = `piton uninstall${options.project ? ' --project' : ''}${options.purge ? ' --purge' : ''}${options.restore === false ? ' --no-restore' : ''}`;
  const shown = !yes && context.interactive;
  if (removals.length > 0) {
    if (shown) printLine(context, 'Piton will change:');
    if (shown) printSteps(context, removals, false);
    if (!(await consent(context, { question: 'Continue?', yes, command }))) return 'no';
  }
  if (purge.length === 0) return 'yes';
  if (shown) printLine(context, '\nPiton will delete for good:');
  if (shown) printSteps(context, purge, false);
  if (await consent(context, { question: "Delete all of Piton's data? This cannot be undone.", yes, command })) return 'purge';
  return removals.length > 0 ? 'yes' : 'no';
}

interface Done {
  readonly agents: readonly AgentPlan[];
  readonly failed: readonly FailedAgent[];
  readonly failedFiles: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly trust: readonly { readonly file: string; readonly exact: boolean }[];
  readonly gitHooks: readonly string[];
  readonly server: Stopped;
  /** Files of projects in which registrations stay. */
  readonly registered: readonly string[];
}

async function applyRemovals(context: Context, plan: UninstallPlan): Promise<Done> {
  const { places, originals, scope } = plan;
  const failed = [...plan.failed];
  const remove = (each: AgentPlan): AgentPlan => {
    removeAgent(places, each);
    return each;
  };
  const alone = aloneMcp(plan);
  const withMcp = alone.filter((each) => attempt(each.agent, failed, () => applyMcpRemoval(places, each)) === 'removed');
  const agents = plan.agents.flatMap((each) => attempt(each.agent, failed, () => remove(each)) ?? []);
  const failedFiles = new Set([
    ...plan.agents.filter((each) => !agents.includes(each)).flatMap(({ edits }) => edits.map(({ place }) => place.target)),
    ...alone.filter((each) => !withMcp.includes(each)).map(({ place }) => place.target),
  ]);
  if (places) for (const { place } of plan.mcp) if (!failedFiles.has(place.target)) dropMcpRecord(places, place);
  const problems = [
    ...originals.failed.map(({ file, why, kept }) => `${file}: ${why}. The hooks are in ${kept}`),
    ...restoreOthers(plan, failedFiles),
  ];
  const trust = places
    ? withdrawTrust(
        places,
        agents.map(({ agent }) => agent),
        scope,
        failed,
      )
    : [];
  if (plan.ignore !== undefined) removeIgnore(plan.ignore);
  const roots = plan.repositories.map(({ root }) => root);
  const gitHooks = places ? await unwatchRepositories(context, places, roots) : [];
  if (plan.link) removeLink(places?.home, plan.link);
  const server = places && scope === 'user' ? await stopServer(places) : 'none';
  return {
    agents,
    failed,
    failedFiles,
    problems,
    trust,
    gitHooks,
    server,
    registered: places ? allRecords(places).map(({ file }) => file) : [],
  };
}

/** Puts the person's hooks back where no registration of ours was removed. A backup goes once its hooks are back. */
function restoreOthers({ originals, agents, mcp, places }: UninstallPlan, failedFiles: ReadonlySet<string>): string[] {
  const edited = new Set([...agents.flatMap(({ edits }) => edits), ...mcp].map(({ place }) => place.target));
  return originals.files.flatMap(({ file, before, after, records }): string[] => {
    if (failedFiles.has(file)) return [];
    try {
      if (!edited.has(file)) writeConfig(file, after, before, { file: 0o600, directory: 0o700 });
      dropBackups(records);
      for (const folder of copiesOf(records).unchanged) removeCopy(folder, places);
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return [`${file}: ${error.message}. The hooks are in ${records.map(({ kept }) => kept).join(', ')}`];
    }
  });
}

function removeCopy(folder: string, places: Places | undefined): void {
  removeTree(folder);
  if (places !== undefined) removeEmptyFolders(folder, join(places.config, 'artifacts'));
}

/** The home holds the original files. If one could not be restored, it is still needed. */
async function applyPurge(context: Context, plan: UninstallPlan, { failed }: Done): Promise<'deleted' | 'kept'> {
  const { places } = plan;
  if (places === undefined || failed.length > 0) return 'kept';
  for (const { root } of plan.kept) await removeRefs(context, places, root);
  if (keptBackups(places.home).length > 0) removeTreeBut(places.home, 'imported');
  else removeTree(places.home);
  removeTree(places.sockets);
  return existsSync(places.runtime) ? 'kept' : 'deleted';
}

async function removeRefs(context: Context, places: Places, root: string): Promise<void> {
  try {
    const problem = await removeEverything(hooksContext(context, places), root);
    if (problem !== undefined)
      printLine(context, `${context.paint('yellow', '!')} ${root}: the refs are deleted, but their space is not free yet: ${problem}`);
  } catch (error) {
    context.exit.code = 1;
    context.err(`${root}: the checkpoints could not be deleted: ${(error as Error).message}\n`);
  }
}

function printLeft(context: Context, left: readonly Left[]): void {
  if (left.length === 0) return;
  printLine(context, '\nWhat stays:');
  for (const { path, what, remedy } of left) {
    printAsIs(context, `  ${wrap(`${path}: ${what}`, context.width - 4).join('\n    ')}`);
    // On a line of its own, to be pasted.
    if (remedy !== undefined) printLine(context, `      to delete: ${withCommandName(context, remedy)}`);
  }
}

const doneJson = (
  plan: UninstallPlan,
  done: Done,
  purged: 'deleted' | 'kept' | undefined,
  steps: readonly Step[],
  left: readonly Left[],
): Record<string, unknown> => ({
  ...{ changed: true, dryRun: false, agents: done.agents.flatMap(({ edits }) => edits.map(fileJson)), failed: done.failed.map(failedJson) },
  ...{ server: done.server, purged: purged === 'deleted', trust: done.trust, gitHooks: done.gitHooks, problems: done.problems },
  ...{ restored: plan.originals.files.map(({ file, exact, hooks }) => ({ file, exact, hooks })) },
  ...{ changes: changesOf(steps).map(changeJson), stays: left },
});

const fileJson = ({ place, exact, removed }: EditPlan): Record<string, unknown> => ({
  agent: place.agent.id,
  file: place.path,
  exact,
  removed: removed.map((each) => each.nativeEvent),
});
