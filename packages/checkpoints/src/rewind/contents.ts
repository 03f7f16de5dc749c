import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gitOutput } from '@piton/git';
import { blobSizes, blobsOf } from '../attribution/lines.ts';
import { nulList, onDisk, type RawPath } from '../raw-path.ts';
import { readAttributes } from '../snapshot/conversion/attributes.ts';
import { parsePointer, readContent } from '../snapshot/conversion/lfs.ts';
import { withCarriageReturns } from '../snapshot/conversion/recipe.ts';
import type { Worktree } from '../worktree.ts';
import { canComeBack, isDisplaced } from './displaced.ts';
import type { Step } from './rewind-plan.ts';

/** A file that a checkpoint has, and that cannot be given back. */
export interface Unavailable {
  readonly path: RawPath;
  readonly why: string;
}

/** The bytes, or why there are none. */
export type Content = Buffer | { readonly why: string };

const NO_LFS_CONTENT = 'its content is not in this clone: run git lfs fetch, then rewind again';
const NO_BLOB = 'its content is missing in the repository';

/** Before anything is changed: which of these files can be written, and from what, and which cannot. */
export async function checkContents(
  worktree: Worktree,
  all: readonly Step[],
): Promise<{ readonly steps: Step[]; readonly unavailable: Unavailable[] }> {
  const { git, repository } = worktree;
  const { steps: known, unavailable } = await resolveFilters(worktree, all);
  const problems = new Map(unavailable.map(({ path, why }) => [path, why]));
  const fromGit = known.filter(({ source, from }) => source && from === undefined);
  const sizes = await blobSizes(
    git,
    repository.root,
    fromGit.map(({ source }) => source?.oid ?? ''),
  );
  for (const [at, { path, source }] of fromGit.entries()) {
    if (source?.kind === 'unknown') problems.set(path, 'a later version of Piton saved it');
    else if (sizes[at] === null) problems.set(path, NO_BLOB);
  }
  const tried = known.filter(({ source, path }) => !problems.has(path) && (source?.kind === 'lfs' || source?.kind === 'checkout'));
  for await (const [{ path }, content] of readContents(worktree, tried)) if (!Buffer.isBuffer(content)) problems.set(path, content.why);
  for (const { path, from } of known) {
    if (from === undefined) continue;
    if (!(await isDisplaced(worktree, from))) problems.set(path, 'the saved file is gone');
    else if (!(await canComeBack(worktree, from, path))) problems.set(path, 'it cannot be copied, and was saved on another disk');
  }
  return {
    steps: known.filter(({ path }) => !problems.has(path)),
    unavailable: [...problems].map(([path, why]) => ({ path, why })),
  };
}

/** Checkpoints of older versions rely on today's attributes: a file may be under Git LFS, or under a filter that is not run. */
async function resolveFilters({ git, repository, state }: Worktree, all: readonly Step[]) {
  const { smudging, lfs } = repository.settings.filters;
  const asked = smudging.size === 0 ? [] : all.filter(({ source }) => source?.kind === 'checkout');
  const paths = asked.map(({ path }) => path);
  const attributes = await readAttributes(git, repository, join(state, 'none'), paths);
  const unavailable: Unavailable[] = [];
  const steps: Step[] = [];
  for (const step of all) {
    const filter = step.source?.kind === 'checkout' ? attributes.get(step.path)?.filter : undefined;
    if (!step.source || filter === undefined || !smudging.has(filter)) steps.push(step);
    else if (lfs.has(filter)) steps.push({ ...step, source: { ...step.source, kind: 'lfs' } });
    else unavailable.push({ path: step.path, why: `written by the filter ${filter}, which Piton does not run: use git checkout` });
  }
  return { steps, unavailable };
}

const BATCH_BYTES = 16 * 1024 * 1024;

/** The content of each file, a part of them at a time: all of a working tree need not fit into memory. */
export async function* readContents(worktree: Worktree, steps: readonly Step[]): AsyncGenerator<readonly [Step, Content]> {
  const { git, repository } = worktree;
  const plain = steps.filter(({ source }) => source && source.kind !== 'checkout');
  const oids = plain.map(({ source }) => source?.oid ?? '');
  const sizes = await blobSizes(git, repository.root, oids);
  for (let first = 0; first < plain.length; ) {
    let [end, bytes] = [first, 0];
    do bytes += sizes[end++] ?? 0;
    while (end < plain.length && bytes + (sizes[end] ?? 0) <= BATCH_BYTES);
    const blobs = await blobsOf(git, repository.root, oids.slice(first, end));
    for (const [at, step] of plain.slice(first, end).entries()) yield [step, await contentOf(worktree, step, blobs[at] ?? null)];
    first = end;
  }
  yield* checkedOut(
    worktree,
    steps.filter(({ source }) => source?.kind === 'checkout'),
  );
}

async function contentOf({ repository }: Worktree, { source }: Step, blob: Buffer | null): Promise<Content> {
  if (!blob) return { why: NO_BLOB };
  if (source?.kind === 'crlf') return withCarriageReturns(blob);
  // What was committed before somebody tracked it with LFS is written as it is, and so is a file of nothing.
  const pointer = source?.kind === 'lfs' ? parsePointer(blob) : null;
  return pointer ? ((await readContent(repository, pointer)) ?? { why: NO_LFS_CONTENT }) : blob;
}

/** What git makes of them, in a directory of ours. */
async function* checkedOut(worktree: Worktree, steps: readonly Step[]): AsyncGenerator<readonly [Step, Content]> {
  if (steps.length === 0) return;
  const { git, repository, state } = worktree;
  const directory = await mkdtemp(join(state, 'rewind-'));
  try {
    const environment = { GIT_INDEX_FILE: join(directory, 'index') };
    const info = steps.map(({ path, entry }) => `${entry?.mode} ${entry?.oid}\t${path}\0`).join('');
    await gitOutput(git, ['update-index', '-z', '--index-info'], {
      ...{ cwd: repository.root, environment, input: Buffer.from(info, 'latin1') },
    });
    const refused = await checkOut(worktree, directory, environment, steps);
    for (const step of steps) {
      const why = refused.get(step.path);
      const bytes = why === undefined ? await readFile(onDisk(join(directory, 'files'), step.path)).catch(() => null) : null;
      yield [step, bytes ?? { why: why || 'git did not write it' }];
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Gives back what git refused, and why. It stops at the first file that it cannot convert: the others are asked for again. */
async function checkOut(
  worktree: Worktree,
  directory: string,
  environment: Record<string, string>,
  steps: readonly Pick<Step, 'path'>[],
): Promise<Map<RawPath, string>> {
  const input = nulList(steps.map(({ path }) => path));
  const args = ['checkout-index', '--force', '--quiet', `--prefix=${directory}/files/`, '-z', '--stdin'];
  const { code, stderr } = await worktree.git(args, { cwd: worktree.repository.root, environment, input });
  if (code === 0) return new Map();
  const [only, ...more] = steps;
  if (only && more.length === 0) return new Map([[only.path, stderr.trim()]]);
  const half = Math.ceil(steps.length / 2);
  const first = await checkOut(worktree, directory, environment, steps.slice(0, half));
  return new Map([...first, ...(await checkOut(worktree, directory, environment, steps.slice(half)))]);
}
