import { type Checkpoint, type Checkpoints, shownPath } from '@piton/checkpoints';
import { withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
import { shortIdsOf } from '../ids/unique-prefix.ts';
import { table } from '../output/table.ts';
import { formatShortTime } from '../output/time.ts';
import { displayName } from './checkpoint-name.ts';

/** A checkpoint, and the files that changed since the previous one. Null if that is unknown. */
export interface Listed {
  readonly checkpoint: Checkpoint;
  readonly files: readonly string[] | null;
}

/** All that `piton rewind` takes: calls have IDs too, of the same moments. */
export const rewindIds = (checkpoints: Checkpoints, all: readonly Checkpoint[]): readonly string[] =>
  [...all, ...checkpoints.calls()].map(({ id }) => id);

export async function withFiles(checkpoints: Checkpoints, some: readonly Checkpoint[], all: readonly Checkpoint[]): Promise<Listed[]> {
  const changed = await checkpoints.changedFiles(some, all);
  return some.map((checkpoint, at) => ({ checkpoint, files: changed[at] ?? null }));
}

export const printNoCheckpoints = (context: Context): void =>
  printLine(
    context,
    withCommandName(context, 'No checkpoints yet. After `piton init` in this repository, they start with the next prompt.'),
  );

/** `all`: the IDs among which each must be unique. */
export function checkpointTable(context: Context, listed: readonly Listed[], all: readonly string[]): string {
  const shortIds = shortIdsOf(all);
  return table(context, listed, [
    { title: 'checkpoint', value: ({ checkpoint: { id } }) => shortIds.get(id) ?? id, whole: true },
    { title: 'when', value: ({ checkpoint: { at } }) => formatShortTime(at.toISOString()) },
    { title: 'kind', value: ({ checkpoint: { kind } }) => kind },
    { title: 'by', value: ({ checkpoint: { by, agent } }) => (by === 'agent' ? (agent ?? 'agent') : by === 'human' ? 'you' : by) },
    { title: 'what', value: ({ checkpoint: { name } }) => name, flexible: true },
    { title: 'files', value: ({ files }) => namedFiles(files ?? []), narrow: ({ files }) => String(files?.length || '') },
  ]);
}

const MAX_NAMED = 3;

const namedFiles = (files: readonly string[]): string =>
  [...files.slice(0, MAX_NAMED).map(displayName), ...(files.length > MAX_NAMED ? [`and ${files.length - MAX_NAMED} more`] : [])].join(', ');

export const listedJson = ({ checkpoint, files }: Listed): object => ({
  ...checkpointJson(checkpoint),
  files: files?.map(shownPath) ?? null,
});

export const checkpointJson = ({ at, skipped, shared, own, ...rest }: Checkpoint): object => ({
  ...rest,
  own: own.map(shownPath),
  shared: shared.map(shownPath),
  at: at.toISOString(),
  skipped: skipped.map((each) => ({ ...each, path: shownPath(each.path) })),
});
