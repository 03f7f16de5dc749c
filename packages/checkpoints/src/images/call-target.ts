import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gitOutput } from '@piton/git';
import { type Checkpoint, verbatimRef } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import { verbatimEntry } from '../snapshot/conversion/recipe.ts';
import type { Skipped } from '../snapshot/skipped.ts';
import type { Worktree } from '../worktree.ts';
import { type HeldFile, type LoggedCall, readCalls } from './call-log.ts';

/** What a rewind before a call goes to: see `callTarget`. */
export interface CallTarget {
  readonly call: LoggedCall;
  /** The whole working tree, as the first look at or after the call found it; null where nobody has looked since. */
  readonly image: (LoggedCall['wayBack'] & { kind: 'image' }) | null;
  /** Files that were read for a call of their own before that look. */
  readonly files: ReadonlyMap<RawPath, HeldFile>;
  readonly skipped: readonly Skipped[];
  /** As in `Checkpoint`: all of it. */
  readonly asOnDisk: boolean;
  /** Calls since then of which nothing was kept: what they changed does not come back. */
  readonly gaps: readonly LoggedCall[];
}

export const findCall = (worktree: Pick<Worktree, 'state'>, id: string): LoggedCall | undefined =>
  readCalls(worktree).findLast((call) => call.id === id);

/**
 * Before each call there was a look at all that it could change: the file that it named, or the whole working tree. So a file is to
 * become what it was at the first look at it from this call on. What a person did to it before that look stays.
 */
export function callTarget(worktree: Pick<Worktree, 'state'>, call: LoggedCall): CallTarget {
  const all = readCalls(worktree);
  const files = new Map<RawPath, HeldFile>();
  const skipped: Skipped[] = [];
  const gaps: LoggedCall[] = [];
  let image: CallTarget['image'] = null;
  let asOnDisk = true;
  for (const each of all.slice(all.findIndex(({ id }) => id === call.id))) {
    const { wayBack } = each;
    if (image === null && wayBack.kind !== 'none') asOnDisk &&= wayBack.asOnDisk === true;
    if (wayBack.kind === 'none') gaps.push(each);
    else if (image === null && wayBack.kind === 'image') image = wayBack;
    else if (image === null && wayBack.kind === 'files') {
      for (const file of wayBack.files) if (!files.has(file.path)) files.set(file.path, file);
      skipped.push(...wayBack.skipped);
    }
  }
  return { call, image, files, skipped: [...skipped, ...(image?.skipped ?? [])], gaps, asOnDisk };
}

/** A tree of all that, and as `Checkpoint` what a rewind asks of it. `now`: where nobody has looked, all other files stay as they are. */
export async function composeTarget(worktree: Worktree, target: CallTarget, now: Checkpoint): Promise<Checkpoint> {
  const { call, image, files } = target;
  const base = image?.tree ?? now.tree;
  const blobs = new Map(
    [...files].flatMap(([path, file]) => (file.verbatim ? [[path, verbatimEntry(worktree.repository.objectFormat, file)] as const] : [])),
  );
  const tree = await withFiles(worktree, base, new Map([...files].map(([path, { entry }]) => [path, entry])));
  const kept = image ? image.verbatim : await verbatimTree(worktree, now);
  const gone = kept === null ? [] : [...files.keys()].filter((path) => !blobs.has(path));
  const verbatim =
    blobs.size === 0 && gone.length === 0
      ? kept
      : await withFiles(worktree, kept, new Map([...gone.map((path) => [path, null] as const), ...blobs]));
  return {
    ...now,
    ...{ id: call.id, ref: '', commit: tree, tree, base: image?.base ?? now.base, name: callName(call) },
    ...{ session: call.session, agent: call.agent, turn: call.turn, linked: null, at: new Date(call.atMs) },
    ...{ skipped: target.skipped, verbatim: verbatim !== null, verbatimTree: verbatim, asOnDisk: target.asOnDisk },
    ...{ after: call.after, exact: image === null ? [...files.keys()] : null, own: [], shared: [] },
  };
}

async function verbatimTree({ git, repository }: Worktree, { id, verbatim }: Checkpoint): Promise<string | null> {
  if (!verbatim) return null;
  return (await gitOutput(git, ['rev-parse', '--verify', `${verbatimRef(id)}^{tree}`], { cwd: repository.root })).toString().trim();
}

export const callName = ({ tool, what }: LoggedCall): string => `Before ${tool}: ${what}`;

async function withFiles(
  { git, repository, state }: Worktree,
  base: string | null,
  files: ReadonlyMap<RawPath, { readonly mode: string; readonly oid: string } | null>,
): Promise<string> {
  if (files.size === 0 && base !== null) return base;
  const directory = await mkdtemp(join(state, 'rewind-'));
  const within = { cwd: repository.root, environment: { GIT_INDEX_FILE: join(directory, 'index') } };
  const none = '0'.repeat(repository.objectFormat === 'sha1' ? 40 : 64);
  const info = [...files].map(([path, entry]) => `${entry?.mode ?? '0'} ${entry?.oid ?? none}\t${path}\0`).join('');
  try {
    await gitOutput(git, base === null ? ['read-tree', '--empty'] : ['read-tree', base], within);
    await gitOutput(git, ['update-index', '-z', '--index-info'], { ...within, input: Buffer.from(info, 'latin1') });
    // The blobs of recipes need not be there: they are known by their ids.
    return (await gitOutput(git, ['write-tree', '--missing-ok'], within)).toString().trim();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
