import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitOutput } from '@piton/git';
import { type Checkpoint, verbatimRef } from '../checkpoint.ts';
import { type Pack, pitonPacks, removePack, writePack } from '../snapshot/packs.ts';
import type { Worktree } from '../worktree.ts';
import type { Expired } from './expired.ts';
import { dropImages } from './old-images.ts';
import { objectsIn, unusedObjects } from './unused.ts';

export type Reclaimed =
  | { readonly result: 'reclaimed'; readonly checkpoints: number; readonly objects: number }
  /** The checkpoints are gone; their space is still taken. */
  | { readonly result: 'kept-space'; readonly checkpoints: number; readonly why: string };

/** Deletes checkpoints and images, and writes our packs anew without what only they needed. */
export async function deleteExpired(
  worktree: Worktree,
  { checkpoints, images }: Pick<Expired, 'checkpoints' | 'images'>,
): Promise<Reclaimed> {
  if (checkpoints.length + images.length === 0) return { result: 'reclaimed', checkpoints: 0, objects: 0 };
  const packs = await pitonPacks(worktree.repository);
  const stamps = await packStamps(worktree, packs);
  const commits = [...(await deleteRefs(worktree, checkpoints)), ...(await dropImages(worktree, images))];
  try {
    const outcome = await writeLean(worktree, packs, await unusedObjects(worktree, commits), stamps);
    if (typeof outcome === 'number') return { result: 'reclaimed', checkpoints: checkpoints.length, objects: outcome };
    return { result: 'kept-space', checkpoints: checkpoints.length, why: outcome };
  } catch (error) {
    return { result: 'kept-space', checkpoints: checkpoints.length, why: (error as Error).message };
  }
}

/** How many objects went, or why none did. */
export async function writeLean(
  worktree: Worktree,
  packs: readonly Pack[],
  unused: ReadonlySet<string>,
  stamps: ReadonlyMap<string, number | null>,
): Promise<number | string> {
  const lean: { pack: Pack; all: readonly string[] }[] = [];
  for (const pack of packs) {
    const all = await objectsIn(worktree, join(worktree.repository.packDir, `${pack.name}.idx`));
    if (all.some((oid) => unused.has(oid))) lean.push({ pack, all });
  }
  const every = lean.flatMap(({ all }) => all);
  const kept = [...new Set(every.filter((oid) => !unused.has(oid)))];
  const written = kept.length === 0 ? '' : await writePack(worktree, kept);
  if (written === null) return 'git could not write a pack';
  for (const { pack } of lean) {
    // Whoever adds a file that is in a pack already only touches the pack: what we took for unused may be in use since.
    if ((await stampOf(worktree, pack)) !== stamps.get(pack.name)) return 'another git process was running';
  }
  for (const { pack } of lean) if (pack.name !== written) await removePack(worktree.repository, pack);
  return new Set(every.filter((oid) => unused.has(oid))).size;
}

export async function packStamps(worktree: Worktree, packs: readonly Pack[]): Promise<ReadonlyMap<string, number | null>> {
  const stamps = new Map<string, number | null>();
  for (const pack of packs) stamps.set(pack.name, await stampOf(worktree, pack));
  return stamps;
}

const stampOf = async ({ repository }: Worktree, { name }: Pack): Promise<number | null> =>
  (await stat(join(repository.packDir, `${name}.pack`)).catch(() => null))?.mtimeMs ?? null;

/** Each only if it is still what it was; gives back what no ref names any more. */
async function deleteRefs({ git, repository }: Worktree, checkpoints: readonly Checkpoint[]): Promise<string[]> {
  const cwd = repository.root;
  const listed = await gitOutput(git, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/piton/verbatim/'], { cwd });
  const verbatim = new Map(
    listed
      .toString()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
  const refs = checkpoints.flatMap(({ id, ref, commit }): [string, string][] => {
    const also = verbatim.get(verbatimRef(id));
    return [[ref, commit], ...(also === undefined ? [] : [[verbatimRef(id), also] as [string, string]])];
  });
  const input = Buffer.from(refs.map(([ref, oid]) => `delete ${ref} ${oid}\n`).join(''));
  await gitOutput(git, ['update-ref', '--stdin'], { cwd, input });
  return refs.map(([, oid]) => oid);
}
