import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  beforeLatestTurn,
  fromRoot,
  openTurns,
  type Place,
  planDiff,
  planRewind,
  planUndo,
  type RewindOptions,
  type RewindPlan,
  type Rewound,
  rewind,
  shownPath,
  type UndoPlan,
  undoRewind,
} from '@piton/checkpoints';
import { Command, Option } from 'commander';
import { checkpointsHere, chooseCheckpoint, placeHere, shortId } from '../checkpoints/here.ts';
import { listedJson, sayList, sayNoneYet, withFiles } from '../checkpoints/list.ts';
import { showPatch } from '../checkpoints/patch-output.ts';
import { leftOutLine, planJson, refusal, report, sayNothing, sayPlan, sayUndo, undoJson } from '../checkpoints/rewind-words.ts';
import { noting, tellRewound } from '../checkpoints/tell-server.ts';
import { spelled, typed } from '../command-name.ts';
import { type Context, printJson, say } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { parseCount } from '../output/count.ts';
import { plural } from '../output/text.ts';
import { consent } from '../question.ts';

interface Options {
  readonly path?: readonly string[];
  readonly all?: boolean;
  readonly undo?: boolean;
  readonly list?: boolean;
  readonly limit: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const LEFT_OUT_OF_A_LIST = ['path', 'all', 'undo', 'dryRun', 'yes'];

export function rewindCommand(context: Context): Command {
  const command = new Command('rewind')
    .description('puts files back as a checkpoint has them; can itself be undone')
    .argument('[checkpoint]', 'its id, or the end of it; without one, the state before the latest turn')
    .option('--path <path...>', 'only these files or directories, whoever changed them')
    .option('--all', 'also what you changed since, not only what agents did')
    .option('--undo', 'take back the last rewind')
    .addOption(new Option('--list', 'show what you can go back to, the latest first, and change nothing').conflicts(LEFT_OUT_OF_A_LIST))
    .option('-n, --limit <count>', 'how many --list shows', '20')
    .option('--dry-run', 'show the difference and change nothing')
    .option('--yes', 'without asking')
    .option('--json', 'as JSON')
    .action((ref: string | undefined, options: Options) => (options.list ? list(context, ref, options) : run(context, ref, options)));
  return withExamples(command, ['rewind', 'rewind --list', 'rewind 7QK2M0XA --dry-run', 'rewind 7QK2M0XA --path src', 'rewind --undo']);
}

async function list(context: Context, ref: string | undefined, { limit, json }: Options): Promise<void> {
  if (ref !== undefined)
    throw new Failure('--list shows all checkpoints', {
      remedy: spelled(context, `\`piton checkpoints show\` shows one`),
      usage: true,
    });
  const place = await placeHere(context);
  const all = await checkpointsHere(place);
  const shown = all.slice(-parseCount('--limit', limit)).reverse();
  const listed = await withFiles(place, shown, all);
  if (json) return printJson(context, listed.map(listedJson));
  if (all.length === 0) return sayNoneYet(context);
  sayList(context, listed);
  const older = all.length - shown.length;
  if (older > 0) say(context, `${plural(older, 'older checkpoint')}: --limit ${all.length} shows all.`);
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
  if (!options.json) sayPlan(context, plan);
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
  const plan = await planUndo(place);
  if (plan.result !== 'plan') throw refusal(context, plan);
  if (options.dryRun) return preview(context, place, plan, options);
  if (!options.json) sayUndo(context, plan);
  // Right after a rewind nothing is asked; what was done since would go as well.
  const { changedSince } = plan.undoes;
  const yes = options.yes === true || changedSince?.length === 0;
  const command = spelled(context, 'piton rewind --undo');
  if (!(await consent(context, { question: 'Take it back all the same?', yes, command }))) {
    say(context, 'Nothing was changed.');
    return undefined;
  }
  return report(context, await undoRewind(place), options);
}

async function preview(context: Context, place: Place, plan: RewindPlan | UndoPlan, { json }: Options): Promise<undefined> {
  if (json) return printJson(context, 'undoes' in plan ? undoJson(plan) : planJson(plan)) as undefined;
  if ('undoes' in plan) sayUndo(context, plan);
  if (plan.steps.length === 0) return sayNothing(context, plan) as undefined;
  const patch = await planDiff(place, plan, { binary: !context.terminal });
  // Line endings and the like, which git does not tell apart.
  if (patch.length === 0) return sayPlan(context, plan) as undefined;
  showPatch(context, patch);
  // The patch may go to a file, and to `git apply`. Of an undo it is said already.
  const leftOut = 'undoes' in plan ? null : leftOutLine(plan);
  if (leftOut !== null) context.err(`${leftOut}\n`);
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
