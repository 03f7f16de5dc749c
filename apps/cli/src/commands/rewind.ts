import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  beforeLatestTurn,
  fromRoot,
  type Kept,
  openTurns,
  type Place,
  planDiff,
  planRewind,
  planUndo,
  type Refused,
  type RewindOptions,
  type RewindPlan,
  type Rewound,
  rewind,
  shownPath,
  undoRewind,
} from '@piton/checkpoints';
import { Command } from 'commander';
import { checkpointsHere, chooseCheckpoint, placeHere, shortId } from '../checkpoints/here.ts';
import { noting, tellRewound } from '../checkpoints/tell-server.ts';
import { spelled, typed } from '../command-name.ts';
import { type Context, printJson, say } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { plural } from '../output/text.ts';
import { consent } from '../question.ts';

interface Options {
  readonly path?: readonly string[];
  readonly all?: boolean;
  readonly undo?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function rewindCommand(context: Context): Command {
  const command = new Command('rewind')
    .description('puts files back as a checkpoint has them; can itself be undone')
    .argument('[checkpoint]', 'its id, or the end of it; without one, the state before the latest turn')
    .option('--path <path...>', 'only these files or directories, whoever changed them')
    .option('--all', 'also what you changed since, not only what agents did')
    .option('--undo', 'take back the last rewind')
    .option('--dry-run', 'show the difference and change nothing')
    .option('--yes', 'without asking')
    .option('--json', 'as JSON')
    .action((ref: string | undefined, options: Options) => run(context, ref, options));
  return withExamples(command, ['rewind', 'rewind 7QK2M0XA --dry-run', 'rewind 7QK2M0XA --path src', 'rewind --undo']);
}

async function run(context: Context, ref: string | undefined, options: Options): Promise<void> {
  const { place, made } = noting(await placeHere(context));
  let restored: Rewound | undefined;
  try {
    const result = options.undo ? await undo(context, place, ref, options) : await goBack(context, place, ref, options);
    if (result?.result === 'rewound') restored = result;
  } finally {
    const undoId = restored?.plan.safety.id;
    await tellRewound(context, place, made, restored && undoId ? { checkpoint: restored.plan.target, undo: undoId } : null);
  }
}

/** What was done, if anything was. */
async function goBack(context: Context, place: Place, ref: string | undefined, options: Options): Promise<Rewound | undefined> {
  const choice = await choiceOf(context, place, options);
  const id = await targetOf(context, place, ref);
  const plan = await planRewind(place, id, choice);
  if (plan.result !== 'plan') throw refusal(context, plan);
  if (options.dryRun) return preview(context, place, plan, options);
  if (plan.steps.length === 0 && !options.json) {
    sayNothing(context, plan);
    return undefined;
  }
  if (!options.json) show(context, plan);
  const command = spelled(context, `piton rewind ${[shortId(plan.target), ...wordsOf(context, options)].join(' ')}`);
  if (plan.steps.length > 0 && !(await consent(context, { question: 'Put them back?', yes: options.yes === true, command }))) {
    say(context, 'Nothing was changed.');
    return undefined;
  }
  return report(context, await rewind(place, id, choice), options);
}

async function undo(context: Context, place: Place, ref: string | undefined, options: Options): Promise<Rewound | undefined> {
  if (ref !== undefined || options.path || options.all)
    throw new Failure('--undo takes back the whole of the last rewind', { remedy: 'leave out the checkpoint, --path and --all' });
  if (!options.dryRun) {
    // Nothing is asked, but an agent may not.
    await consent(context, { question: '', yes: true, command: spelled(context, 'piton rewind --undo') });
    return report(context, await undoRewind(place), options);
  }
  const plan = await planUndo(place);
  if (plan.result !== 'plan') throw refusal(context, plan);
  return preview(context, place, plan, options);
}

async function preview(context: Context, place: Place, plan: RewindPlan, { json }: Options): Promise<undefined> {
  if (json) printJson(context, planJson(plan));
  else if (plan.steps.length === 0) sayNothing(context, plan);
  else context.verbatim(await planDiff(place, plan));
}

/** Paths are meant from where the person stands; the checkpoints count from the root. */
async function choiceOf(context: Context, place: Place, { path: given, all }: Options): Promise<RewindOptions> {
  if (!given) return all ? { everything: true } : {};
  const { root } = place.repository;
  const paths: string[] = [];
  for (const one of given) {
    const found = isRoot(root, resolve(context.cwd, one)) ? '' : fromRoot(root, one, context.cwd);
    if (found === null)
      throw new Failure(`${JSON.stringify(one)} is not in this repository`, { where: root, remedy: 'give files or directories of it' });
    paths.push(shownPath(found));
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
  ...(path ? ['--path', ...path.map((one) => typed(context, one))] : []),
];

async function targetOf(context: Context, place: Place, ref: string | undefined): Promise<string> {
  const all = await checkpointsHere(place);
  if (ref !== undefined) return chooseCheckpoint(context, all, ref).id;
  const before = beforeLatestTurn(all, await openTurns(place));
  if (before) return before.id;
  throw new Failure('there is no turn to go back to', { remedy: spelled(context, '`piton checkpoints` shows what there is') });
}

function sayNothing(context: Context, plan: RewindPlan): void {
  const whole = plan.kept.length === 0;
  say(context, whole ? `Nothing to put back: the files are as ${quoted(plan)} has them.` : `Nothing to put back for ${quoted(plan)}:`);
  sayKept(context, plan.kept);
}

const quoted = ({ target }: RewindPlan): string => `${shortId(target)} (${target.name})`;

function show(context: Context, plan: RewindPlan): void {
  say(context, `To ${quoted(plan)}:`);
  const yours = new Set(plan.alsoYours);
  for (const { path, entry } of plan.steps)
    say(
      context,
      `  ${entry ? 'write ' : 'delete'}  ${shownPath(path)}${yours.has(path) ? context.paint('yellow', '  with what you changed in it since') : ''}`,
    );
  sayKept(context, plan.kept);
  if (plan.headMoved) say(context, '  HEAD has moved since: files come back, commits and branches stay as they are.');
}

const REASONS: Readonly<Record<Kept['reason'], string>> = {
  'changed-by-you': 'you changed it since; --all or --path would put it back',
  'not-in-checkpoint': 'the checkpoint does not have it',
  'not-recorded': 'it was never recorded',
  'in-the-way': 'something else is in its place',
  ignored: 'it is ignored',
  submodule: 'it is a submodule',
};

function sayKept(context: Context, kept: readonly Kept[]): void {
  for (const { path, reason } of kept) say(context, `  ${context.paint('dim', 'keep  ')}  ${shownPath(path)}: ${REASONS[reason]}`);
}

function report(context: Context, result: Rewound | Refused, { json }: Options): Rewound {
  if (result.result !== 'rewound') throw refusal(context, result);
  if (json) {
    printJson(context, rewoundJson(result));
    return result;
  }
  for (const { path, error } of result.failed) say(context, `${context.paint('red', 'failed')}  ${shownPath(path)}: ${error}`);
  if (result.failed.length > 0) context.exit.code = 1;
  say(
    context,
    `${plural(result.written.length, 'file')} written, ${result.deleted.length} deleted. Take it back with: ${spelled(context, 'piton rewind --undo')}`,
  );
  return result;
}

const keptJson = (kept: readonly Kept[]): object[] => kept.map(({ path, reason }) => ({ path: shownPath(path), reason }));
const planJson = ({ target, steps, kept, headMoved }: RewindPlan): object => ({
  checkpoint: target.id,
  write: steps.filter(({ entry }) => entry).map(({ path }) => shownPath(path)),
  delete: steps.filter(({ entry }) => !entry).map(({ path }) => shownPath(path)),
  kept: keptJson(kept),
  headMoved,
});
const rewoundJson = ({ plan, written, deleted, kept, failed }: Rewound): object => ({
  checkpoint: plan.target.id,
  undo: plan.safety.id,
  written: written.map(shownPath),
  deleted: deleted.map(shownPath),
  kept: keptJson(kept),
  failed: failed.map(({ path, error }) => ({ path: shownPath(path), error })),
});

function refusal(context: Context, refused: Refused): Failure {
  if (refused.result === 'failed')
    return new Failure(`the present could not be kept first: ${refused.error}`, { remedy: 'nothing was changed' });
  if (refused.reason === 'operation-open')
    return new Failure(`a ${refused.operation} is open here`, { remedy: 'finish or abort it first; nothing was changed' });
  const words = {
    'no-such-checkpoint': 'that checkpoint is not here',
    'other-worktree': 'that checkpoint belongs to another working tree of this repository',
    'nothing-to-undo': 'no rewind has been done here',
  };
  return new Failure(words[refused.reason], { remedy: spelled(context, '`piton checkpoints` lists those of this working tree') });
}
