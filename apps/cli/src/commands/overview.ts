import { findAgent } from '@piton/agents';
import type { Places } from '@piton/contracts/places';
import { thisCommand, withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
import { latestHappenings } from '../events/happening.ts';
import { resultOf, whatHappened } from '../events/words.ts';
import { Failure } from '../failure.ts';
import { allRecords } from '../install/records.ts';
import { existingPlaces } from '../locations.ts';
import { readStore } from '../open-store.ts';
import { shortLine, widthOf, wrap } from '../output/text.ts';
import { formatAge } from '../output/time.ts';
import { type HooksStatus, hooksStatus } from '../status/hooks-status.ts';

const LATEST = 3;
const LABEL = 12;
/** The longest command that is suggested, so that what it does begins in one column. */
const COMMAND_WIDTH = 18;

/** `piton` alone: what is registered, what happened last, and what to do next. */
export async function showOverview(context: Context): Promise<void> {
  const places = existingPlaces(context);
  const agents = places ? registeredAgents(places) : [];
  if (!places || agents.length === 0) return showBeforeInit(context, places !== undefined);
  const hooks = hooksStatus(context, places);
  row(context, 'agents', agents.join(', '));
  row(context, 'hooks here', hooksText(hooks));
  const latest = await latestLines(context, places);
  for (const [at, line] of latest.entries()) row(context, at === 0 ? 'last' : '', line);
  printNext(context, nextSteps(hooks, latest.length > 0));
}

function showBeforeInit(context: Context, isSetUp: boolean): void {
  printLine(context, 'Piton runs your hooks on the events of AI coding agents, and records what happened.');
  printLine(context, isSetUp ? 'It is not registered with any agent.' : 'It is not set up here yet.');
  const here = thisCommand(context);
  printNext(context, [
    [`${here} demo`, 'see it work, in a temporary directory'],
    [`${here} init`, 'register it with your agents. It asks first'],
    [`${here} help`, 'all commands'],
  ]);
}

/** Each once, though an agent may be registered for the user and for projects. */
const registeredAgents = (places: Places): string[] =>
  [...new Set(allRecords(places).map(({ agent }) => agent))].map((agent) => findAgent(agent)?.title ?? agent).sort();

const hooksText = ({ ready, changed, untrusted, broken }: HooksStatus): string =>
  [
    `${ready} active`,
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
    ...(untrusted.length > 0 ? [`${untrusted.length} not trusted`] : []),
    ...(broken.length > 0 ? [`${broken.length} with a problem`] : []),
  ].join(', ');

/** Oldest first. A store that cannot be read is a problem of its own, and no reason to show nothing. */
async function latestLines(context: Context, places: Places): Promise<string[]> {
  try {
    const { happenings } = await readStore(places, (store) => latestHappenings(store, {}, LATEST), { happenings: [], events: 0 });
    return [...happenings].reverse().map((one) => {
      const { text, colour } = resultOf(one);
      const when = `${formatAge(Date.now() - one.event.wallUs / 1000)} ago`.padEnd(14);
      const head = `${when} ${one.event.agent.padEnd(9)} `;
      const room = context.width - LABEL - widthOf(head);
      const end = text ? `  ${shortLine(text, Math.ceil(room * 0.6))}` : '';
      return `${head}${shortLine(whatHappened(one), room - widthOf(end))}${context.paint(colour, end)}`;
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [error.message];
  }
}

function nextSteps({ changed, untrusted, broken }: HooksStatus, hasEvents: boolean): [string, string][] {
  return [
    ...(changed.length + untrusted.length > 0
      ? [['piton trust', "review this project's hooks, so that they run"] as [string, string]]
      : []),
    ...(broken.length > 0 ? [['piton doctor', 'what is wrong with hooks, and how to fix it'] as [string, string]] : []),
    hasEvents ? ['piton events', 'what happened, and why'] : ['piton status', 'test that events arrive'],
    ['piton rewind --list', "restore files from before an agent's turn"],
    ['piton help', 'all commands'],
  ];
}

function row(context: Context, label: string, text: string): void {
  const [first = '', ...rest] = text.includes('\u001b') ? [text] : wrap(text, context.width - LABEL);
  printLine(context, `${context.paint('dim', label.padEnd(LABEL))}${first}`);
  for (const line of rest) printLine(context, `${' '.repeat(LABEL)}${line}`);
}

function printNext(context: Context, steps: readonly (readonly [string, string])[]): void {
  printLine(context);
  const commands = steps.map(([command]) => withCommandName(context, command));
  const width = Math.max(COMMAND_WIDTH, ...commands.map(widthOf));
  const isNarrow = steps.some(([, what]) => LABEL + width + 2 + widthOf(what) > context.width);
  for (const [at, [, what]] of steps.entries()) {
    const gap = isNarrow ? `\n${' '.repeat(LABEL + 2)}` : '  ';
    const command = (commands[at] ?? '').padEnd(isNarrow ? 0 : width);
    printLine(context, `${context.paint('dim', (at === 0 ? 'next' : '').padEnd(LABEL))}${command}${gap}${what}`);
  }
}
