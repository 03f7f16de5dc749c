import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AGENTS, findAgent } from '@piton/agents';
import { firstLineOf, handoffText, readHandoff } from '@piton/context';
import type { Agent } from '@piton/contracts';
import type { SessionSummary, Store } from '@piton/store';
import { Command } from 'commander';
import { commandName, shellPath, withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { SOME_AGENT } from '../example-agents.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { requireSession, SESSION_FORMS } from '../ids/session.ts';
import { isRegistered } from '../install/levels.ts';
import { requirePlaces, userHome } from '../locations.ts';
import { readStore } from '../open-store.ts';
import { parseAgentsOption } from '../options/names.ts';
import { showWarning } from '../output/show-failure.ts';
import { repositoryRoot } from '../repository.ts';
import { storeLastEvents } from '../server/last-events.ts';

interface Options {
  readonly to?: string;
  readonly print?: boolean;
  readonly text?: boolean;
  readonly json?: boolean;
}

/** Less than the smallest limit that an agent has for a text of ours. */
const MAX_TOKENS = 2000;

export function handoffCommand(context: Context): Command {
  const command = new Command('handoff')
    .argument('[session]', `${SESSION_FORMS} (default: the latest here)`)
    .option('--to <agent>', 'The agent that continues. It is started with the handoff as its first prompt')
    .option('--print', 'Print the command instead of running it')
    .option('--text', 'Print only the prompt')
    .option('--json', 'Print JSON')
    .action((session: string | undefined, options: Options) => run(context, session, options));
  return withExamples(command, [`handoff --to ${SOME_AGENT}`, `handoff @ --to ${SOME_AGENT} --print`, 'handoff --text']);
}

async function run(context: Context, ref: string | undefined, options: Options): Promise<void> {
  const agent = options.to === undefined ? undefined : targetOf(options.to);
  if (agent === undefined && !options.text) throw noTarget(context);
  const places = requirePlaces(context);
  await storeLastEvents(places, context.env);
  const found = await readStore(places, (store) => promptOf(context, store, ref), undefined);
  if (found === undefined) throw new Failure('nothing has been recorded yet');
  const { session, prompt } = found;
  if (options.text) return context.verbatim(`${prompt}\n`);
  const argv = agent?.begin?.(prompt) ?? [];
  const directory = session.repo ?? session.projectPath;
  if (!existsSync(directory)) throw new Failure('the directory of the session is gone', { where: directory });
  if (options.json) return printJson(context, { session: session.id, from: session.agent, to: agent?.id, directory, argv, prompt });
  if (agent && !isRegistered(context, agent, userHome(context)))
    showWarning(context, `Piton is not registered with ${agent.title}, so its session is not recorded: piton init --agent ${agent.id}`);
  // The prompt is read when the command runs: no text of a session is ever part of a command line to be pasted.
  const words =
    agent
      ?.begin?.('')
      .slice(0, -1)
      .map((word) => shellPath(context, word)) ?? [];
  const line = `cd ${shellPath(context, directory)} && ${words.join(' ')} "$(${commandName(context)} handoff ${session.id} --text)"`;
  if (options.print || !context.interactive) return printLine(context, line);
  const [program = '', ...args] = argv;
  const { status, error } = spawnSync(program, args, { cwd: directory, stdio: 'inherit' });
  if (error) throw new Failure(`${agent?.title} could not be started: ${error.message}`, { remedy: line });
  context.exit.code = status ?? 1;
}

/** One that is set up here is more likely meant than another. */
function noTarget(context: Context): Failure {
  const home = userHome(context);
  const able = AGENTS.filter(({ begin }) => begin !== undefined);
  const here = able.filter((agent) => isRegistered(context, agent, home));
  const list = (here.length > 0 ? here : able).map(({ id }) => withCommandName(context, `piton handoff --to ${id}`));
  return new Failure('name the agent that continues', { list, usage: true });
}

function targetOf(name: string): Agent {
  const [agent] = parseAgentsOption([name]);
  if (agent?.begin === undefined)
    throw new Failure(`${agent?.title ?? name} cannot be started with a prompt`, { remedy: 'print it with --text, and paste it there' });
  return agent;
}

async function promptOf(context: Context, store: Store, ref: string | undefined): Promise<{ session: SessionSummary; prompt: string }> {
  const session = ref === undefined ? await latestHere(context, store) : await requireSession(store, ref);
  const handoff = await readHandoff(store, session.id);
  const facts = handoff && handoffText(handoff, MAX_TOKENS);
  const title = findAgent(session.agent)?.title ?? session.agent;
  return { session, prompt: [firstLineOf(session.id, title), ...(facts ? [facts] : [])].join('\n\n') };
}

async function latestHere(context: Context, store: Store): Promise<SessionSummary> {
  const [latest] = await store.sessions({ path: repositoryRoot(context) ?? context.cwd, limit: 1 });
  if (latest) return latest;
  throw new Failure('no session was recorded here', { remedy: 'name one: piton sessions' });
}
