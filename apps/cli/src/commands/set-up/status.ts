import { AGENTS } from '@piton/agents';
import type { Waiting } from '@piton/contracts/page';
import type { Places } from '@piton/contracts/places';
import { Command } from 'commander';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { needsHere } from '../../install/needed-events.ts';
import { existingPlaces, userHome } from '../../locations.ts';
import { plural } from '../../output/text.ts';
import { formatAge, formatDuration } from '../../output/time.ts';
import { ensureServer, type Started } from '../../server/server-process.ts';
import { type AgentStatus, readAgentStatus } from '../../status/agent-status.ts';
import { type DeclaredPlugin, declaredPlugins, pluginLine } from '../../status/declared-plugin.ts';
import { type HooksStatus, hooksStatus } from '../../status/hooks-status.ts';
import { type StoreStatus, storeStatus } from '../../status/store-status.ts';
import { callerLine } from '../../status/unknown-callers.ts';
import { waitingLines } from '../../status/waiting-lines.ts';
import { undecodableHere } from '../../undecodable.ts';
import { titleWithVersion } from '../../versions/version-report.ts';

interface Options {
  readonly all?: boolean;
  readonly json?: boolean;
}

export function statusCommand(context: Context): Command {
  const command = new Command('status')
    .option('--all', 'Send a test event for every registration, not one per agent')
    .option('--json', 'Print JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, ['status', 'status --all', 'status --json']);
}

async function run(context: Context, options: Options): Promise<void> {
  const places = existingPlaces(context);
  if (!places) {
    context.exit.code = 1;
    if (options.json) return printJson(context, { installed: false, agents: [] });
    return printLine(context, withCommandName(context, 'Piton is not set up. Run `piton init`, or try `piton demo` first.'));
  }
  const server = await startServer(places);
  const needs = needsHere(context, places);
  const agents: AgentStatus[] = [];
  for (const agent of AGENTS)
    agents.push(
      ...(await readAgentStatus(context, places, agent, userHome(context), {
        all: options.all === true,
        server: !('error' in server),
        needs,
      })),
    );
  const plugins = declaredPlugins(context, AGENTS, userHome(context));
  const hooks = hooksStatus(context, places);
  const { waiting, ...store } = await storeStatus(places, agents);
  const ok = !('error' in server) && agents.length + plugins.length > 0 && agents.every((agent) => agent.ok) && store.missing.length === 0;
  context.exit.code = ok ? 0 : 1;
  if (options.json) {
    return printJson(context, {
      installed: true,
      ok,
      home: places.home,
      config: places.config,
      server: 'error' in server ? server : server.status,
      agents,
      plugins,
      hooks,
      store,
      waiting,
    });
  }
  report(context, places, { server, agents, plugins, hooks, store, waiting });
  if (!ok)
    printLine(context, `\nTo see the problems and how to fix them: ${context.paint('bold', withCommandName(context, 'piton doctor'))}`);
}

async function startServer(places: Places): Promise<Started | { error: string }> {
  try {
    return await ensureServer(places);
  } catch (error) {
    if (error instanceof Failure) return { error: error.message };
    throw error;
  }
}

interface Findings {
  readonly server: Started | { error: string };
  readonly agents: readonly AgentStatus[];
  readonly plugins: readonly DeclaredPlugin[];
  readonly hooks: HooksStatus;
  readonly store: Omit<StoreStatus, 'waiting'>;
  readonly waiting: readonly Waiting[];
}

function report(context: Context, places: Places, { server, agents, plugins, hooks, store, waiting }: Findings): void {
  const { paint } = context;
  const good = paint('green', '✓');
  const bad = paint('red', '✗');
  if (agents.length + plugins.length === 0)
    printLine(context, withCommandName(context, `${bad} Piton is not registered with any agent. Run \`piton init\``));
  for (const agent of agents) {
    printLine(
      context,
      `${agent.ok ? good : bad} ${paint('bold', titleWithVersion(agent.title, agent.version))}  ${agent.registrations > 0 ? `${plural(agent.registrations, 'event')} registered in ` : ''}${agent.file}`,
    );
    for (const note of agent.notes) printLine(context, `    ${note}`);
    for (const canary of agent.canaries) printLine(context, `    ${canaryLine(context, canary, store)}`);
  }
  for (const plugin of plugins) {
    const isRegistered = agents.some(({ agent }) => agent === plugin.agent);
    printLine(context, `${good} ${withCommandName(context, pluginLine(plugin, isRegistered))}`);
  }
  for (const caller of store.callers)
    printLine(context, `${paint('yellow', '!')} ${withCommandName(context, `${callerLine(caller)}. What to do: piton doctor`)}`);
  if ('error' in server) printLine(context, `${bad} server   ${server.error}`);
  else
    printLine(
      context,
      `${good} server   process ${server.status.pid}, version ${server.status.version}, ${server.fresh ? 'just started' : `up ${formatAge(Date.now() - Date.parse(server.status.startedAt))}`}`,
    );
  printLine(
    context,
    `${store.ok ? good : bad} store    ${store.ok ? `${plural(store.events, 'event')} in ${plural(store.sessions, 'session')}` : store.error}`,
  );
  printLine(context, hooksLine(context, hooks));
  const undecodable = undecodableHere(context);
  if (undecodable !== undefined) printLine(context, `${paint('yellow', '!')} here     ${undecodable}`);
  for (const line of waitingLines(context, waiting)) printLine(context, line);
  printLine(context, paint('dim', `  home     ${places.home}`));
}

function hooksLine(context: Context, { ready, changed, untrusted, broken }: HooksStatus): string {
  const waiting = [
    ...(changed.length > 0 ? [`${changed.length} changed (the trusted copy runs)`] : []),
    ...(untrusted.length > 0 ? [`${untrusted.length} not trusted`] : []),
  ];
  const problems = [
    ...(waiting.length > 0 ? [`${waiting.join(', ')}: piton trust`] : []),
    ...(broken.length > 0 ? [`${broken.length} with a problem: piton doctor`] : []),
  ];
  const mark = problems.length === 0 ? context.paint('green', '✓') : context.paint('yellow', '!');
  return `${mark} hooks    ${[`${ready} active here`, ...problems.map((each) => withCommandName(context, each))].join(', ')}`;
}

function canaryLine(context: Context, { event, canary }: AgentStatus['canaries'][number], store: Findings['store']): string {
  const name = event.padEnd(18);
  if (!canary.arrived) return `${context.paint('red', 'lost  ')} ${name} ${canary.why}`;
  const stored = store.missing.includes(canary.eventId) ? context.paint('red', 'not stored') : `stored as ${canary.eventId}`;
  const journaled = canary.tookUs === null ? '' : `journaled after ${formatDuration(canary.tookUs / 1000)}, `;
  return `${context.paint('green', 'canary')} ${name} ${journaled}answered after ${formatDuration(canary.roundTripMs)}, ${stored}`;
}
