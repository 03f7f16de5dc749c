import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AGENTS, findAgent } from '@piton/agents';
import type { EventDetail } from '@piton/store';
import { describeTarget, localStore } from '@piton/store';
import { Command } from 'commander';
import { thisCommand } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { agentSummaries } from '../../demo/agent-summaries.ts';
import { createDemoEnvironment, type DemoEnvironment, removeDemoEnvironment } from '../../demo/environment.ts';
import { median, replaySession, type SentEvent } from '../../demo/replay.ts';
import { DEMO_SESSIONS } from '../../demo/sessions/index.ts';
import { addsContext, readTimeline, timelineText } from '../../demo/timeline.ts';
import { withExamples } from '../../examples.ts';
import { catchSignals } from '../../interruption.ts';
import { plural } from '../../output/text.ts';
import { formatDuration } from '../../output/time.ts';
import { askIfInteractive } from '../../question.ts';
import { ensureServer } from '../../server/server-process.ts';
import { serveUi, type UiOptions } from '../../ui/command.ts';

interface Options {
  readonly keep?: boolean;
  readonly ui?: boolean;
  readonly hooks?: string;
  readonly json?: boolean;
}

export function demoCommand(context: Context): Command {
  const command = new Command('demo')
    .option('--keep', 'Keep the directory and print its path, so you can edit the hooks')
    .option('--ui', 'Then show it in your browser, as `piton ui` does, until Ctrl-C')
    .option('--hooks <dir>', 'Use the hooks in this directory, for example from an earlier --keep')
    .option('--json', 'Print JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, ['demo', 'demo --ui', 'demo --keep', 'demo --hooks /tmp/piton-demo-x/piton/config/hooks']);
}

async function run(context: Context, options: Options): Promise<void> {
  if (!options.json) printLine(context, context.paint('dim', 'Setting up a temporary home and repository. Your files are not touched.\n'));
  const interruption = catchSignals();
  try {
    await runDemo(context, options, interruption.signal);
  } catch (error) {
    // Errors caused by the interruption itself are not reported.
    if (interruption.exitCode() === undefined) throw error;
  } finally {
    interruption.release();
    context.exit.code = interruption.exitCode() ?? context.exit.code;
  }
}

/** However this ends, the replay has stopped before its environment is removed. */
async function runDemo(context: Context, options: Options, stop: AbortSignal): Promise<void> {
  const demo = createDemoEnvironment(context, options.hooks === undefined ? undefined : resolve(context.cwd, options.hooks));
  try {
    await setImmediate(); // lets a pending signal arrive before anything is started
    stop.throwIfAborted();
    await ensureServer(demo.places, demo.context.env);
    const sent: SentEvent[] = [];
    for (const session of DEMO_SESSIONS) sent.push(...(await replaySession(demo, session, stop)));
    const events = await readTimeline(demo);
    if (options.json) printJson(context, asJson(demo, sent, events, options));
    else report(context, demo, sent, events, options);
    if (!options.json && (await isPageWanted(context, options, stop)))
      await serveUi({ ...demo.context, terminal: context.terminal }, PAGE_OPTIONS);
  } finally {
    await removeDemoEnvironment(demo, options.keep === true);
  }
}

/** What was just played is gone at the end, so on a terminal it is offered before. */
async function isPageWanted(context: Context, { ui, keep }: Options, stop: AbortSignal): Promise<boolean> {
  if (ui === true || keep === true) return ui === true;
  if (context.interactive) printLine(context);
  return askIfInteractive(context, 'Look at it in your browser now?', stop);
}

const PAGE_OPTIONS: UiOptions = { open: true, idle: '30' };

function report(
  context: Context,
  demo: DemoEnvironment,
  sent: readonly SentEvent[],
  events: readonly EventDetail[],
  options: Options,
): void {
  const { paint } = context;
  const withoutSession = AGENTS.filter(({ id }) => !DEMO_SESSIONS.some(({ agent }) => agent === id));
  const [first, ...others] = DEMO_SESSIONS.map(({ agent }) => agent);
  context.out(
    timelineText(
      context,
      events.filter(({ agent }) => agent === first),
    ),
  );
  if (others.length > 0) {
    printLine(context);
    printLine(context, 'The same hooks in the other agents:');
    context.out(agentSummaries(context, others, sent, events));
  }
  const denied = events.filter((event) => event.decision === 'deny').length;
  const contextAdded = events.filter(addsContext).length;
  printLine(context);
  printLine(
    context,
    `Sent ${plural(sent.length, 'event')} from ${plural(DEMO_SESSIONS.length, 'agent')} and read ${events.length} back from the store. ${denied} denied, ${contextAdded} added context for the model.`,
  );
  printLine(context, `Recorded with ${DEMO_SESSIONS.map(({ recordedWith }) => recordedWith).join(', ')}. The model was scripted.`);
  const plugins = DEMO_SESSIONS.flatMap(({ agent, plugin }) => (plugin ? titleOf(agent) : []));
  if (plugins.length > 0)
    printLine(context, `${plugins.join(', ')}: a plugin sends the events. The demo replays them through the forwarder.`);
  const trip = formatDuration(median(sent.map(({ roundTripMs }) => roundTripMs)));
  const baseline = formatDuration(median(sent.map(({ baselineMs }) => baselineMs)));
  printLine(context, `Median round trip through forwarder, server and hooks: ${trip}. Spawning \`true\` the same way: ${baseline}.`);
  if (withoutSession.length > 0)
    printLine(context, `Agents without a recorded session: ${withoutSession.map(({ title }) => title).join(', ')}.`);
  printLine(context);
  if (options.keep) {
    printLine(
      context,
      `Kept in ${paint('bold', demo.root)}. Hooks: ${demo.places.config}/hooks. Store: ${describeTarget(localStore(demo.places))}.`,
    );
    printLine(context, `Edit a hook and run it again: ${thisCommand(context)} demo --hooks ${demo.places.config}/hooks`);
  } else {
    if (options.ui !== true) printLine(context, `Look at it in your browser: ${paint('bold', `${thisCommand(context)} demo --ui`)}`);
    printLine(
      context,
      `The temporary directory is deleted at the end. Use \`${thisCommand(context)} demo --keep\` to keep it and edit the hooks.`,
    );
  }
  printLine(
    context,
    `Next: ${paint('bold', `${thisCommand(context)} init`)} sets up Piton for your agents. \`uninstall\` restores their files byte for byte.`,
  );
}

const titleOf = (id: string): string => findAgent(id)?.title ?? id;

function asJson(
  demo: DemoEnvironment,
  sent: readonly SentEvent[],
  events: readonly EventDetail[],
  options: Options,
): Record<string, unknown> {
  return {
    sent,
    events,
    medianRoundTripMs: median(sent.map(({ roundTripMs }) => roundTripMs)),
    directory: options.keep ? demo.root : null,
  };
}
