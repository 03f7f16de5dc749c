import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AGENTS, findAgent } from '@piton/agents';
import type { EventDetail } from '@piton/store';
import { describeTarget, localStore } from '@piton/store';
import { Command } from 'commander';
import { commandName, spelled, thisCommand } from '../command-name.ts';
import { type Context, printJson, say, tell } from '../context.ts';
import { catchSignals } from '../demo/interruption.ts';
import { othersText } from '../demo/others.ts';
import { median, type Played, playSession } from '../demo/play.ts';
import { DEMO_SESSIONS } from '../demo/sessions/index.ts';
import { buildStage, clearStage, type Stage } from '../demo/stage.ts';
import { readTimeline, tellsModel, timelineText } from '../demo/timeline.ts';
import { withExamples } from '../examples.ts';
import { plural } from '../output/text.ts';
import { took } from '../output/time.ts';
import { ensureServer } from '../server/life.ts';

interface Options {
  readonly keep?: boolean;
  readonly hooks?: string;
  readonly json?: boolean;
}

export function demoCommand(context: Context): Command {
  const command = new Command('demo')
    .option('--keep', 'Keep the directory and print its path, so you can edit the hooks')
    .option('--hooks <dir>', 'Use the hooks in this directory, for example from an earlier --keep')
    .option('--json', 'Print JSON')
    .action((options: Options) => run(context, options));
  return withExamples(command, ['demo', 'demo --keep', 'demo --hooks /tmp/piton-demo-x/piton/config/hooks']);
}

async function run(context: Context, options: Options): Promise<void> {
  if (!options.json) say(context, context.paint('dim', 'Setting up a temporary home and repository. Your files are not touched.\n'));
  const interruption = catchSignals();
  try {
    await perform(context, options, interruption.signal);
  } catch (error) {
    // What broke because it was told to stop is not worth a word.
    if (interruption.exitCode() === undefined) throw error;
  } finally {
    interruption.release();
    context.exit.code = interruption.exitCode() ?? context.exit.code;
  }
}

/** However it ends, the player has stopped before its stage is cleared. */
async function perform(context: Context, options: Options, stop: AbortSignal): Promise<void> {
  const stage = buildStage(context, options.hooks === undefined ? undefined : resolve(context.cwd, options.hooks));
  try {
    await setImmediate(); // a signal that came meanwhile is heard before anything is started
    stop.throwIfAborted();
    await ensureServer(stage.places, stage.context.env);
    const played: Played[] = [];
    for (const session of DEMO_SESSIONS) played.push(...(await playSession(stage, session, stop)));
    const events = await readTimeline(stage);
    if (options.json) printJson(context, asJson(stage, played, events, options));
    else report(context, stage, played, events, options);
  } finally {
    await clearStage(stage, options.keep === true);
  }
}

function report(context: Context, stage: Stage, played: readonly Played[], events: readonly EventDetail[], options: Options): void {
  const { paint } = context;
  const unplayed = AGENTS.filter(({ id }) => !DEMO_SESSIONS.some(({ agent }) => agent === id));
  const [first, ...others] = DEMO_SESSIONS.map(({ agent }) => agent);
  context.out(
    timelineText(
      context,
      events.filter(({ agent }) => agent === first),
    ),
  );
  if (others.length > 0) {
    say(context);
    tell(context, 'The same hooks in the other agents:');
    context.out(othersText(context, others, played, events));
  }
  const denied = events.filter((event) => event.decision === 'deny').length;
  const told = events.filter(tellsModel).length;
  say(context);
  tell(
    context,
    `Sent ${plural(played.length, 'event')} from ${plural(DEMO_SESSIONS.length, 'agent')} and read ${events.length} back from the store. ${denied} denied, ${told} added context for the model.`,
  );
  tell(context, `Recorded with ${DEMO_SESSIONS.map(({ recordedWith }) => recordedWith).join(', ')}. The model was scripted.`);
  const plugins = DEMO_SESSIONS.flatMap(({ agent, plugin }) => (plugin ? titleOf(agent) : []));
  if (plugins.length > 0) tell(context, `${plugins.join(', ')}: a plugin sends the events. The demo replays them through the forwarder.`);
  const trip = took(median(played.map(({ roundTripMs }) => roundTripMs)));
  const baseline = took(median(played.map(({ baselineMs }) => baselineMs)));
  tell(context, `Median round trip through forwarder, server and hooks: ${trip}. Spawning \`true\` the same way: ${baseline}.`);
  if (unplayed.length > 0) tell(context, `Agents without a recorded session: ${unplayed.map(({ title }) => title).join(', ')}.`);
  say(context);
  if (options.keep) {
    tell(
      context,
      `Kept in ${paint('bold', stage.root)}. Hooks: ${stage.places.config}/hooks. Store: ${describeTarget(localStore(stage.places))}.`,
    );
    tell(context, `Edit a hook and run it again: ${commandName(context)} demo --hooks ${stage.places.config}/hooks`);
  } else
    tell(context, spelled(context, 'The temporary directory has been deleted. Use `piton demo --keep` to keep it and edit the hooks.'));
  tell(
    context,
    `Next: ${paint('bold', `${thisCommand(context)} init`)} sets up Piton for your agents. \`uninstall\` restores their files byte for byte.`,
  );
}

const titleOf = (id: string): string => findAgent(id)?.title ?? id;

function asJson(stage: Stage, played: readonly Played[], events: readonly EventDetail[], options: Options): Record<string, unknown> {
  return {
    sent: played,
    events,
    medianRoundTripMs: median(played.map(({ roundTripMs }) => roundTripMs)),
    directory: options.keep ? stage.root : null,
  };
}
