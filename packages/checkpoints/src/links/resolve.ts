import { gitOutput } from '@piton/git';
import type { Checkpoint } from '../checkpoint.ts';
import { findCheckpoint, listCheckpoints } from '../history/listing.ts';
import type { RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { type CommitFiles, filesOfAll } from './commit-work.ts';
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
  /** When it was committed. */
  readonly atMs: number;
  readonly message: string;
}

async function readCommits({ git, repository }: Worktree, args: readonly string[], input?: Buffer): Promise<CommitFacts[]> {
  const format = ['log', '-z', '--no-show-signature', '--format=%H%x01%T%x01%P%x01%ct%x01%B'];
  const output = await gitOutput(git, [...format, ...args], { cwd: repository.root, ...(input && { input }) });
  const records = output.toString().split('\0').filter(Boolean);
  return records.map((record) => {
    const [commit = '', tree = '', parents = '', seconds = '', ...message] = record.split('\x01');
    return { commit, tree, parents: parents.split(' ').filter(Boolean), atMs: Number(seconds) * 1000, message: message.join('\x01') };
  });
}

const THESE = ['--no-walk=unsorted', '--ignore-missing', '--stdin'];

/** Those that are still there, in one process: a branch may have been deleted, and git may have taken its commits away. */
const readKnown = async (worktree: Worktree, commits: readonly string[]): Promise<CommitFacts[]> =>
  commits.length === 0 ? [] : readCommits(worktree, THESE, Buffer.from(`${commits.join('\n')}\n`));

/** Everything by which a commit may be known; made once, for one commit or for many. */
export interface LinkIndex {
  readonly byId: ReadonlyMap<string, Checkpoint>;
  readonly byCommit: ReadonlyMap<string, readonly string[]>;
  readonly linked: ReadonlyMap<string, CommitFacts>;
  readonly rewritten: Awaited<ReturnType<typeof readRewritten>>;
  /** What each linked commit changed. */
  readonly files: () => Promise<ReadonlyMap<string, CommitFiles>>;
  readonly patches: () => Promise<ReadonlyMap<string, string>>;
}

export async function linkIndex(worktree: Worktree, known?: readonly Checkpoint[]): Promise<LinkIndex> {
  const all = known ?? (await listCheckpoints(worktree.git, worktree.repository));
  const byCommit = new Map<string, string[]>();
  for (const { id, linked } of all) if (linked) byCommit.set(linked, [...(byCommit.get(linked) ?? []), id]);
  const linked = new Map<string, CommitFacts>();
  for (const facts of await readKnown(worktree, [...byCommit.keys()])) linked.set(facts.commit, facts);
  let patches: Promise<Map<string, string>> | undefined;
  let files: Promise<ReadonlyMap<string, CommitFiles>> | undefined;
  return {
    byId: new Map(all.map((checkpoint) => [checkpoint.id, checkpoint])),
    byCommit,
    linked,
    rewritten: await readRewritten(worktree),
    files: () => {
      files ??= filesOfAll(worktree, [...linked.keys()]);
      return files;
    },
    patches: () => {
      patches ??= patchIds(worktree, [...linked.keys()]);
      return patches;
    },
  };
}

/** Commit → patch id. The checkpoints keep the commits they link to, however the user rewrites history. */
async function patchIds({ git, repository }: Worktree, commits: readonly string[]): Promise<Map<string, string>> {
  if (commits.length === 0) return new Map();
  const cwd = repository.root;
  const options = ['--no-color', '--no-ext-diff', '--no-textconv', '--full-index', '--format=commit %H', '-p'];
  const input = Buffer.from(`${commits.join('\n')}\n`);
  const log = await gitOutput(git, ['log', ...THESE, '--no-show-signature', ...options], { cwd, input });
  const ids = (await gitOutput(git, ['patch-id', '--stable'], { cwd, input: log })).toString();
  const pairs = ids.split('\n').map((line) => line.split(' '));
  return new Map(pairs.flatMap(([patch, commit]) => (patch && commit ? [[commit, patch] as const] : [])));
}

/** The checkpoints of a commit, and the strongest evidence that there is; null where there is none. */
export async function resolveLink(worktree: Worktree, commit: string, index?: LinkIndex): Promise<Link | null> {
  const known = index ?? (await linkIndex(worktree));
  if (known.byCommit.size === 0) return null;
  const [facts] = await readCommits(worktree, ['-1', commit]);
  return facts ? ((await resolveAll(worktree, [facts], known)).get(facts.commit) ?? null) : null;
}

/** The same of many, named by their full ids. */
export async function resolveLinks(worktree: Worktree, commits: readonly string[], known: LinkIndex): Promise<ReadonlyMap<string, Link>> {
  return known.byCommit.size === 0 ? new Map() : resolveAll(worktree, await readKnown(worktree, commits), known);
}

/** What was committed so long before the first checkpoint has nothing of any: most of a long history need not be compared. */
const DAY_MS = 24 * 3_600_000;

async function resolveAll(worktree: Worktree, all: readonly CommitFacts[], known: LinkIndex): Promise<ReadonlyMap<string, Link>> {
  const found = new Map<string, Link>();
  const unknown: CommitFacts[] = [];
  const first = [...known.byId.values()].reduce((least, { at }) => Math.min(least, at.getTime()), Number.POSITIVE_INFINITY);
  for (const facts of all) {
    const link = reportedLink(facts, known) ?? (facts.parents.length > 1 ? null : treeLink(facts, known));
    if (link) found.set(facts.commit, link);
    else if (facts.parents.length <= 1 && facts.atMs > first - DAY_MS) unknown.push(facts);
  }
  if (unknown.length === 0) return found;
  const ids = unknown.map(({ commit }) => commit);
  const [own, theirs] = [await patchIds(worktree, ids), await known.patches()];
  const [files, linked] = [await filesOfAll(worktree, ids), await known.files()];
  const byPatch = new Map<string, string[]>();
  for (const [commit, patch] of theirs) byPatch.set(patch, [...(byPatch.get(patch) ?? []), commit]);
  for (const facts of unknown) {
    const alike = byPatch.get(own.get(facts.commit) ?? '') ?? [];
    const same = await notOnTop(worktree, facts.commit, alike);
    const patch = same.flatMap((one) => known.byCommit.get(one) ?? []);
    const blobs = patch.length > 0 ? [] : await withSameBlobs(worktree, facts, files.get(facts.commit) ?? new Map(), linked, known);
    const [link, evidence] = patch.length > 0 ? ([patch, 'patch'] as const) : ([blobs, 'blobs'] as const);
    if (link.length > 0) found.set(facts.commit, linkOf(facts, link, evidence, known));
  }
  return found;
}

function linkOf({ commit }: CommitFacts, ids: readonly string[], evidence: LinkEvidence, { byId }: LinkIndex): Link {
  const atOf = (id: string): number => byId.get(id)?.at.getTime() ?? 0;
  const inOrder = [...new Set(ids)].sort((a, b) => atOf(a) - atOf(b) || (a < b ? -1 : 1));
  return { commit, ids: inOrder, evidence };
}

/** What the commit or git itself says. The message of a `fixup` names one of its parts, and git all of them. */
function reportedLink(facts: CommitFacts, known: LinkIndex): Link | null {
  const { byId, byCommit, rewritten } = known;
  const named = idsIn(facts.message).filter((id) => byId.get(id)?.linked);
  const [own = [], ...earlier] = ancestry(rewritten, facts.commit).map((one) => byCommit.get(one) ?? []);
  const ids = [...named, ...own, ...earlier.flat()];
  return ids.length === 0 ? null : linkOf(facts, ids, named.length > 0 ? 'trailer' : own.length > 0 ? 'commit' : 'rewritten', known);
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
  const facts = new Map((await readKnown(worktree, commits).catch(() => [])).map((one) => [one.commit, one]));
  return commits.flatMap((commit) => {
    const one = facts.get(commit);
    const link = one && reportedLink(one, after);
    if (!link) return [];
    const known = before.rewritten.has(commit) ? (reportedLink(one, before)?.ids ?? []) : [];
    const ids = link.ids.filter((id) => !known.includes(id));
    return ids.length > 0 ? [{ ...link, ids }] : [];
  });
}

/** What was made on top of a commit is no part of it, and not what it was before a rewrite, however alike they are. */
async function notOnTop(
  { git, repository }: Pick<Worktree, 'git' | 'repository'>,
  commit: string,
  others: readonly string[],
): Promise<string[]> {
  if (others.length === 0) return [];
  const onTop = await gitOutput(git, ['rev-list', '--ancestry-path', ...others, '--not', commit], { cwd: repository.root });
  const later = new Set(onTop.toString().split('\n'));
  return others.filter((one) => !later.has(one));
}

/** The same files on the same base: only message, author or date differ. */
function treeLink(facts: CommitFacts, known: LinkIndex): Link | null {
  const same = [...known.linked.values()].filter(({ tree, parents }) => tree === facts.tree && parents[0] === facts.parents[0]);
  const ids = same.flatMap(({ commit }) => known.byCommit.get(commit) ?? []);
  return ids.length > 0 ? linkOf(facts, ids, 'tree', known) : null;
}

/**
 * A squash holds the last version of every file of what it squashed. Commits with a file in common are its parts, and so are
 * the linked ones before them that it does not have as ancestors.
 */
async function withSameBlobs(
  { git, repository }: Worktree,
  { commit: squash }: CommitFacts,
  files: CommitFiles,
  linked: ReadonlyMap<string, CommitFiles>,
  known: LinkIndex,
): Promise<string[]> {
  const alike = [...linked].filter(([, theirs]) => sharesFile(files, theirs)).map(([commit]) => commit);
  const parts = new Set(await notOnTop({ git, repository }, squash, alike));
  if (parts.size === 0) return [];
  const args = ['rev-list', ...parts, '--not', squash];
  const listed = (await gitOutput(git, args, { cwd: repository.root })).toString().split('\n');
  const before = listed.filter((one) => known.byCommit.has(one));
  const wanted = new Set([...parts, ...before]);
  for (const commit of before) {
    const touched = [...(linked.get(commit) ?? new Map<RawPath, null>()).keys()];
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
  const links = index.byCommit.size === 0 ? new Map<string, Link>() : await resolveAll(worktree, commits, index);
  for (const { commit, message } of commits) {
    const missing = idsIn(message).filter((id) => reserved.has(id) && !index.byId.has(id));
    if (missing.length > 0) unkept.push({ commit, ids: missing });
    const link = links.get(commit);
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
