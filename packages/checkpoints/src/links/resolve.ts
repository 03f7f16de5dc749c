import { gitOutput } from '@piton/git';
import type { Checkpoint } from '../checkpoint.ts';
import { findCheckpoint, listCheckpoints } from '../history/listing.ts';
import type { Worktree } from '../worktree.ts';
import { type CommitFiles, committedFiles } from './commit-work.ts';
import { idsIn } from './message.ts';
import { readReservations } from './reservation.ts';
import { ancestry, noteRewritten, parseRewritten, readRewritten } from './rewritten.ts';

export type LinkEvidence = 'trailer' | 'commit' | 'rewritten' | 'tree' | 'patch' | 'blobs';

export interface Link {
  readonly commit: string;
  /** Checkpoints of kind `commit`, the oldest first. */
  readonly ids: readonly string[];
  readonly evidence: LinkEvidence;
}

interface CommitFacts {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

async function readCommits({ git, repository }: Worktree, args: readonly string[]): Promise<CommitFacts[]> {
  const output = await gitOutput(git, ['log', '-z', '--format=%H%x01%T%x01%P%x01%B', ...args], { cwd: repository.root });
  const records = output.toString().split('\0').filter(Boolean);
  return records.map((record) => {
    const [commit = '', tree = '', parents = '', message = ''] = record.split('\x01');
    return { commit, tree, parents: parents.split(' ').filter(Boolean), message };
  });
}

/** Everything by which a commit may be known; made once, for one commit or for many. */
export interface LinkIndex {
  readonly byId: ReadonlyMap<string, Checkpoint>;
  readonly byCommit: ReadonlyMap<string, readonly string[]>;
  readonly linked: ReadonlyMap<string, CommitFacts>;
  readonly rewritten: Awaited<ReturnType<typeof readRewritten>>;
  readonly filesOf: (commit: string) => Promise<CommitFiles>;
  readonly patches: () => Promise<ReadonlyMap<string, string>>;
}

export async function linkIndex(worktree: Worktree): Promise<LinkIndex> {
  const all = await listCheckpoints(worktree.git, worktree.repository);
  const byCommit = new Map<string, string[]>();
  for (const { id, linked } of all) if (linked) byCommit.set(linked, [...(byCommit.get(linked) ?? []), id]);
  const linked = new Map<string, CommitFacts>();
  const commits = [...byCommit.keys()];
  for (const facts of commits.length > 0 ? await readCommits(worktree, ['--no-walk=unsorted', ...commits]) : [])
    linked.set(facts.commit, facts);
  let patches: Promise<Map<string, string>> | undefined;
  const files = new Map<string, Promise<CommitFiles>>();
  return {
    byId: new Map(all.map((checkpoint) => [checkpoint.id, checkpoint])),
    byCommit,
    linked,
    rewritten: await readRewritten(worktree),
    filesOf: (commit) => {
      const found = files.get(commit) ?? committedFiles(worktree, commit);
      files.set(commit, found);
      return found;
    },
    patches: () => {
      patches ??= patchIds(worktree, commits);
      return patches;
    },
  };
}

/** Commit → patch id. The checkpoints keep the commits they link to, however the user rewrites history. */
async function patchIds({ git, repository }: Worktree, commits: readonly string[]): Promise<Map<string, string>> {
  if (commits.length === 0) return new Map();
  const cwd = repository.root;
  const options = ['--no-color', '--no-ext-diff', '--no-textconv', '--full-index', '--format=commit %H', '-p'];
  const log = await gitOutput(git, ['log', '--no-walk=unsorted', ...options, ...commits], { cwd });
  const ids = (await gitOutput(git, ['patch-id', '--stable'], { cwd, input: log })).toString();
  const pairs = ids.split('\n').map((line) => line.split(' '));
  return new Map(pairs.flatMap(([patch, commit]) => (patch && commit ? [[commit, patch] as const] : [])));
}

/** The checkpoints of a commit, and the strongest evidence that there is; null where there is none. */
export async function resolveLink(worktree: Worktree, commit: string, index?: LinkIndex): Promise<Link | null> {
  const known = index ?? (await linkIndex(worktree));
  if (known.byCommit.size === 0) return null;
  const [facts] = await readCommits(worktree, ['-1', commit]);
  if (!facts) return null;
  const told = toldLink(facts, known);
  if (told) return told;
  const link = (ids: readonly string[], evidence: LinkEvidence) => linkOf(facts, ids, evidence);
  if (facts.parents.length > 1) return null;
  const sameTree = withSameTree(facts, known);
  if (sameTree.length > 0) return link(sameTree, 'tree');
  const patch = (await patchIds(worktree, [facts.commit])).get(facts.commit);
  const alike = [...(await known.patches())].filter(([, one]) => one === patch).map(([one]) => one);
  const samePatch = await notOnTop(worktree, facts.commit, alike);
  if (patch && samePatch.length > 0)
    return link(
      samePatch.flatMap((one) => known.byCommit.get(one) ?? []),
      'patch',
    );
  const sameBlobs = await withSameBlobs(worktree, facts, known);
  return sameBlobs.length > 0 ? link(sameBlobs, 'blobs') : null;
}

const linkOf = ({ commit }: CommitFacts, ids: readonly string[], evidence: LinkEvidence): Link => ({
  commit,
  ids: [...new Set(ids)].sort(),
  evidence,
});

/** What the commit or git itself says. The message of a `fixup` names one of its parts, and git all of them. */
function toldLink(facts: CommitFacts, { byId, byCommit, rewritten }: LinkIndex): Link | null {
  const named = idsIn(facts.message).filter((id) => byId.get(id)?.linked);
  const [own = [], ...earlier] = ancestry(rewritten, facts.commit).map((one) => byCommit.get(one) ?? []);
  const ids = [...named, ...own, ...earlier.flat()];
  return ids.length === 0 ? null : linkOf(facts, ids, named.length > 0 ? 'trailer' : own.length > 0 ? 'commit' : 'rewritten');
}

/**
 * After git has rewritten commits: notes it, and gives back the links of those that took the place of others, the oldest first.
 * `lines` is the standard input of `post-rewrite`. An amended commit was linked by `post-commit`, and one that is amended within a
 * rebase comes twice: what was known of a commit when it was noted is not given back again.
 */
export async function relinkRewritten(worktree: Worktree, lines: string): Promise<Link[]> {
  const pairs = parseRewritten(lines);
  if (pairs.length === 0) return [];
  const before = await linkIndex(worktree);
  await noteRewritten(worktree, lines);
  if (before.byCommit.size === 0) return [];
  const after = { ...before, rewritten: await readRewritten(worktree) };
  const commits = [...new Set(pairs.map(([, commit]) => commit))];
  const facts = new Map((await readCommits(worktree, ['--no-walk=unsorted', ...commits]).catch(() => [])).map((one) => [one.commit, one]));
  return commits.flatMap((commit) => {
    const one = facts.get(commit);
    const link = one && toldLink(one, after);
    if (!link) return [];
    const known = before.rewritten.has(commit) ? (toldLink(one, before)?.ids ?? []) : [];
    const ids = link.ids.filter((id) => !known.includes(id));
    return ids.length > 0 ? [{ ...link, ids }] : [];
  });
}

/** What was made on top of a commit is no part of it, and not what it was before a rewrite, however alike they are. */
async function notOnTop({ git, repository }: Worktree, commit: string, others: readonly string[]): Promise<string[]> {
  if (others.length === 0) return [];
  const onTop = await gitOutput(git, ['rev-list', '--ancestry-path', ...others, '--not', commit], { cwd: repository.root });
  const later = new Set(onTop.toString().split('\n'));
  return others.filter((one) => !later.has(one));
}

/** The same files on the same base: only message, author or date differ. */
function withSameTree(facts: CommitFacts, known: LinkIndex): string[] {
  const same = [...known.linked.values()].filter(({ tree, parents }) => tree === facts.tree && parents[0] === facts.parents[0]);
  return same.flatMap(({ commit }) => known.byCommit.get(commit) ?? []);
}

/**
 * A squash holds the last version of every file of what it squashed. Commits with a file in common are its parts, and so are
 * the linked ones before them that it does not have as ancestors.
 */
async function withSameBlobs(worktree: Worktree, facts: CommitFacts, known: LinkIndex): Promise<string[]> {
  const files = await committedFiles(worktree, facts.commit);
  const alike: string[] = [];
  for (const commit of known.linked.keys()) if (sharesFile(files, await known.filesOf(commit))) alike.push(commit);
  const parts = new Set(await notOnTop(worktree, facts.commit, alike));
  if (parts.size === 0) return [];
  const { git, repository } = worktree;
  const args = ['rev-list', ...parts, '--not', facts.commit];
  const before = (await gitOutput(git, args, { cwd: repository.root }))
    .toString()
    .split('\n')
    .filter((one) => known.byCommit.has(one));
  const wanted = new Set([...parts, ...before]);
  for (const commit of before) {
    const touched = [...(await known.filesOf(commit)).keys()];
    if (!parts.has(commit) && !touched.some((path) => files.has(path))) wanted.delete(commit);
  }
  return [...wanted].flatMap((commit) => known.byCommit.get(commit) ?? []);
}

function sharesFile(a: CommitFiles, b: CommitFiles): boolean {
  return [...a].some(([path, entry]) => entry !== null && b.get(path)?.oid === entry.oid);
}

export interface Repair {
  /** Links that only content tells of: they were not known before. */
  readonly found: readonly Link[];
  /** Checkpoints of commits that are on no branch any more, and that no other commit took the place of. */
  readonly lost: readonly string[];
  /** Commits that name a checkpoint which was never made: whoever was to make it died, or did not hear of the commit. */
  readonly unkept: readonly Pick<Link, 'commit' | 'ids'>[];
}

/** Looks at every commit of every branch, newest first, for links that a rewrite has cut. Nothing is written. */
export async function findLinks(worktree: Worktree, { limit = 2000 } = {}): Promise<Repair> {
  const index = await linkIndex(worktree);
  const reserved = new Set((await readReservations(worktree)).map(({ id }) => id));
  const commits = await readCommits(worktree, ['--branches', 'HEAD', '--no-merges', `--max-count=${limit}`]).catch(() => []);
  const found: Link[] = [];
  const unkept: Pick<Link, 'commit' | 'ids'>[] = [];
  const reached = new Set<string>();
  for (const { commit, message } of commits) {
    const missing = idsIn(message).filter((id) => reserved.has(id) && !index.byId.has(id));
    if (missing.length > 0) unkept.push({ commit, ids: missing });
    const link = await resolveLink(worktree, commit, index);
    for (const id of link?.ids ?? []) reached.add(id);
    if (link && ['tree', 'patch', 'blobs'].includes(link.evidence)) found.push(link);
  }
  const lost = [...index.byId.values()].filter(({ id, linked }) => linked && !reached.has(id)).map(({ id }) => id);
  return { found, lost, unkept };
}

/** From now on these links are known. */
export async function saveLinks(worktree: Worktree, found: readonly Link[]): Promise<void> {
  for (const { commit, ids } of found) {
    const checkpoints = await Promise.all(ids.map((id) => findCheckpoint(worktree.git, worktree.repository, id)));
    const lines = checkpoints.flatMap((one) => (one?.linked ? [`${one.linked} ${commit}`] : []));
    await noteRewritten(worktree, lines.join('\n'));
  }
}
