import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { Command } from 'commander';
import { withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine, printParagraph } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { type AgentPlan, planRemoval, removeAgent } from '../install/agent-plan.ts';
import { linkOf, removeLink } from '../install/command-link.ts';
import type { InstallScope } from '../install/config-place.ts';
import { type EditPlan, installTarget } from '../install/edit.ts';
import { attempt, type FailedAgent, failedJson, reportFailed } from '../install/failed-agent.ts';
import { removeIgnore } from '../install/ignore-file.ts';
import { levelOf } from '../install/levels.ts';
import { allRecords } from '../install/records.ts';
import { unwatchRepositories, watchedRepositories } from '../install/watch-repository.ts';
import { existingPlaces, futureForwarder, userHome } from '../locations.ts';
import { plural } from '../output/text.ts';
import { consent } from '../question.ts';
import { withdrawTrust } from '../readiness/trust-hooks.ts';
import { removeTree } from '../remove-tree.ts';
import { requireRepository } from '../repository.ts';
import { type Stopped, stopServer } from '../server/server-process.ts';

interface Options {
  readonly project?: boolean;
  readonly yes?: boolean;
  readonly purge?: boolean;
  readonly json?: boolean;
}

export function uninstallCommand(context: Context): Command {
  const command = new Command('uninstall')
    .option('--project', 'Remove it from this repository instead of from your user')
    .option('--purge', "Also delete all of Piton's data: recorded events, trusted hooks, runtime")
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, ['uninstall', 'uninstall --project', 'uninstall --purge']);
}

async function run(context: Context, options: Options): Promise<void> {
  if (options.project && options.purge) throw new Failure('--purge cannot be combined with --project', { usage: true });
  const scope: InstallScope = options.project ? 'project' : 'user';
  const repository = options.project ? requireRepository(context) : undefined;
  const places = existingPlaces(context);
  const link = linkOf(userHome(context), futureForwarder(context));
  const failed: FailedAgent[] = [];
  const planned = plansFor(context, places, scope, failed);
  const purging = options.purge ? places?.home : undefined;
  const watched = places ? watchedRepositories(places, repository && realpathSync(repository)) : [];
  if (planned.length === 0 && watched.length === 0 && !purging) {
    if (failed.length > 0) context.exit.code = 1;
    if (options.json)
      return printJson(context, { changed: false, agents: [], failed: failed.map(failedJson), server: 'none', purged: false });
    if (failed.length > 0) return reportFailed(context, failed);
    return printLine(
      context,
      `Nothing to do: Piton is not in any agent's ${scope} configuration${options.project ? ' in this repository' : ''}.`,
    );
  }
  const command = `piton uninstall${options.project ? ' --project' : ''}${options.purge ? ' --purge' : ''}`;
  if (!(await consent(context, { question: questionFor(planned, watched, purging), yes: options.yes === true, command })))
    return printLine(context, 'Nothing was changed.');

  const remove = (plan: AgentPlan): AgentPlan => {
    removeAgent(places, plan);
    return plan;
  };
  const plans = planned.flatMap((plan) => attempt(plan.agent, failed, () => remove(plan)) ?? []);
  const withdrawn = places
    ? withdrawTrust(
        places,
        plans.map(({ agent }) => agent),
        scope,
        failed,
      )
    : [];
  if (repository) removeIgnore(repository);
  const gitHooks = places ? await unwatchRepositories(context, places, watched) : [];
  const unlinked = scope === 'user' && removeLink(link);
  const server = places && scope === 'user' ? await stopServer(places) : 'none';
  // The home holds the original files. If one could not be restored, it is still needed.
  const purged = failed.length === 0 ? purging : undefined;
  const left = places && purged ? allRecords(places).map(({ file }) => file) : [];
  if (places && purged) {
    removeTree(places.home);
    removeTree(places.sockets);
  }
  if (failed.length > 0) context.exit.code = 1;
  if (options.json)
    return printJson(context, {
      changed: true,
      agents: plans.flatMap(({ edits }) => edits.map(fileJson)),
      failed: failed.map(failedJson),
      server,
      purged: purged !== undefined,
      trust: withdrawn,
      gitHooks,
    });
  report(context, plans, server, purged);
  for (const directory of new Set(gitHooks.map(dirname)))
    printLine(
      context,
      `  ${context.paint('green', '✓')} ${directory}: ${plural(gitHooks.filter((file) => dirname(file) === directory).length, 'git hook')} removed`,
    );
  for (const { file, exact } of withdrawn)
    printLine(
      context,
      exact
        ? `  ${context.paint('green', '✓')} ${file}: restored byte for byte`
        : `  ${context.paint('yellow', '!')} ${file} was changed since, so the trust entries for the removed registrations stay`,
    );
  if (unlinked) printLine(context, `  ${context.paint('green', '✓')} ${link.path} removed`);
  if (left.length > 0) printParagraph(context, `\nStill registered, but inactive without Piton: ${left.join(', ')}`);
  if (places && !purged)
    printLine(context, `\nRecorded data stays in ${places.home}. To delete it: \`${withCommandName(context, 'piton uninstall --purge')}\``);
  reportFailed(context, failed);
  if (purging && !purged) context.err(`${purging} was not deleted: it still holds the backups of these files\n`);
}

/** Also works if Piton's home is gone: its entries in the agents' files are still there. */
function plansFor(context: Context, places: Places | undefined, scope: InstallScope, failed: FailedAgent[]): AgentPlan[] {
  const home = userHome(context);
  const target = installTarget(futureForwarder(context), scope, home);
  const planFor = (agent: Agent): AgentPlan | undefined => {
    const files = levelOf(context, agent, scope, home);
    return files && planRemoval(places, files, target);
  };
  return AGENTS.flatMap((agent) => attempt(agent, failed, () => planFor(agent)) ?? []).filter((plan) => plan.changes);
}

function questionFor(plans: readonly AgentPlan[], watched: readonly string[], purged: string | undefined): string {
  const files = plans.flatMap(({ edits }) => edits.map((edit) => edit.place.path));
  const parts = [
    ...(files.length > 0 ? [`remove Piton from ${files.join(', ')}`] : []),
    ...(watched.length > 0 ? [`stop checkpoints in ${watched.join(', ')}`] : []),
    ...(purged ? [`delete everything in ${purged} (cannot be undone)`] : []),
  ];
  const text = parts.join(' and ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}

const fileJson = ({ place, exact, removed }: EditPlan): Record<string, unknown> => ({
  agent: place.agent.id,
  file: place.path,
  exact,
  removed: removed.map((each) => each.nativeEvent),
});

function report(context: Context, plans: readonly AgentPlan[], server: Stopped, purged: string | undefined): void {
  const mark = context.paint('green', '✓');
  for (const edit of plans.flatMap(({ edits }) => edits)) printLine(context, `  ${mark} ${edit.place.path}: ${describeEdit(edit)}`);
  if (server === 'stopped') printLine(context, `  ${mark} server stopped`);
  if (server === 'busy') printLine(context, `  ${mark} the server stops when running hooks are done`);
  if (purged) printLine(context, `  ${mark} ${purged} deleted`);
}

function describeEdit({ exact, text, removed }: EditPlan): string {
  if (text === null) return exact ? 'removed, it did not exist before' : 'removed, it had no other content';
  return exact ? 'restored byte for byte' : `${plural(removed.length, 'registration')} removed, the rest unchanged`;
}
