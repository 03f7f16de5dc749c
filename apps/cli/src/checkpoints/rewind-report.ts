import { type Kept, type Refused, type RewindPlan, type Rewound, type Skipped, shownPath, type UndoPlan } from '@piton/checkpoints';
import { withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { Failure } from '../failure.ts';
import { briefId } from '../ids/checkpoint.ts';
import { oneLine, plural } from '../output/text.ts';
import { formatAge, formatTime } from '../output/time.ts';
import { displayName, displayTitle } from './checkpoint-name.ts';

const REASONS: Readonly<Record<Kept['reason'], string>> = {
  'changed-by-you': 'you changed it since. To revert it: --all or --path',
  'not-in-checkpoint': 'not in the checkpoint',
  'not-recorded': 'never recorded',
  'in-the-way': 'another file is in its place',
  ignored: 'ignored by git',
  submodule: 'submodule',
};

const LEFT_OUT: Readonly<Record<Skipped['reason'], string>> = {
  'too-large': 'too large',
  'total-too-large': 'total size limit reached',
  'looks-secret': 'looks like it holds a secret',
  'inner-repository': 'nested repository',
  'submodule-changes': 'uncommitted changes in a submodule',
  unreadable: 'could not be read',
  special: 'not a regular file',
  'filter-failed': 'its filter failed',
  'too-many': 'too many untracked files',
};

const quoted = ({ target }: RewindPlan): string => `${briefId(target)} (${displayTitle(target)})`;

export function printNothingToRestore(context: Context, plan: RewindPlan): void {
  const isWhole = plan.kept.length + plan.unavailable.length === 0;
  printLine(context, isWhole ? `Nothing to restore: the files match ${quoted(plan)}.` : `Nothing to restore from ${quoted(plan)}:`);
  printKept(context, plan.kept);
  printUnavailable(context, plan);
  printLeftOut(context, plan);
}

export function printRewindPlan(context: Context, plan: RewindPlan): void {
  printLine(context, `Rewind to ${quoted(plan)}:`);
  const yours = plan.alsoYours.map((path) => [path, 'includes your changes since'] as const);
  const shared = plan.shared.map((path) => [path, 'shared: may include your changes'] as const);
  printSteps(context, plan, new Map([...shared, ...yours]));
}

/** Names the rewind, which may be long ago, and what else would be reverted. */
export function printUndoPlan(context: Context, plan: UndoPlan): void {
  const { changedSince } = plan.undoes;
  printLine(context, `Undo ${describeRewind(plan)}:`);
  printSteps(context, plan, new Map(changedSince?.map((path) => [path, 'includes changes since'])));
  if (changedSince === null) printLine(context, '  That rewind was interrupted, so later changes cannot be told apart.');
  else if (changedSince.length > 0) printLine(context, `  Changed since that rewind: ${firstFew(changedSince.map(displayName))}.`);
}

export function describeRewind({ undoes: { at, target, name } }: UndoPlan): string {
  const when = at === null ? '' : ` of ${formatTime(at.getTime())} (${formatAge(Date.now() - at.getTime())} ago)`;
  return `the rewind${when}${target === null ? '' : ` to ${briefId({ id: target })}`}${name === null ? '' : ` (${oneLine(name)})`}`;
}

const MAX_NAMED = 10;

function firstFew(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).join(', ');
  return names.length > MAX_NAMED ? `${named} and ${plural(names.length - MAX_NAMED, 'file')} more` : named;
}

/** Null if each file has its author. */
export const sharedLine = ({ shared }: RewindPlan): string | null =>
  shared.length === 0 ? null : `Shared, may include your changes: ${firstFew(shared.map(displayName))}.`;

/** Null if nothing was left out. */
export function leftOutLine({ leftOut, gaps }: Pick<RewindPlan, 'leftOut' | 'gaps'>): string | null {
  const missed = gaps.map(({ tool, what }) => oneLine(`${tool}: ${what}`));
  const calls = missed.length === 0 ? [] : [`Nothing was kept before ${firstFew(missed)}, so what that changed stays.`];
  const files = leftOutFiles(leftOut);
  return files === null && calls.length === 0 ? null : [...(files === null ? [] : [files]), ...calls].join(' ');
}

/** A folder is told from a file by its slash; the whole tree has no name of its own. */
export const leftOutName = ({ path, reason }: Skipped): string =>
  reason !== 'too-many' ? displayName(path) : path === '.' ? 'files at the top' : `${displayName(path)}/`;

export const leftOutReason = ({ reason, files }: Skipped): string =>
  reason === 'too-many' && files !== undefined
    ? `${plural(files, 'untracked file')}, more than a checkpoint holds`
    : (LEFT_OUT[reason] ?? oneLine(String(reason)));

function leftOutFiles(leftOut: RewindPlan['leftOut']): string | null {
  // Anyone can write a ref, with any reason in it.
  const names = leftOut.map((each) => `${leftOutName(each)} (${leftOutReason(each)})`);
  return names.length === 0 ? null : `Not in the checkpoint, so not restored: ${firstFew(names)}.`;
}

function printLeftOut(context: Context, plan: Pick<RewindPlan, 'leftOut' | 'gaps'>): void {
  const line = leftOutLine(plan);
  if (line !== null) printLine(context, `  ${line}`);
}

function printSteps(
  context: Context,
  { steps, kept, unavailable, leftOut, gaps, headMoved }: RewindPlan,
  marks: ReadonlyMap<string, string>,
): void {
  for (const { path, entry, from, unrecorded } of steps) {
    const mark = marks.get(path);
    const notes = [
      mark === undefined ? '' : `  ${mark}`,
      unrecorded ? '  the current file is in no checkpoint; it is saved first' : '',
    ].join('');
    printLine(context, `  ${entry || from ? 'write ' : 'delete'}  ${displayName(path)}${notes ? context.paint('yellow', notes) : ''}`);
  }
  printKept(context, kept);
  printUnavailable(context, { unavailable });
  printLeftOut(context, { leftOut, gaps });
  if (headMoved) printLine(context, '  HEAD has moved since. Files are restored; commits and branches are not changed.');
}

function printKept(context: Context, kept: readonly Kept[]): void {
  for (const { path, reason } of kept) printLine(context, `  ${context.paint('dim', 'keep  ')}  ${displayName(path)}: ${REASONS[reason]}`);
}

/** They stay as they are. */
export const unavailableLines = ({ unavailable }: Pick<RewindPlan, 'unavailable'>): string[] =>
  unavailable.map(({ path, why }) => `${displayName(path)} cannot be restored: ${oneLine(why)}`);

function printUnavailable(context: Context, plan: Pick<RewindPlan, 'unavailable'>): void {
  for (const line of unavailableLines(plan)) printLine(context, `  ${context.paint('red', 'keep  ')}  ${line}`);
}

export function reportRewind(context: Context, result: Rewound | Refused, { json }: { readonly json?: boolean }): Rewound {
  if (result.result !== 'rewound') throw refusal(context, result);
  if (result.failed.length + result.plan.unavailable.length > 0) context.exit.code = 1;
  if (json) {
    printJson(context, rewoundJson(result));
    return result;
  }
  for (const { path, error } of result.failed)
    printLine(context, `${context.paint('red', 'failed')}  ${displayName(path)}: ${oneLine(error)}`);
  printLine(
    context,
    `${plural(result.written.length, 'file')} written, ${result.deleted.length} deleted. To undo: ${withCommandName(context, 'piton rewind --undo')}`,
  );
  return result;
}

const keptJson = (kept: readonly Kept[]): object[] => kept.map(({ path, reason }) => ({ path: shownPath(path), reason }));
const leftOutJson = (leftOut: readonly Skipped[]): object[] => leftOut.map((each) => ({ ...each, path: shownPath(each.path) }));
const unavailableJson = (all: RewindPlan['unavailable']): object[] => all.map(({ path, why }) => ({ path: shownPath(path), why }));
const gapsJson = (gaps: RewindPlan['gaps']): object[] => gaps.map(({ id, tool, what }) => ({ id, tool, what }));
export const planJson = ({ target, steps, kept, unavailable, leftOut, gaps, headMoved, alsoYours, shared }: RewindPlan): object => ({
  checkpoint: target.id,
  write: steps.filter(({ entry, from }) => entry || from).map(({ path }) => shownPath(path)),
  delete: steps.filter(({ entry, from }) => !entry && !from).map(({ path }) => shownPath(path)),
  kept: keptJson(kept),
  unavailable: unavailableJson(unavailable),
  leftOut: leftOutJson(leftOut),
  gaps: gapsJson(gaps),
  alsoYours: alsoYours.map(shownPath),
  shared: shared.map(shownPath),
  headMoved,
});
export const undoJson = (plan: UndoPlan): object => ({
  ...planJson(plan),
  undoes: { ...plan.undoes, at: plan.undoes.at?.toISOString() ?? null, changedSince: plan.undoes.changedSince?.map(shownPath) ?? null },
});
const rewoundJson = ({ plan, written, deleted, kept, failed }: Rewound): object => ({
  checkpoint: plan.target.id,
  undo: plan.safety.id,
  written: written.map(shownPath),
  deleted: deleted.map(shownPath),
  kept: keptJson(kept),
  unavailable: unavailableJson(plan.unavailable),
  leftOut: leftOutJson(plan.leftOut),
  gaps: gapsJson(plan.gaps),
  shared: plan.shared.map(shownPath),
  failed: failed.map(({ path, error }) => ({ path: shownPath(path), error })),
});

export function refusal(context: Context, refused: Refused): Failure {
  if (refused.result === 'failed')
    return new Failure(`could not save the current state before rewinding: ${refused.error}`, { remedy: 'nothing was changed' });
  if (refused.reason === 'operation-open')
    return new Failure(`a ${refused.operation} is in progress`, { remedy: 'finish or abort it first. Nothing was changed' });
  if (refused.reason === 'no-way-back')
    return new Failure(`there is no way back before this call (${oneLine(refused.call)}): ${oneLine(refused.why)}`, {
      remedy: withCommandName(context, 'nothing was changed. To list the calls that have one: piton rewind --calls'),
    });
  if (refused.reason === 'no-such-path')
    return new Failure(`neither the checkpoint nor the working tree has ${refused.paths.map((path) => JSON.stringify(path)).join(', ')}`, {
      remedy: 'use paths relative to the current directory. Nothing was changed',
    });
  if (refused.reason === 'cannot-write') {
    const files = refused.failed.map(({ path, error }) => `${displayName(path)} (${oneLine(error)})`);
    return new Failure(`could not write ${firstFew(files)}`, {
      remedy: withCommandName(
        context,
        'nothing was changed. Make room or permit it, then rewind again. To restore others: piton rewind --path',
      ),
    });
  }
  const words = {
    'no-such-checkpoint': 'no such checkpoint',
    'other-worktree': 'that checkpoint belongs to another working tree of this repository',
    'nothing-to-undo': 'there is no rewind to undo',
  };
  return new Failure(words[refused.reason], {
    remedy: withCommandName(context, 'list the checkpoints of this working tree: piton checkpoints'),
  });
}
