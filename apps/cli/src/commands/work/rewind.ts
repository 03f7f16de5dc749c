import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Checkpoints, RewindOptions, RewindPlan, Rewound, UndoPlan } from '@piton/checkpoints';
import { shellWord } from '@piton/contracts';
import { Command, Option } from 'commander';
import { callInLatestTurn, callJson, numberedCalls, printCalls } from '../../checkpoints/call-list.ts';
import { openHere } from '../../checkpoints/current-repository.ts';
import { checkpointTable, listedJson, printNoCheckpoints, rewindIds, withFiles } from '../../checkpoints/list.ts';
import {
  leftOutLine,
  planJson,
  printNothingToRestore,
  printRewindPlan,
  printUndoPlan,
  refusal,
  reportRewind,
  sharedLine,
  unavailableLines,
  undoJson,
} from '../../checkpoints/rewind-report.ts';
import { collectMade, notifyRewound, settleServer } from '../../checkpoints/server-notices.ts';
import { shellPath, withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { briefId, chooseCheckpoint, turnNamed } from '../../ids/checkpoint.ts';
import { parseCount } from '../../output/count.ts';
import { showPaged } from '../../output/pager.ts';
import { showPatch } from '../../output/patch-output.ts';
import { oneLine, plural } from '../../output/text.ts';
import { consent } from '../../question.ts';

interface Options {
  readonly path?: readonly string[];
  readonly all?: boolean;
  readonly undo?: boolean;
  readonly list?: boolean;
  readonly calls?: boolean;
  readonly call?: string;
  readonly limit: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const NOT_WITH_LIST = ['path', 'all', 'undo', 'dryRun', 'yes', 'call'];

export function rewindCommand(context: Context): Command {
  const command = new Command('rewind')
    .argument(
      '[checkpoint]',
      'Checkpoint, or a turn or call to rewind before: its ID, a unique prefix of it, or @ for the latest checkpoint (default: the state before the latest turn)',
    )
    .option('--call <number>', 'Rewind before this call of the latest turn')
    .option('--path <path...>', 'Only these files or directories, whoever changed them')
    .option('--all', 'Also revert your own changes, not only those of agents')
    .option('--undo', 'Undo the last rewind')
    .addOption(new Option('--list', 'List checkpoints to rewind to, newest first, and change nothing').conflicts(NOT_WITH_LIST))
    .addOption(
      new Option('--calls', 'List calls of recent turns to rewind before, newest first, and change nothing').conflicts([
        ...NOT_WITH_LIST,
        'list',
      ]),
    )
    .option('-n, --limit <count>', 'Maximum number of checkpoints or calls to list', '20')
    .option('--dry-run', 'Show the diff, and change nothing')
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .action((ref: string | undefined, options: Options) =>
      options.calls ? listCalls(context, ref, options) : options.list ? list(context, ref, options) : run(context, ref, options),
    );
  return withExamples(command, [
    'rewind',
    'rewind --list',
    'rewind --calls',
    'rewind --call 3',
    'rewind @ --dry-run',
    'rewind 01M7GEHW --path src',
    'rewind --undo',
  ]);
}

async function list(context: Context, ref: string | undefined, { limit, json }: Options): Promise<void> {
  if (ref !== undefined)
    throw new Failure('--list takes no checkpoint', {
      remedy: `to show it: piton checkpoints show ${shellWord(ref)}`,
      usage: true,
    });
  const checkpoints = await openHere(context);
  const all = await checkpoints.list();
  const shown = all.slice(-parseCount('--limit', limit)).reverse();
  const listed = await withFiles(checkpoints, shown, all);
  if (json) return printJson(context, listed.map(listedJson));
  if (all.length === 0) return printNoCheckpoints(context);
  const older = all.length - shown.length;
  const more = older > 0 ? `${plural(older, 'older checkpoint')}. To list all: --limit ${all.length}\n` : '';
  await showPaged(context, `${checkpointTable(context, listed, rewindIds(checkpoints, all))}${more}`);
}

async function listCalls(context: Context, ref: string | undefined, { limit, json }: Options): Promise<void> {
  if (ref !== undefined) throw new Failure('--calls takes no checkpoint', { remedy: 'drop the ID', usage: true });
  const checkpoints = await openHere(context);
  await settleServer(context, checkpoints);
  const shown = numberedCalls(checkpoints).slice(-parseCount('--limit', limit)).reverse();
  if (json) return printJson(context, shown.map(callJson));
  printCalls(context, checkpoints.repository.root, shown, rewindIds(checkpoints, await checkpoints.list()));
}

async function run(context: Context, ref: string | undefined, options: Options): Promise<void> {
  const { checkpoints, made } = collectMade(await openHere(context));
  await settleServer(context, checkpoints);
  let restored: Rewound | undefined;
  try {
    const result = options.undo ? await undo(context, checkpoints, ref, options) : await rewindTo(context, checkpoints, ref, options);
    if (result?.result === 'rewound') restored = result;
  } finally {
    const undoId = restored?.plan.safety.id;
    await notifyRewound(context, checkpoints, made, restored && undoId ? { checkpoint: restored.plan.target, undo: undoId } : null);
  }
}

/** Returns what was restored, if anything was. */
async function rewindTo(
  context: Context,
  checkpoints: Checkpoints,
  ref: string | undefined,
  options: Options,
): Promise<Rewound | undefined> {
  const choice = await choiceOf(context, checkpoints, options);
  const id = await targetOf(context, checkpoints, ref, options);
  const plan = await checkpoints.planRewind(id, choice);
  if (plan.result !== 'plan') throw refusal(context, plan);
  if (options.dryRun) return preview(context, checkpoints, plan, options);
  if (plan.steps.length === 0 && !options.json) {
    printNothingToRestore(context, plan);
    if (plan.unavailable.length > 0) context.exit.code = 1;
    return undefined;
  }
  if (!options.json) printRewindPlan(context, plan);
  const command = withCommandName(context, `piton rewind ${[briefId(plan.target), ...wordsOf(context, options)].join(' ')}`);
  if (plan.steps.length > 0 && !(await consent(context, { question: 'Rewind?', yes: options.yes === true, command }))) {
    printLine(context, 'Nothing was changed.');
    return undefined;
  }
  return reportRewind(context, await checkpoints.rewind(id, choice), options);
}

async function undo(context: Context, checkpoints: Checkpoints, ref: string | undefined, options: Options): Promise<Rewound | undefined> {
  if (ref !== undefined || options.path || options.all)
    throw new Failure('--undo reverts the whole last rewind', { remedy: 'drop the checkpoint, --path and --all' });
  const plan = await checkpoints.planUndo();
  if (plan.result !== 'plan') throw refusal(context, plan);
  if (options.dryRun) return preview(context, checkpoints, plan, options);
  if (!options.json) printUndoPlan(context, plan);
  // Right after a rewind there is nothing to ask. Later, newer changes would be reverted too.
  const { changedSince } = plan.undoes;
  const yes = options.yes === true || changedSince?.length === 0;
  const command = withCommandName(context, 'piton rewind --undo');
  if (!(await consent(context, { question: 'Undo the rewind anyway?', yes, command }))) {
    printLine(context, 'Nothing was changed.');
    return undefined;
  }
  return reportRewind(context, await checkpoints.undoRewind(), options);
}

async function preview(context: Context, checkpoints: Checkpoints, plan: RewindPlan | UndoPlan, { json }: Options): Promise<undefined> {
  if (json) return printJson(context, 'undoes' in plan ? undoJson(plan) : planJson(plan)) as undefined;
  if ('undoes' in plan) printUndoPlan(context, plan);
  if (plan.steps.length === 0) return printNothingToRestore(context, plan) as undefined;
  const patch = await checkpoints.planDiff(plan, { binary: !context.terminal });
  // The files differ only in what git ignores, such as line endings.
  if (patch.length === 0) return printRewindPlan(context, plan) as undefined;
  await showPatch(context, patch);
  // Stderr, because the patch may be piped to `git apply`. For an undo it is printed already.
  const lines = 'undoes' in plan ? [] : [sharedLine(plan), leftOutLine(plan)];
  for (const line of lines) if (line !== null) context.err(`${line}\n`);
  if (!('undoes' in plan)) for (const line of unavailableLines(plan)) context.err(`${line}\n`);
}

/** Paths are given relative to the current directory. Checkpoints use paths relative to the root. */
async function choiceOf(context: Context, checkpoints: Checkpoints, { path: given, all }: Options): Promise<RewindOptions> {
  if (!given) return all ? { everything: true } : {};
  const { root } = checkpoints.repository;
  const paths: string[] = [];
  for (const one of given) {
    const found = isRoot(root, resolve(context.cwd, one)) ? '' : checkpoints.pathOf(one, context.cwd);
    if (found === null)
      throw new Failure(`${JSON.stringify(one)} is not in this repository`, { where: root, remedy: 'use files or directories inside it' });
    paths.push(found);
  }
  return { paths };
}

function isRoot(root: string, path: string): boolean {
  try {
    return realpathSync(path) === root;
  } catch {
    return false;
  }
}

const wordsOf = (context: Context, { path, all }: Options): string[] => [
  ...(all ? ['--all'] : []),
  ...(path ? ['--path', ...path.map((one) => shellPath(context, one))] : []),
];

const callsToName = (checkpoints: Checkpoints) =>
  checkpoints.calls().flatMap(({ id, what, wholeTurn }) => (wholeTurn ? [] : [{ id, what }]));

async function targetOf(context: Context, checkpoints: Checkpoints, ref: string | undefined, { call }: Options): Promise<string> {
  if (call !== undefined && ref !== undefined) throw new Failure('--call takes no checkpoint', { remedy: 'drop one of both', usage: true });
  if (call !== undefined) return callInLatestTurn(context, checkpoints, call);
  const all = await checkpoints.list();
  if (ref !== undefined) {
    const turn = turnNamed([...all, ...checkpoints.calls()], ref);
    if (turn === undefined) return chooseCheckpoint(all, ref, callsToName(checkpoints)).id;
    return requireState(context, checkpoints.beforeTurn(all, turn), 'that turn');
  }
  return requireState(context, await checkpoints.beforeLatestTurn(all), 'the latest turn');
}

type StateBefore = Awaited<ReturnType<Checkpoints['beforeLatestTurn']>>;

function requireState(context: Context, before: StateBefore, what: string): string {
  if (before && 'result' in before && before.result === 'no-way-back')
    throw new Failure(`there is no way back before ${what}: ${oneLine(before.why)}`, {
      remedy: withCommandName(context, 'nothing was changed. See what can be restored: piton rewind --calls, piton rewind --list'),
    });
  if (before) return before.id;
  throw new Failure('no turn to rewind', { remedy: withCommandName(context, 'list the checkpoints: piton checkpoints') });
}
