import { type Kept, type Refused, type RewindPlan, type Rewound, type Skipped, shownPath, type UndoPlan } from '@piton/checkpoints';
import { spelled } from '../command-name.ts';
import { type Context, printJson, say } from '../context.ts';
import { Failure } from '../failure.ts';
import { oneLine, plural } from '../output/text.ts';
import { age, clock } from '../output/time.ts';
import { shortId } from './here.ts';
import { shownName, shownTitle } from './shown.ts';

const REASONS: Readonly<Record<Kept['reason'], string>> = {
  'changed-by-you': 'you changed it since; --all or --path would put it back',
  'not-in-checkpoint': 'the checkpoint does not have it',
  'not-recorded': 'it was never recorded',
  'in-the-way': 'something else is in its place',
  ignored: 'it is ignored',
  submodule: 'it is a submodule',
};

const LEFT_OUT: Readonly<Record<Skipped['reason'], string>> = {
  'too-large': 'too large',
  'total-too-large': 'too much in all',
  'looks-secret': 'looks like a secret',
  'inner-repository': 'a repository of its own',
  unreadable: 'could not be read',
  special: 'no ordinary file',
  'filter-failed': 'its filter failed',
};

const quoted = ({ target }: RewindPlan): string => `${shortId(target)} (${shownTitle(target)})`;

export function sayNothing(context: Context, plan: RewindPlan): void {
  const isWhole = plan.kept.length === 0;
  say(context, isWhole ? `Nothing to put back: the files are as ${quoted(plan)} has them.` : `Nothing to put back for ${quoted(plan)}:`);
  sayKept(context, plan.kept);
  sayLeftOut(context, plan);
}

export function sayPlan(context: Context, plan: RewindPlan): void {
  say(context, `To ${quoted(plan)}:`);
  saySteps(context, plan, new Set(plan.alsoYours), 'with what you changed in it since');
}

/** Which rewind that is, since it may have been long ago, and what would go with it. */
export function sayUndo(context: Context, plan: UndoPlan): void {
  const { changedSince } = plan.undoes;
  say(context, `Takes back ${undone(plan)}:`);
  saySteps(context, plan, new Set(changedSince ?? []), 'with what was changed in it since');
  if (changedSince === null) say(context, '  That rewind was cut short: what was changed after it cannot be told.');
  else if (changedSince.length > 0) say(context, `  Changed since that rewind: ${someOf(changedSince.map(shownName))}.`);
}

export function undone({ undoes: { at, target, name } }: UndoPlan): string {
  const when = at === null ? '' : ` of ${clock(at.getTime())} (${age(Date.now() - at.getTime())} ago)`;
  return `the rewind${when}${target === null ? '' : ` to ${target.slice(-8)}`}${name === null ? '' : ` (${oneLine(name)})`}`;
}

const MOST_NAMED = 10;

function someOf(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).join(', ');
  return names.length > MOST_NAMED ? `${named} and ${plural(names.length - MOST_NAMED, 'file')} more` : named;
}

/** Null where there is none. */
export function leftOutLine({ leftOut }: Pick<RewindPlan, 'leftOut'>): string | null {
  // Anybody may write a ref, with a reason of their own.
  const names = leftOut.map(({ path, reason }) => `${shownName(path)} (${LEFT_OUT[reason] ?? oneLine(String(reason))})`);
  return names.length === 0 ? null : `Left out of the checkpoint, and so not brought back: ${someOf(names)}.`;
}

function sayLeftOut(context: Context, plan: Pick<RewindPlan, 'leftOut'>): void {
  const line = leftOutLine(plan);
  if (line !== null) say(context, `  ${line}`);
}

function saySteps(context: Context, { steps, kept, leftOut, headMoved }: RewindPlan, marked: ReadonlySet<string>, mark: string): void {
  for (const { path, entry, from, unrecorded } of steps) {
    const notes = [marked.has(path) ? `  ${mark}` : '', unrecorded ? '  what lies there is in no checkpoint, and is put aside' : ''].join(
      '',
    );
    say(context, `  ${entry || from ? 'write ' : 'delete'}  ${shownName(path)}${notes ? context.paint('yellow', notes) : ''}`);
  }
  sayKept(context, kept);
  sayLeftOut(context, { leftOut });
  if (headMoved) say(context, '  HEAD has moved since: files come back, commits and branches stay as they are.');
}

function sayKept(context: Context, kept: readonly Kept[]): void {
  for (const { path, reason } of kept) say(context, `  ${context.paint('dim', 'keep  ')}  ${shownName(path)}: ${REASONS[reason]}`);
}

export function report(context: Context, result: Rewound | Refused, { json }: { readonly json?: boolean }): Rewound {
  if (result.result !== 'rewound') throw refusal(context, result);
  if (result.failed.length > 0) context.exit.code = 1;
  if (json) {
    printJson(context, rewoundJson(result));
    return result;
  }
  for (const { path, error } of result.failed) say(context, `${context.paint('red', 'failed')}  ${shownName(path)}: ${oneLine(error)}`);
  say(
    context,
    `${plural(result.written.length, 'file')} written, ${result.deleted.length} deleted. Take it back with: ${spelled(context, 'piton rewind --undo')}`,
  );
  return result;
}

const keptJson = (kept: readonly Kept[]): object[] => kept.map(({ path, reason }) => ({ path: shownPath(path), reason }));
const leftOutJson = (leftOut: readonly Skipped[]): object[] => leftOut.map((each) => ({ ...each, path: shownPath(each.path) }));
export const planJson = ({ target, steps, kept, leftOut, headMoved }: RewindPlan): object => ({
  checkpoint: target.id,
  write: steps.filter(({ entry, from }) => entry || from).map(({ path }) => shownPath(path)),
  delete: steps.filter(({ entry, from }) => !entry && !from).map(({ path }) => shownPath(path)),
  kept: keptJson(kept),
  leftOut: leftOutJson(leftOut),
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
  leftOut: leftOutJson(plan.leftOut),
  failed: failed.map(({ path, error }) => ({ path: shownPath(path), error })),
});

export function refusal(context: Context, refused: Refused): Failure {
  if (refused.result === 'failed')
    return new Failure(`the present could not be kept first: ${refused.error}`, { remedy: 'nothing was changed' });
  if (refused.reason === 'operation-open')
    return new Failure(`a ${refused.operation} is open here`, { remedy: 'finish or abort it first; nothing was changed' });
  if (refused.reason === 'no-such-path')
    return new Failure(`neither the checkpoint nor the working tree has ${refused.paths.map((path) => JSON.stringify(path)).join(', ')}`, {
      remedy: 'give files or directories as they are named from where you stand; nothing was changed',
    });
  const words = {
    'no-such-checkpoint': 'that checkpoint is not here',
    'other-worktree': 'that checkpoint belongs to another working tree of this repository',
    'nothing-to-undo': 'no rewind has been done here',
  };
  return new Failure(words[refused.reason], { remedy: spelled(context, '`piton checkpoints` lists those of this working tree') });
}
