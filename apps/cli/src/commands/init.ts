import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { Command } from 'commander';
import { type Context, printJson } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { applyAgent, planAgent } from '../install/agent-plan.ts';
import { linkOf, planLink, writeLink } from '../install/command-link.ts';
import { configPlaces, type InstallScope } from '../install/config-place.ts';
import { detectAgents, namedAgents } from '../install/detect.ts';
import { installTarget } from '../install/edit.ts';
import { planIgnore, writeIgnore } from '../install/ignore-file.ts';
import { type InitPlan, initJson, reportInit } from '../install/init-report.ts';
import { refuseSecondLevel } from '../install/levels.ts';
import { existingPlaces, futureForwarder, makePlaces, userHome } from '../locations.ts';
import { requireRepository } from '../repository.ts';
import { layRuntime, planRuntime } from '../runtime/layout.ts';
import { runtimeParts } from '../runtime/parts.ts';
import { renewServer } from '../server/renew.ts';
import { offerTrust } from '../trust/offer.ts';

interface Options {
  readonly agent?: readonly string[];
  readonly project?: boolean;
  readonly user?: boolean;
  readonly link?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function initCommand(context: Context): Command {
  const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];
  const command = new Command('init')
    .description('set Piton up and register it with the agents that are here')
    .option('--agent <name>', 'only this agent; may be given again (default: those found here)', collect)
    .option('--user', 'register for your user, in every project (the default)')
    .option('--project', 'register in this repository only, for everybody who works in it')
    .option('--link', 'also put the command where shells look: ~/.local/bin/piton')
    .option('--dry-run', 'say what would be done, and change nothing')
    .option('--yes', 'ask nothing; hooks that are not trusted stay so')
    .option('--json', 'as JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, ['init', 'init --dry-run', 'init --agent claude --project']);
}

async function run(context: Context, options: Options): Promise<void> {
  if (options.project && options.user) throw new Failure('--project and --user exclude each other', { usage: true });
  const plan = planInit(context, options);
  if (options.dryRun) return options.json ? printJson(context, initJson(plan, true)) : reportInit(context, plan, true);
  const places = makePlaces(context);
  if (plan.changes) {
    writeFileSync(join(places.home, 'place.json'), `${JSON.stringify({ config: places.config })}\n`, { mode: 0o600 });
    if (plan.runtime.changes) layRuntime(places, plan.runtime);
    for (const agent of plan.agents) applyAgent(places, agent, plan.target);
    if (plan.ignore) writeIgnore(plan.ignore);
    if (plan.link) writeLink(plan.link);
  }
  const renewed = plan.runtime.changes ? await renewServer(places) : 'none';
  if (options.json) return printJson(context, { ...initJson(plan, false), server: renewed });
  reportInit(context, plan, false, renewed);
  await offerTrust(context, places, options.yes === true);
}

/** Everything is looked at before anything is written: a file that cannot be edited stops all of it. */
function planInit(context: Context, options: Options): InitPlan {
  const scope: InstallScope = options.project ? 'project' : 'user';
  const home = userHome(context);
  const base = scope === 'project' ? requireRepository(context) : home;
  if (scope === 'project' && base === realpathSync(home)) {
    throw new Failure('this repository is your home: both levels are the same file', { where: base, remedy: 'leave out --project' });
  }
  const chosen = chooseAgents(options, home, context);
  const target = installTarget(futureForwarder(context), scope, home);
  const places = existingPlaces(context);
  for (const agent of chosen) refuseSecondLevel(context, agent, scope, home, places);
  const runtime = planRuntime(places, runtimeParts(context.distribution), context.version);
  const agents = chosen.map((agent) => planAgent(configPlaces(agent, scope, base, context.env), target));
  const ignore = scope === 'project' ? planIgnore(base) : undefined;
  const place = linkOf(home, target.forwarder);
  const link = options.link ? planLink(place) : undefined;
  const changes = runtime.changes || ignore !== undefined || link !== undefined || agents.some((agent) => agent.changes);
  return { scope, target, runtime, agents, ignore, place, link, changes };
}

function chooseAgents(options: Options, home: string, context: Context): Agent[] {
  if (options.agent) return namedAgents(options.agent);
  const found = detectAgents(home, context.env);
  if (found.length > 0) return found;
  throw new Failure('no agent was found here', {
    where: `looked on PATH and in ${home} for ${AGENTS.map(({ title }) => title).join(', ')}`,
    remedy: `name it: piton init --agent ${AGENTS[0]?.id ?? '<name>'}; or look around first: piton demo`,
  });
}
