import {
  type Checkpoint,
  checkpointDiff,
  checkpointStat,
  findCheckpoint,
  findLinks,
  keepLinks,
  type Place,
  recoverLink,
} from '@piton/checkpoints';
import { Command } from 'commander';
import { checkpointsAnywhere, checkpointsHere, chooseCheckpoint, placeHere, shortId } from '../checkpoints/here.ts';
import { checkpointJson, listedJson, sayList, sayNoneYet, withFiles } from '../checkpoints/list.ts';
import { showPatch } from '../checkpoints/patch-output.ts';
import { shownName, shownTitle } from '../checkpoints/shown.ts';
import { tellRelinked } from '../checkpoints/tell-server.ts';
import { spelled } from '../command-name.ts';
import { type Context, printJson, say } from '../context.ts';
import { withExamples } from '../examples.ts';
import { parseCount } from '../output/count.ts';
import { oneLine, plural, printable } from '../output/text.ts';

interface ListOptions {
  readonly limit: string;
  readonly session?: string;
  readonly json?: boolean;
}

export function checkpointsCommand(context: Context): Command {
  const command = new Command('checkpoints').description('what agents and you did to the files of this repository, turn by turn');
  command
    .command('list')
    .description('the latest checkpoints of this working tree, the latest at the end (the default)')
    .option('-n, --limit <count>', 'how many', '20')
    .option('--session <id>', 'only of this session')
    .option('--json', 'as JSON')
    .action((options: ListOptions) => list(context, options));
  command
    .command('show')
    .description('one checkpoint, and what changed since the one before it')
    .argument('<id>', 'its id, or the end of it that the list shows')
    .option('--json', 'as JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  command
    .command('diff')
    .description('what changed between the checkpoint before and this one, as a patch')
    .argument('<id>', 'its id, or the end of it')
    .action((id: string) => diff(context, id));
  command
    .command('repair')
    .description('finds the links to commits that were rewritten')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) => repair(context, options));
  return withExamples(command, ['checkpoints', 'checkpoints show 7QK2M0XA', 'checkpoints diff 7QK2M0XA']);
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const place = await placeHere(context);
  const all = await checkpointsHere(place);
  const chosen = options.session === undefined ? all : all.filter(({ session }) => session?.startsWith(options.session ?? ''));
  const shown = chosen.slice(-parseCount('--limit', options.limit));
  const listed = await withFiles(place, shown, all);
  if (options.json) return printJson(context, listed.map(listedJson));
  if (shown.length === 0 && all.length > 0) return say(context, `No checkpoint here is of session ${options.session}.`);
  if (shown.length === 0) return sayNoneYet(context);
  sayList(context, listed);
}

async function found(context: Context, ref: string): Promise<{ place: Place; one: Checkpoint; before: Checkpoint | null }> {
  const place = await placeHere(context);
  const all = await checkpointsAnywhere(place);
  const one = chooseCheckpoint(context, all, ref);
  return { place, one, before: all.find(({ id }) => id === one.before) ?? null };
}

async function show(context: Context, ref: string, options: { json?: boolean }): Promise<void> {
  const { place, one, before } = await found(context, ref);
  const stat = printable(await checkpointStat(place, one, before));
  if (options.json) return printJson(context, { ...checkpointJson(one), changes: stat.split('\n').filter(Boolean) });
  const isHere = one.worktree === place.repository.worktree;
  const facts: [string, string | null][] = [
    ['checkpoint', one.id],
    ['when', one.at.toISOString()],
    ['kind', one.kind],
    ['by', one.by === 'human' ? 'you' : one.by],
    ['agent', one.agent],
    ['session', one.session],
    ['branch', one.branch?.replace('refs/heads/', '') ?? null],
    ['worktree', isHere ? null : one.worktree],
    ['base', one.base],
    ['commit', one.linked],
    ['ref', one.ref],
  ];
  say(context, shownTitle(one));
  for (const [name, value] of facts) if (value) say(context, `${context.paint('dim', name.padEnd(10))}  ${oneLine(value)}`);
  for (const { path, reason } of one.skipped)
    say(context, `${context.paint('yellow', 'left out')}    ${shownName(path)} (${oneLine(reason)})`);
  for (const path of one.shared) say(context, `${context.paint('yellow', 'shared')}      ${shownName(path)} (by this subagent or another)`);
  if (stat) say(context, `\n${stat}`);
  say(context, spelled(context, `\npiton checkpoints diff ${shortId(one)}${isHere ? `\npiton rewind ${shortId(one)}` : ''}`));
}

async function diff(context: Context, ref: string): Promise<void> {
  const { place, one, before } = await found(context, ref);
  showPatch(context, await checkpointDiff(place, one, before, { binary: !context.terminal }));
}

async function repair(context: Context, options: { json?: boolean }): Promise<void> {
  const place = await placeHere(context);
  const { found: links, lost, unkept } = await findLinks(place);
  const recovered = await recoverLink(place);
  const relinked = [...links].reverse().flatMap(({ commit, ids }) => ids.map((id) => ({ commit, id })));
  const known = await Promise.all(
    relinked.map(async ({ commit, id }) => ({ commit, checkpoint: await findCheckpoint(place.git, place.repository, id) })),
  );
  const told = await tellRelinked(context, place, [
    ...known.flatMap(({ commit, checkpoint }) => (checkpoint ? [{ kind: 'linked', commit, checkpoint } as const] : [])),
    ...(recovered?.made ?? []).map((checkpoint) => ({ kind: 'made', commit: recovered?.commit ?? '', checkpoint }) as const),
  ]);
  // What was not told is found, and told, the next time.
  if (told) await keepLinks(place, links);
  const broken = unkept.filter(({ commit }) => commit !== recovered?.commit);
  if (options.json) return printJson(context, { found: links, recovered: recovered?.commit ?? null, lost, unkept: broken });
  if (recovered) say(context, `${recovered.commit.slice(0, 10)}  has its checkpoint now; it was never made`);
  for (const { commit, ids, evidence } of links)
    say(context, `${commit.slice(0, 10)}  ${ids.map((id) => id.slice(-8)).join(', ')}  by its ${evidence}`);
  say(context, links.length === 0 ? 'No link had to be found again.' : `${plural(links.length, 'link')} found again.`);
  if (lost.length > 0)
    say(
      context,
      `${plural(lost.length, 'checkpoint')} of commits that are on no branch any more: ${lost.map((id) => id.slice(-8)).join(', ')}`,
    );
  for (const { commit, ids } of broken)
    say(context, `${commit.slice(0, 10)}  names a checkpoint that was never made: ${ids.map((id) => id.slice(-8)).join(', ')}`);
}
