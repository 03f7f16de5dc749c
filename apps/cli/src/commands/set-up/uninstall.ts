import { shellWord } from '@piton/contracts';
import { Command } from 'commander';
import { withCommandName } from '../../command-name.ts';
import { type Context, printAsIs, printJson, printLine } from '../../context.ts';
import { SOME_AGENT } from '../../example-agents.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { changeJson, changesOf, printDiffs, printSteps, type Step } from '../../install/change.ts';
import type { EditPlan } from '../../install/edit.ts';
import { failedJson, reportFailed } from '../../install/failed-agent.ts';
import { applyPurge, applyRemovals, type Done } from '../../install/uninstall/apply.ts';
import { planRemovals, type UninstallPlan } from '../../install/uninstall/plan.ts';
import { type Left, purgeSteps, removalSteps, whatStays } from '../../install/uninstall/steps.ts';
import { parseAgentsOption } from '../../options/names.ts';
import { wrap } from '../../output/text.ts';
import { consent } from '../../question.ts';

interface Options {
  readonly agent?: readonly string[];
  readonly project?: boolean;
  readonly yes?: boolean;
  readonly purge?: boolean;
  readonly restore?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function uninstallCommand(context: Context): Command {
  const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];
  const command = new Command('uninstall')
    .option('--agent <name>', 'Only from this agent: the others, git hooks and data stay. May be repeated', collect)
    .option('--project', 'Remove it from this repository instead of from your user')
    .option('--purge', "Also delete all of Piton's data: recorded events, trusted hooks, runtime, and its checkpoints in every repository")
    .option('--no-restore', "Do not put imported hooks back into the agents' files")
    .option('--dry-run', 'Show what would be done and what stays, and change nothing')
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, [
    'uninstall --dry-run',
    'uninstall',
    'uninstall --project',
    `uninstall --agent ${SOME_AGENT}`,
    'uninstall --purge',
  ]);
}

async function run(context: Context, options: Options): Promise<void> {
  if (options.project && options.purge) throw new Failure('--purge cannot be combined with --project', { usage: true });
  if (options.agent && options.purge) throw new Failure('--purge cannot be combined with --agent', { usage: true });
  const only = options.agent && parseAgentsOption(options.agent);
  const plan = await planRemovals(context, { project: options.project === true, restore: options.restore !== false, only });
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
  const { failed, scope, only } = plan;
  if (failed.length > 0) context.exit.code = 1;
  const left = whatStays(plan, false);
  if (options.json)
    return printJson(context, {
      ...{ changed: false, dryRun: options.dryRun === true, agents: [], failed: failed.map(failedJson), server: 'none', purged: false },
      ...{ changes: [], stays: left },
    });
  if (failed.length > 0) return reportFailed(context, failed);
  const configuration = only
    ? `the ${scope} configuration of ${only.map(({ title }) => title).join(', ')}`
    : `any agent's ${scope} configuration`;
  printLine(context, `Nothing to do: Piton is not in ${configuration}${options.project ? ' in this repository' : ''}.`);
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
  const agents = (options.agent ?? []).map((name) => ` --agent ${shellWord(name)}`).join('');
  const command = `piton uninstall${agents}${options.project ? ' --project' : ''}${options.purge ? ' --purge' : ''}${options.restore === false ? ' --no-restore' : ''}`;
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
