import type { Agent } from '@piton/contracts';
import { Command } from 'commander';
import { withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { SOME_AGENT } from '../example-agents.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { changeJson, ownChange, printDiffs, printSteps, type Step } from '../install/change.ts';
import { detectAgents } from '../install/detect.ts';
import { attempt, type FailedAgent, failedJson, reportFailed } from '../install/failed-agent.ts';
import { existingPlaces, requirePlaces, userHome } from '../locations.ts';
import { parseAgentsOption } from '../options/names.ts';
import { consent } from '../question.ts';
import {
  agentsWithMcp,
  applyMcpInstall,
  applyMcpRemoval,
  hasServer,
  type McpPlan,
  mcpChange,
  planMcpInstall,
  planMcpRemoval,
} from './registration.ts';

interface Options {
  readonly agent?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function mcpCommand(context: Context): Command {
  const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];
  const command = new Command('mcp');
  command
    .command('serve')
    .description('Serve the history of this repository to an agent, over stdin and stdout (default)')
    .option('--agent <name>', 'The agent that asks. Its own current session is left out')
    .action(async (options: { agent?: string }) => (await import('./serve.ts')).serveMcp(context, options.agent ?? null));
  const changing = (name: 'install' | 'uninstall', description: string): void => {
    command
      .command(name)
      .description(description)
      .option('--agent <name>', 'Only this agent. May be repeated', collect)
      .option('--dry-run', 'Show what would be done, with a diff of each file, and change nothing')
      .option('--yes', 'Do not ask')
      .option('--json', 'Print JSON')
      .action((options: Options) => change(context, name, options));
  };
  changing('install', 'Register it as an MCP server with your agents, so that they can ask what happened here');
  changing('uninstall', "Remove it from your agents' MCP servers");
  return withExamples(command, ['mcp install --dry-run', 'mcp install', `mcp install --agent ${SOME_AGENT}`, 'mcp uninstall']);
}

async function change(context: Context, verb: 'install' | 'uninstall', options: Options): Promise<void> {
  const places = verb === 'install' ? requirePlaces(context) : existingPlaces(context);
  const failed: FailedAgent[] = [];
  const plan = (agent: Agent): McpPlan => (verb === 'install' ? planMcpInstall(context, agent) : planMcpRemoval(context, places, agent));
  const plans = chosen(context, verb, options, failed).flatMap((agent) => attempt(agent, failed, () => plan(agent)) ?? []);
  const files = plans.filter(({ changes }) => verb === 'install' || changes).map((each) => stepOf(each, verb));
  const steps = [...files, ...(places && files.some((step) => step.changes.length > 0) ? [ownRecords(places.home)] : [])];
  const changes = steps.flatMap((step) => step.changes);
  const json = (dryRun: boolean) => ({
    ...{ changed: changes.length > 0 && !dryRun, dryRun },
    agents: plans.map(({ agent, place, changes: changed, exact }) => ({ agent: agent.id, file: place.path, changed, exact })),
    ...{ failed: failed.map(failedJson), changes: changes.map(changeJson) },
  });
  if (failed.length > 0) context.exit.code = 1;
  if (options.dryRun || changes.length === 0) {
    if (options.json) return printJson(context, json(options.dryRun === true));
    if (changes.length === 0) printLine(context, nothingText(verb, plans));
    else {
      printLine(context, 'Piton would change (dry run):');
      printSteps(context, steps, false);
      printDiffs(context, changes);
    }
    return reportFailed(context, failed);
  }
  const yes = options.yes === true;
  if (!yes && context.interactive) {
    printLine(context, 'Piton will change:');
    printSteps(context, steps, false);
  }
  if (!(await consent(context, { question: 'Continue?', yes, command: `piton mcp ${verb}` })))
    return printLine(context, 'Nothing was changed.');
  const done = plans.filter((each) => attempt(each.agent, failed, () => applied(each)) !== undefined);
  if (options.json) return printJson(context, json(false));
  printSteps(
    context,
    done.filter(({ changes: changed }) => changed).map((each) => stepOf(each, verb)),
    true,
  );
  if (verb === 'install') announce(context);
  reportFailed(context, failed);

  function applied(each: McpPlan): McpPlan {
    if (verb === 'uninstall') applyMcpRemoval(places, each);
    else if (places) applyMcpInstall(places, each);
    return each;
  }
}

function chosen(context: Context, verb: 'install' | 'uninstall', { agent: names = [] }: Options, failed: FailedAgent[]): readonly Agent[] {
  if (names.length > 0) return parseAgentsOption(names);
  const able = agentsWithMcp();
  if (verb === 'uninstall') return able.filter((agent) => attempt(agent, failed, () => hasServer(context, agent)) === true);
  const here = detectAgents(userHome(context), context.env).filter((agent) => able.includes(agent));
  // One that nobody has driven for real is registered only if it is named, as `init` does.
  const proven = here.filter(({ provenVersion }) => provenVersion !== null);
  if (proven.length > 0) return proven;
  throw new Failure('no agent found that takes an MCP server', {
    where: userHome(context),
    remedy: `name one: piton mcp install --agent ${able[0]?.id ?? '<name>'}`,
  });
}

const ownRecords = (home: string): Step => ({
  ...{ what: `Piton's own records in ${home}`, notes: [], changes: [ownChange(home, "Piton's own records")] },
});

const stepOf = (plan: McpPlan, verb: 'install' | 'uninstall'): Step => ({
  what: plan.changes
    ? `${plan.agent.title}: MCP server piton ${verb === 'install' ? 'added to' : 'removed from'} ${plan.place.path}${plan.exact ? ', restored byte for byte' : ''}`
    : `${plan.agent.title}: nothing to do in ${plan.place.path}`,
  notes: [],
  changes: plan.changes ? [mcpChange(plan, verb === 'install' ? 'added' : 'removed')] : [],
});

function nothingText(verb: 'install' | 'uninstall', plans: readonly McpPlan[]): string {
  const names = plans.map(({ agent }) => agent.title).join(', ');
  if (verb === 'install') return `Nothing to do: the MCP server is registered with ${names || 'no agent'}.`;
  return `Nothing to do: no agent${names ? ` of these has the MCP server: ${names}` : ' has the MCP server'}.`;
}

function announce(context: Context): void {
  printLine(
    context,
    withCommandName(
      context,
      '\nAgents can now read the recorded history of the repository they work in: prompts, answers, commands, files and checkpoints, redacted. They cannot change it, and every call is recorded. Restart running agents to pick it up. Undo: piton mcp uninstall',
    ),
  );
}
