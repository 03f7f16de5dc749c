import { shellWord } from '@piton/contracts';
import type { Problem } from '@piton/hooks';
import type { HookStats } from '@piton/store';
import { Command } from 'commander';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { type FilterOptions, hookFilter } from '../../hooks/filter.ts';
import { type ListedHook, stateOf } from '../../hooks/hook-state.ts';
import { hooksHere, listAt } from '../../hooks/in-force.ts';
import { orderNotes } from '../../hooks/order-notes.ts';
import { type HookRow, hookTable, rowJson } from '../../hooks/row.ts';
import { unheardHere } from '../../hooks/unheard.ts';
import { detectAgents } from '../../install/detect.ts';
import { existingPlaces, hookPlaces, userHome } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { oneLine } from '../../output/text.ts';

interface Options extends FilterOptions {
  readonly json?: boolean;
}

export function hooksListCommand(context: Context): Command {
  const command = new Command('list')
    .argument('[words...]', 'Only hooks whose name, description or tags contain all of these')
    .option('--tag <tag...>', 'Only hooks with this tag')
    .option('--event <name>', 'Only hooks on this event')
    .option('--agent <name>', 'Only hooks that run in this agent')
    .option('--json', 'Print JSON')
    .action((words: string[], options: Options) => list(context, words, options));
  return withExamples(command, ['hooks list', 'hooks list secret --tag security', 'hooks list --event pre_tool_use --json']);
}

async function list(context: Context, words: readonly string[], options: Options): Promise<void> {
  const fits = hookFilter(words, options);
  const places = existingPlaces(context);
  // The built-in guard runs only where Piton is set up.
  const { hooks, subscriptions, problems } = places ? hooksHere(context, places) : listAt(hookPlaces(context), context.cwd);
  const listed: readonly ListedHook[] = [...hooks, ...subscriptions];
  const here = new Set(detectAgents(userHome(context), context.env).map(({ id }) => id));
  const stats = await statsOf(context, listed);
  const unheard = unheardHere(context);
  const all = listed.map((hook, at): HookRow => ({ hook, state: stateOf(hook, here, unheard(hook)), stats: stats[at] ?? null }));
  const rows = all.filter(({ hook }) => fits(hook));
  // Order notes cover all hooks, whatever the filter, except built-in ones, which run beside every hook.
  const notes = orderNotes(
    hooks.filter(({ builtIn }) => builtIn === undefined).map((hook) => ({ hook, state: stateOf(hook, here, undefined) })),
  );
  if (options.json) return printJson(context, { hooks: rows.map(rowJson), problems, notes });
  if (rows.length > 0) context.out(hookTable(context, rows));
  else printLine(context, withCommandName(context, all.length > 0 ? 'No hooks match. List all: piton hooks' : NONE));
  const filtered = rows.length < all.length;
  const sources = new Set(rows.map(({ hook }) => hook.source));
  const listedProblems = problems.filter(({ path }) => !filtered || sources.has(path));
  printNotes(context, [
    ...rows.flatMap((row) => whyLines(row, listedProblems)),
    ...(filtered ? [] : notes),
    ...listedProblems.map(problemLine),
  ]);
}

const NONE = 'No hooks yet. Create one: `piton hooks new guard`. See docs/writing-hooks.md.';

async function statsOf(context: Context, hooks: readonly ListedHook[]): Promise<readonly HookStats[]> {
  const places = existingPlaces(context);
  if (!places || hooks.length === 0) return [];
  const refs = hooks.map(({ id, root }) => ({ hook: id, root }));
  return readStore(places, (store) => store.hookStats({ hooks: refs }), []);
}

/** What does not fit into the table: why a hook does not run, and its last failure. */
function whyLines({ hook, state, stats }: HookRow, problems: readonly Problem[]): string[] {
  const hookProblems = problems.filter(({ path }) => path === hook.source).map(({ problem }) => problem);
  const isListedBelow =
    state.word === 'not executable' || state.why?.split('; ').every((part) => hookProblems.some((each) => each.includes(part)));
  const failure = stats?.lastFailure;
  const how = failure && [
    failure.timedOut ? 'timeout' : failure.failed,
    failure.exitCode === null || failure.timedOut ? '' : `exit ${failure.exitCode}`,
  ];
  return [
    ...(state.why === null || isListedBelow ? [] : [`${hook.id}: ${state.word}: ${oneLine(state.why)}`]),
    ...(state.word === 'not trusted' ? [`${hook.id}: review it: piton trust ${shellWord(hook.id)}`] : []),
    ...(failure && how
      ? [
          `${hook.id}: failed ${stats.failures} of ${stats.runs} times, last with ${how.filter(Boolean).join(', ')}${failure.note ? ` (${oneLine(failure.note)})` : ''}: piton hooks explain ${failure.eventId}`,
        ]
      : []),
  ];
}

const problemLine = ({ path, problem, remedy }: Problem): string => `${oneLine(path)}: ${oneLine(problem)}; ${oneLine(remedy)}`;

function printNotes(context: Context, lines: readonly string[]): void {
  if (lines.length > 0) printLine(context);
  for (const line of lines) printLine(context, withCommandName(context, oneLine(line)));
}
