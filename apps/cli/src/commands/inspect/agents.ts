import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { Command } from 'commander';
import { type AgentOverview, listAgents, overviewOf, showAgent } from '../../agents/matrix.ts';
import { type Context, printJson } from '../../context.ts';
import { SOME_AGENT } from '../../example-agents.ts';
import { withExamples } from '../../examples.ts';
import { parseAgentsOption } from '../../options/names.ts';
import { installedVersions } from '../../versions/installed-version.ts';

export function agentsCommand(context: Context): Command {
  const command = new Command('agents')
    .argument('[name]', 'Show the decision table of this agent')
    .option('--json', 'Print JSON')
    .action((name: string | undefined, options: { json?: boolean }) => run(context, name, options.json === true));
  return withExamples(command, ['agents', `agents ${SOME_AGENT}`, `agents ${SOME_AGENT} --json`]);
}

async function run(context: Context, name: string | undefined, json: boolean): Promise<void> {
  const [named] = name === undefined ? [] : parseAgentsOption([name]);
  const versions = await installedVersions(context, named ? [named] : AGENTS);
  const look = (agent: Agent): AgentOverview => overviewOf(agent, versions.get(agent.id));
  if (named) return json ? printJson(context, look(named)) : showAgent(context, look(named));
  const all = AGENTS.map(look);
  return json ? printJson(context, all) : listAgents(context, all);
}
