import { gitOutput } from '@piton/git';
import type { Checkpoint } from '../checkpoint.ts';
import { idsIn } from '../links/message.ts';
import { findLinks } from '../links/resolve.ts';
import { ancestry, readRewritten } from '../links/rewritten.ts';
import type { Worktree } from '../worktree.ts';
import { everyWorktree } from './worktrees.ts';

const NOT_OURS = ['--exclude=refs/piton/*', '--all'];

/** Checkpoints whose commit is still in the user's history, as it was made or in another form. */
export async function linkedToHistory(worktree: Worktree, all: readonly Checkpoint[]): Promise<ReadonlySet<string>> {
  const linked = all.filter((checkpoint): checkpoint is Checkpoint & { linked: string } => checkpoint.linked !== null);
  const gone = await unreachable(
    worktree,
    linked.map((each) => each.linked),
  );
  const kept = new Set(linked.filter((each) => !gone.has(each.linked)).map(({ id }) => id));
  if (kept.size === linked.length) return kept;
  for (const id of await namedInHistory(worktree)) kept.add(id);
  const after = await successors(worktree);
  const lost = linked.filter(({ id, linked: commit }) => !kept.has(id) && !after.has(commit));
  for (const { id, linked: commit } of linked) if (after.has(commit)) kept.add(id);
  if (lost.length === 0) return kept;
  // A squash without a word: only its content tells.
  const really = new Set((await findLinks(worktree)).lost);
  for (const { id } of lost) if (!really.has(id)) kept.add(id);
  return kept;
}

/** Of these commits, those that no branch, tag, remote, stash or reflog leads to; one that is missing is one too. */
async function unreachable({ git, repository }: Worktree, commits: readonly string[]): Promise<ReadonlySet<string>> {
  const cwd = repository.root;
  const asked = Buffer.from(commits.map((commit) => `${commit}\n`).join(''));
  const types = await gitOutput(git, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { cwd, input: asked });
  const there = types
    .toString()
    .split('\n')
    .flatMap((line) => /^([0-9a-f]+) commit$/.exec(line)?.[1] ?? []);
  const missing = commits.filter((commit) => !there.includes(commit));
  if (there.length === 0) return new Set(missing);
  const listed = await gitOutput(git, ['rev-list', ...there, '--not', ...NOT_OURS, '--reflog'], { cwd });
  const wanted = new Set(there);
  return new Set([
    ...missing,
    ...listed
      .toString()
      .split('\n')
      .filter((commit) => wanted.has(commit)),
  ]);
}

async function namedInHistory({ git, repository }: Worktree): Promise<string[]> {
  const args = ['log', ...NOT_OURS, '--regexp-ignore-case', '--grep=Piton-Checkpoint:', '--format=%B'];
  return idsIn((await gitOutput(git, args, { cwd: repository.root })).toString());
}

/** Commits that others took the place of, which are in the history. */
async function successors(worktree: Worktree): Promise<ReadonlySet<string>> {
  const told = await Promise.all((await everyWorktree(worktree)).map(readRewritten));
  const rewritten = new Map<string, readonly string[]>();
  for (const [after, before] of told.flatMap((each) => [...each])) rewritten.set(after, [...(rewritten.get(after) ?? []), ...before]);
  const newest = [...rewritten.keys()];
  const gone = await unreachable(worktree, newest);
  return new Set(newest.filter((commit) => !gone.has(commit)).flatMap((commit) => ancestry(rewritten, commit)));
}
