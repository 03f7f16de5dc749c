import { AGENTS } from '@piton/agents';
import { Command } from 'commander';
import { listAgents, overviewOf, showAgent } from '../agents/matrix.ts';
import { type Context, printJson } from '../context.ts';
import { SOME_AGENT } from '../example-agents.ts';
import { withExamples } from '../examples.ts';
import { parseAgentsOption } from '../options/names.ts';

export function agentsCommand(context: Context): Command {
  const command = new Command('agents')
    .argument('[name]', 'Show the decision table of this agent')
    .option('--json', 'Print JSON')
    .action((name: string | undefined, options: { json?: boolean }) => run(context, name, options.json === true));
  return withExamples(command, ['agents', `agents ${SOME_AGENT}`, `agents ${SOME_AGENT} --json`]);
}

function run(context: Context, name: string | undefined, json: boolean): void {
  const [named] = name === undefined ? [] : parseAgentsOption([name]);
  if (named) return json ? printJson(context, overviewOf(named)) : showAgent(context, overviewOf(named));
  const all = AGENTS.map(overviewOf);
  return json ? printJson(context, all) : listAgents(context, all);
}
