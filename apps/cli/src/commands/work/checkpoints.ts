import type { Checkpoint, Checkpoints } from '@piton/checkpoints';
import { Command } from 'commander';
import { displayName, displayTitle } from '../../checkpoints/checkpoint-name.ts';
import { openHere } from '../../checkpoints/current-repository.ts';
import { checkpointJson, checkpointTable, listedJson, printNoCheckpoints, rewindIds, withFiles } from '../../checkpoints/list.ts';
import { notifyRelinked } from '../../checkpoints/server-notices.ts';
import { withCommandName } from '../../command-name.ts';
import { type Context, printAsIs, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { briefId, CHECKPOINT_FORMS, chooseCheckpoint } from '../../ids/checkpoint.ts';
import { stepsBack } from '../../ids/latest.ts';
import { requireSession } from '../../ids/session.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { parseCount } from '../../output/count.ts';
import { fitLines } from '../../output/fit.ts';
import { showPaged } from '../../output/pager.ts';
import { showPatch } from '../../output/patch-output.ts';
import { oneLine, plural, printable } from '../../output/text.ts';

interface ListOptions {
  readonly limit: string;
  readonly session?: string;
  readonly json?: boolean;
}

export function checkpointsCommand(context: Context): Command {
  const command = new Command('checkpoints');
  command
    .command('list')
    .description('List recent checkpoints of this working tree, newest last (default)')
    .option('-n, --limit <count>', 'Maximum number to list', '20')
    .option('--session <id>', 'Only from this session: its ID, a prefix of it, or @')
    .option('--json', 'Print JSON')
    .action((options: ListOptions) => list(context, options));
  command
    .command('show')
    .description('Show a checkpoint and what changed since the previous one')
    .argument('<id>', CHECKPOINT_FORMS)
    .option('--json', 'Print JSON')
    .action((id: string, options: { json?: boolean }) => show(context, id, options));
  command
    .command('diff')
    .description('Print what changed since the previous checkpoint, as a patch')
    .argument('<id>', CHECKPOINT_FORMS)
    .action((id: string) => diff(context, id));
  command
    .command('repair')
    .description('Link checkpoints to commits that were rewritten')
    .option('--json', 'Print JSON')
    .action((options: { json?: boolean }) => repair(context, options));
  return withExamples(command, ['checkpoints', 'checkpoints --session @', 'checkpoints show @', 'checkpoints diff @~2']);
}

async function list(context: Context, options: ListOptions): Promise<void> {
  const checkpoints = await openHere(context);
  const all = await checkpoints.list();
  const isOf = options.session === undefined ? undefined : await sessionFilter(context, options.session, all);
  const chosen = isOf ? all.filter(({ session }) => session !== null && isOf(session)) : all;
  const shown = chosen.slice(-parseCount('--limit', options.limit));
  const listed = await withFiles(checkpoints, shown, all);
  if (options.json) return printJson(context, listed.map(listedJson));
  if (shown.length === 0 && all.length > 0) return printLine(context, `No checkpoints from session ${options.session} here.`);
  if (shown.length === 0) return printNoCheckpoints(context);
  const count =
    chosen.length > shown.length
      ? `The last ${shown.length} of ${plural(chosen.length, 'checkpoint')}`
      : plural(chosen.length, 'checkpoint');
  const footer = fitLines(
    withCommandName(context, `${count}. Show one: piton checkpoints show <id>. Go back to one: piton rewind <id>`),
    context.width,
  );
  await showPaged(context, `${checkpointTable(context, listed, rewindIds(checkpoints, all))}${context.paint('dim', footer)}\n`, {
    fromEnd: true,
  });
}

/** A checkpoint names its session by the agent's ID, also if this store does not know it. */
async function sessionFilter(
  context: Context,
  ref: string,
  all: readonly { readonly session: string | null }[],
): Promise<(session: string) => boolean> {
  const found = await readStore(
    requirePlaces(context),
    async (store) =>
      stepsBack(ref) === undefined && (await store.session(ref)).found === 'none'
        ? ({ found: 'none' } as const)
        : ({ found: 'one', value: await requireSession(store, ref) } as const),
    { found: 'none' } as const,
  );
  if (found.found === 'one') return (session) => session === found.value.providerRef;
  // Checkpoints may be older than the store.
  const isOf = (session: string): boolean => ref !== '' && session.startsWith(ref);
  if (all.some(({ session }) => session !== null && isOf(session))) return isOf;
  throw new Failure(`no session starts with ${JSON.stringify(ref)}`, { remedy: 'list them: piton sessions' });
}

async function findCheckpoint(
  context: Context,
  ref: string,
): Promise<{ checkpoints: Checkpoints; one: Checkpoint; before: Checkpoint | null }> {
  const checkpoints = await openHere(context);
  const all = await checkpoints.listAll();
  const here = all.filter(({ worktree }) => worktree === checkpoints.repository.worktree);
  const { id: chosen } = chooseCheckpoint(stepsBack(ref) === undefined ? all : here, ref);
  const one = all.find(({ id }) => id === chosen) as Checkpoint;
  return { checkpoints, one, before: all.find(({ id }) => id === one.before) ?? null };
}

async function show(context: Context, ref: string, options: { json?: boolean }): Promise<void> {
  const { checkpoints, one, before } = await findCheckpoint(context, ref);
  const stat = printable(await checkpoints.stat(one, before));
  if (options.json) return printJson(context, { ...checkpointJson(one), changes: stat.split('\n').filter(Boolean) });
  const isHere = one.worktree === checkpoints.repository.worktree;
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
  printLine(context, displayTitle(one));
  for (const [name, value] of facts) if (value) printLine(context, `${context.paint('dim', name.padEnd(10))}  ${oneLine(value)}`);
  for (const { path, reason } of one.skipped)
    printLine(context, `${context.paint('yellow', 'skipped')}     ${displayName(path)} (${oneLine(reason)})`);
  for (const path of one.shared)
    printLine(context, `${context.paint('yellow', 'shared')}      ${displayName(path)} (changed by this subagent or another)`);
  if (stat) printAsIs(context, `\n${stat}`);
  const next = [
    `What it changed: piton checkpoints diff ${briefId(one)}`,
    ...(isHere ? [`Go back to it: piton rewind ${briefId(one)}`] : []),
  ];
  printLine(context, withCommandName(context, `\n${next.join('\n')}`));
}

async function diff(context: Context, ref: string): Promise<void> {
  const { checkpoints, one, before } = await findCheckpoint(context, ref);
  await showPatch(context, await checkpoints.diff(one, before, { binary: !context.terminal }));
}

async function repair(context: Context, options: { json?: boolean }): Promise<void> {
  const checkpoints = await openHere(context);
  const { found: links, lost, unkept } = await checkpoints.findLinks();
  const recovered = await checkpoints.recoverLink();
  const relinked = [...links].reverse().flatMap(({ commit, ids }) => ids.map((id) => ({ commit, id })));
  const known = await Promise.all(relinked.map(async ({ commit, id }) => ({ commit, checkpoint: await checkpoints.find(id) })));
  const notified = await notifyRelinked(context, checkpoints, [
    ...known.flatMap(({ commit, checkpoint }) => (checkpoint ? [{ kind: 'linked', commit, checkpoint } as const] : [])),
    ...(recovered?.made ?? []).map((checkpoint) => ({ kind: 'made', commit: recovered?.commit ?? '', checkpoint }) as const),
  ]);
  // Links that were not reported are found and reported the next time.
  if (notified) await checkpoints.saveLinks(links);
  const broken = unkept.filter(({ commit }) => commit !== recovered?.commit);
  if (options.json) return printJson(context, { found: links, recovered: recovered?.commit ?? null, lost, unkept: broken });
  if (recovered) printLine(context, `${recovered.commit.slice(0, 10)}  now has its checkpoint, which was missing`);
  for (const { commit, ids, evidence } of links)
    printLine(context, `${commit.slice(0, 10)}  ${ids.map((id) => briefId({ id })).join(', ')}  matched by ${evidence}`);
  printLine(context, links.length === 0 ? 'No links to repair.' : `${plural(links.length, 'link')} repaired.`);
  if (lost.length > 0)
    printLine(
      context,
      `${plural(lost.length, 'checkpoint')} of commits that are no longer on a branch: ${lost.map((id) => briefId({ id })).join(', ')}`,
    );
  for (const { commit, ids } of broken)
    printLine(context, `${commit.slice(0, 10)}  names a checkpoint that does not exist: ${ids.map((id) => briefId({ id })).join(', ')}`);
}
