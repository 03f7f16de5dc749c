import { join, relative } from 'node:path';
import { ARTIFACT_FILE } from '@piton/hooks';
import { withCommandName } from '../command-name.ts';
import { type Context, printAsIs, printLine } from '../context.ts';
import { isRegistered } from '../install/levels.ts';
import { patchText } from '../output/patch-output.ts';
import { indent, oneLine, plural } from '../output/text.ts';
import { unifiedDiff } from '../output/unified-diff.ts';
import type { GatheredFile } from './gather.ts';
import { type ImportPlan, type Planned, textAt } from './plan.ts';

const WORDS = { new: 'new', same: 'already imported', changed: 'differs from the imported one' } as const;
const COLOURS = { new: 'green', same: 'dim', changed: 'yellow' } as const;

export const placeOf = (from: GatheredFile, line: number): string => `${oneLine(from.label)}:${line}`;

export function showPlan(context: Context, { planned, left }: ImportPlan, files: readonly GatheredFile[]): void {
  const { paint } = context;
  for (const one of planned) {
    const { from, hook, state, folder } = one;
    printLine(context, `${paint(COLOURS[state], WORDS[state])}  ${paint('bold', shown(context, folder))}`);
    printLine(
      context,
      `  from ${placeOf(from, hook.place.line)}, ${oneLine(hook.place.nativeEvent)} of ${from.agent.title}: ${oneLine(hook.command)}`,
    );
    for (const note of one.notes) printLine(context, `  ${paint('yellow', 'note')} ${oneLine(note)}`);
    for (const file of one.notPinned) printLine(context, `  not pinned: ${oneLine(file)} (copy it with --copy-scripts)`);
    if (state === 'changed') printAsIs(context, indent(patchText(context, difference(context, one))));
  }
  if (left.length > 0) printLine(context, `\n${paint('yellow', 'Not imported')}:`);
  for (const { from, place, what, why } of left) printLine(context, `  ${placeOf(from, place.line)}  ${oneLine(what)}: ${oneLine(why)}`);
  for (const { label, error } of files)
    if (error !== undefined) printLine(context, `  ${oneLine(label)}  cannot be read: ${oneLine(error)}`);
}

function difference(context: Context, { folder, files }: Planned): string {
  const text = files.find(({ path }) => path === ARTIFACT_FILE)?.bytes.toString('utf8') ?? null;
  const there = textAt(join(folder, ARTIFACT_FILE))?.toString('utf8') ?? null;
  return unifiedDiff(shown(context, join(folder, ARTIFACT_FILE)), there, text) || 'its scripts differ';
}

export const shown = (context: Context, path: string): string => {
  const near = relative(context.cwd, path);
  return oneLine(near.startsWith('..') ? path : near);
};

/** The agent still runs its own entry: with Piton registered there, the hook runs twice. */
export function printOriginals(context: Context, written: readonly Planned[], home: string): void {
  const agents = [...new Set(written.map(({ agent }) => agent))];
  const registered = new Set(agents.filter((agent) => isRegistered(context, agent, home)));
  const doubled = written.filter(({ agent }) => registered.has(agent));
  if (doubled.length > 0) {
    printLine(
      context,
      `\nThe agent still runs ${doubled.length === 1 ? 'the original' : 'the originals'} as well, so ${plural(doubled.length, 'hook runs', 'hooks run')} twice there. Remove by hand, or use --remove-original:`,
    );
    for (const place of new Set(doubled.map(({ from, hook }) => `  ${placeOf(from, hook.place.line)}  ${hook.place.path}`)))
      printLine(context, place);
  }
  for (const agent of agents.filter((each) => !registered.has(each)))
    printLine(
      context,
      withCommandName(
        context,
        `\nPiton is not registered with ${agent.title}, so only the originals run there. To run them with Piton: piton init --agent ${agent.id}, then remove the originals.`,
      ),
    );
}
