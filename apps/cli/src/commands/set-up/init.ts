import { noteRegistered } from '@piton/contracts/noted-versions';
import type { Places } from '@piton/contracts/places';
import { Command, Option } from 'commander';
import { type Context, printJson, printLine } from '../../context.ts';
import { SOME_AGENT, SOME_AGENTS } from '../../example-agents.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { type AgentPlan, applyAgent, installedAt } from '../../install/agent-plan.ts';
import { writeLink } from '../../install/command-link.ts';
import { attempt, type FailedAgent, reportFailed } from '../../install/failed-agent.ts';
import { writeIgnore } from '../../install/ignore-file.ts';
import { type InitPlan, type InitRequest, planInit } from '../../install/init/plan.ts';
import { initJson, type Ready, reportNext, reportPlan, reportReady } from '../../install/init/report.ts';
import { notePlaces } from '../../install/noted-places.ts';
import { pickAgents } from '../../install/pick-agents.ts';
import { reportWatched, watchRepository } from '../../install/watch-repository.ts';
import { keepLastResorts } from '../../last-resort.ts';
import { makePlaces } from '../../locations.ts';
import { askIfInteractive } from '../../question.ts';
import { judgeRunning } from '../../readiness/readiness.ts';
import { mayTrust, trustHooks } from '../../readiness/trust-hooks.ts';
import { installRuntime } from '../../runtime/installation.ts';
import { replaceServer } from '../../server/replacement.ts';
import { askToTrust } from '../../trust/init-question.ts';

interface Options {
  readonly agent?: readonly string[];
  readonly agents?: string;
  readonly scope?: 'user' | 'project';
  readonly project?: boolean;
  readonly user?: boolean;
  readonly link?: boolean;
  readonly git?: boolean;
  readonly gitConfigHooks?: boolean;
  readonly sharedHooks?: boolean;
  readonly yes?: boolean;
  readonly trustHooks?: boolean;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

export function initCommand(context: Context): Command {
  const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];
  const command = new Command('init')
    .option('--agents <names>', 'Only these agents, comma-separated (default: all found here, except unproven ones)')
    .option('--agent <name>', 'Only this agent. May be repeated', collect)
    .addOption(
      new Option('--scope <scope>', 'For your user in every project (default), or for this repository only').choices(['user', 'project']),
    )
    .option('--user', 'Same as --scope user')
    .option('--project', 'Same as --scope project: for everyone who works in this repository')
    .option('--no-git', 'Do not take checkpoints in this repository')
    .option('--git-config-hooks', "Register git hooks in git's configuration instead of as files (git 2.54 or newer)")
    .option('--shared-hooks', "Add git hooks to files that others share: husky's, lefthook.yml, or those of core.hooksPath in the project")
    .option('--link', 'Also link the command as ~/.local/bin/piton')
    .option('--trust-hooks', 'Approve the hooks in agents that ask for approval. --yes does not')
    .option('--dry-run', 'Show what would be done, with a diff of each file, and change nothing')
    .option('--yes', 'Do not ask. Does not trust any hooks')
    .addOption(new Option('--quiet', 'Print only errors, and do not ask').conflicts(['json', 'dryRun']))
    .option('--json', 'Print JSON')
    .action((options: Options) => run(options.quiet ? silent(context) : context, options));
  return withExamples(command, ['init', 'init --dry-run', `init --agents ${SOME_AGENTS}`, `init --agent ${SOME_AGENT} --scope project`]);
}

const nothing = (): void => {};

/** Errors still go to stderr. */
const silent = (context: Context): Context => ({
  ...context,
  ...{ out: nothing, outBytes: nothing, verbatim: nothing, progress: nothing, interactive: false },
});

async function run(context: Context, options: Options): Promise<void> {
  const request = requestOf(options);
  const dryRun = options.dryRun === true;
  const asks = context.interactive && !options.yes && !options.json && !dryRun;
  const picked = asks && request.agents.length === 0 ? await pickAgents(context, request.scope) : request.agents;
  if (picked === undefined) return printLine(context, 'Nothing was changed.');
  const planned = await planInit(context, { ...request, agents: picked });
  const hasWork = planned.agents.length > 0 || planned.changes;
  if (dryRun || !hasWork) {
    if (options.json) printJson(context, initJson(planned, dryRun));
    else if (hasWork) reportPlan(context, planned, 'dry-run');
    return conclude(context, planned.failed, options);
  }
  if (planned.changes && asks) {
    reportPlan(context, planned, 'plan');
    reportFailed(context, planned.failed);
    if (!(await askIfInteractive(context, 'Continue?'))) return printLine(context, 'Nothing was changed.');
  }
  const places = makePlaces(context);
  // Before the runtime changes: a forwarder that finds no server reads this, and in some places a server never runs.
  keepLastResorts(places);
  const plan = applyPlan(context, places, planned);
  const { repository } = plan;
  const watched = repository && (await watchRepository(context, places, repository, hooksChoice(options)));
  const replacement = plan.runtime.changes ? await replaceServer(places) : 'none';
  const failed = [...plan.failed];
  const ready: Ready[] = [];
  for (const agent of plan.agents) ready.push(await checkReadiness(context, places, plan.home, agent, options, failed));
  if (options.json) {
    printJson(context, { ...initJson({ ...plan, failed }, false, ready), server: replacement, checkpoints: watched ?? null });
    return conclude(context, failed, options);
  }
  reportPlan(context, plan, 'done', replacement);
  reportReady(context, plan, ready);
  if (options.git !== false) reportWatched(context, watched);
  reportNext(context, plan);
  conclude(context, failed, options);
  await askToTrust(context, places, options.yes === true);
}

/** JSON already lists the failures. */
function conclude(context: Context, failed: readonly FailedAgent[], { json }: Options): void {
  if (failed.length > 0) context.exit.code = 1;
  if (!json) reportFailed(context, failed);
}

const hooksChoice = ({ gitConfigHooks, sharedHooks }: Options) => ({ inConfig: gitConfigHooks === true, shared: sharedHooks === true });

function requestOf(options: Options): InitRequest {
  const { agent = [], agents, scope, project, user, link, git } = options;
  const levels = new Set([...(scope ? [scope] : []), ...(project ? ['project' as const] : []), ...(user ? ['user' as const] : [])]);
  if (levels.size > 1) throw new Failure('--project and --user cannot be combined', { usage: true });
  const [level = 'user'] = levels;
  const named = [...agent, ...(agents === undefined ? [] : [agents])];
  return { agents: named, scope: level, link: link === true, git: git !== false, hooks: hooksChoice(options) };
}

/** Applies the plan. A file that could be read may still fail to be written; its agent is reported as failed. */
function applyPlan(context: Context, places: Places, plan: InitPlan): InitPlan {
  notePlaces(context, places);
  noteRegistered(places.home, Object.fromEntries(plan.agents.map(({ agent: { id } }) => [id, plan.versions.get(id)?.version ?? null])));
  if (!plan.changes) return plan;
  if (plan.runtime.changes) installRuntime(places, plan.runtime);
  const failed = [...plan.failed];
  for (const each of plan.agents) attempt(each.agent, failed, () => applyAgent(places, each));
  if (plan.ignore) writeIgnore(plan.ignore);
  if (plan.link) writeLink(places.home, plan.link);
  return { ...plan, failed, agents: plan.agents.filter(({ agent }) => !failed.some((each) => each.agent === agent)) };
}

/** Will the agent run what is installed now? If the agent needs consent, ask for it once. */
async function checkReadiness(
  context: Context,
  places: Places,
  home: string,
  plan: AgentPlan,
  options: Options,
  failed: FailedAgent[],
): Promise<Ready> {
  const { agent, scope, target } = plan;
  const judge = () => judgeRunning(context, agent, scope, home, installedAt(plan.places, target));
  const verdict = await judge();
  if (verdict.runs || !verdict.consent) return { agent: agent.id, verdict, trusted: null };
  const asked = { ...context, interactive: context.interactive && !options.yes && !options.json };
  if (!(await mayTrust(asked, verdict.consent, options.trustHooks === true))) return { agent: agent.id, verdict, trusted: null };
  const { consent } = verdict;
  const trusted = attempt(agent, failed, () => trustHooks(context, places, agent, scope, home, consent)) ?? null;
  return { agent: agent.id, verdict: await judge(), trusted };
}
