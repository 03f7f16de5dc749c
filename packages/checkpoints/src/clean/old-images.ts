import { rm } from 'node:fs/promises';
import { isUlid, ulidTime } from '@piton/contracts';
import { gitOutput } from '@piton/git';
import { forgetCalls, readCalls } from '../images/call-log.ts';
import { type Holder, imageFile, readHolder, writeHolder } from '../images/image-state.ts';
import { IMAGES_MESSAGE } from '../images/write-image.ts';
import { openTurns } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';
import { everyWorktree, type Kept } from './worktrees.ts';

/** What the ref of a working tree holds of calls that are long past. */
export interface OldImages {
  readonly ref: string;
  /** What the ref names now. */
  readonly commit: string;
  /** The images that stay; null: none does. */
  readonly left: string | null;
  /** How many go. */
  readonly count: number;
  /** Whose they are; null: the working tree is gone. */
  readonly owner: (Kept & { readonly images: Holder['images']; readonly before: number }) | null;
}

/** The images of calls before a time, in every working tree. What later calls and open turns would be taken back with stays. */
export async function oldImages(worktree: Worktree, before: Date): Promise<OldImages[]> {
  const { git, repository } = worktree;
  const cwd = repository.root;
  const listed = await gitOutput(git, ['for-each-ref', '--format=%(refname) %(objectname) %(tree)', 'refs/piton/images/'], { cwd });
  const owners = await everyWorktree(worktree);
  const found: OldImages[] = [];
  for (const line of listed.toString().split('\n').filter(Boolean)) {
    const [ref = '', commit = '', tree = ''] = line.split(' ');
    const owner = owners.find((each) => readHolder(each)?.tree === tree);
    const holder = owner && readHolder(owner);
    if (!holder) found.push({ ref, commit, left: null, count: 0, owner: null });
    else {
      const limit = await oldestNeeded(owner, before.getTime());
      const images = holder.images.filter(([, name]) => ulidTime(name) >= limit);
      const count = holder.images.length - images.length;
      if (count === 0) continue;
      const left = images.length === 0 ? null : await treeWith(worktree, tree, images);
      found.push({ ref, commit, left, count, owner: { ...owner, images, before: limit } });
    }
  }
  return found;
}

/**
 * A look that finds nothing new names the image before it, and that was made after the checkpoint which was the last one then. So what a
 * call needs is no older than that.
 */
async function oldestNeeded(owner: Kept, before: number): Promise<number> {
  const open = new Set((await openTurns(owner)).map(({ turn }) => turn));
  const needed = readCalls(owner).filter(({ atMs, turn }) => atMs >= before || open.has(turn));
  return Math.min(before, ...needed.map(({ after, atMs }) => (after !== null && isUlid(after) ? Math.min(atMs, ulidTime(after)) : 0)));
}

/** The tree of images with none but these. Objects that nothing names do no harm. */
async function treeWith({ git, repository }: Worktree, tree: string, images: Holder['images']): Promise<string> {
  const cwd = repository.root;
  const staying = new Set(images.map(([, name]) => name));
  const turns: string[] = [];
  const entries = async (oid: string) => (await gitOutput(git, ['ls-tree', oid], { cwd })).toString().split('\n').filter(Boolean);
  const make = async (lines: readonly string[]) =>
    (await gitOutput(git, ['mktree'], { cwd, input: Buffer.from(lines.map((line) => `${line}\n`).join('')) })).toString().trim();
  for (const entry of await entries(tree)) {
    const [, oid = '', turn = ''] = /^040000 tree ([0-9a-f]+)\t(.*)$/.exec(entry) ?? [];
    if (oid === '') continue;
    const all = await entries(oid);
    const kept = all.filter((line) => staying.has(line.slice(line.indexOf('\t') + 1)));
    if (kept.length > 0) turns.push(`040000 tree ${kept.length === all.length ? oid : await make(kept)}\t${turn}`);
  }
  return make(turns);
}

const IDENTITY = {
  ...{ GIT_AUTHOR_NAME: 'Piton', GIT_AUTHOR_EMAIL: 'piton@localhost' },
  ...{ GIT_COMMITTER_NAME: 'Piton', GIT_COMMITTER_EMAIL: 'piton@localhost' },
};

/** Each only if its ref is still what it was. Gives back what no ref names any more. */
export async function dropImages({ git, repository }: Worktree, images: readonly OldImages[]): Promise<string[]> {
  const cwd = repository.root;
  for (const { ref, commit, left, owner } of images) {
    const next =
      left && (await gitOutput(git, ['commit-tree', left, '-m', IMAGES_MESSAGE], { cwd, environment: IDENTITY })).toString().trim();
    await gitOutput(git, next ? ['update-ref', ref, next, commit] : ['update-ref', '-d', ref, commit], { cwd });
    if (owner === null) continue;
    await writeHolder(owner, { tree: left ?? '', images: owner.images });
    // It may name an image that has gone: the next look reads everything again.
    await rm(imageFile(owner), { force: true });
    forgetCalls(owner, owner.before);
  }
  return images.map(({ commit }) => commit);
}
