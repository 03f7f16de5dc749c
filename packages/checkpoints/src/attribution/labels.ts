import type { Checkpoint } from '../checkpoint.ts';
import { listCheckpoints } from '../history/listing.ts';
import { byPlace, isHere } from '../history/place.ts';
import { type Link, type LinkIndex, linkIndex, resolveLinks } from '../links/resolve.ts';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import { readStatus, type Status } from '../snapshot/status.ts';
import type { Worktree } from '../worktree.ts';
import { compareLines, patchesIn, withoutSpace } from './hunks.ts';
import type { BlameOptions } from './ignored-commits.ts';
import type { InTheWorks } from './in-the-works.ts';
import { matchLines } from './line-match.ts';
import { linesOf } from './lines.ts';
import { movedSince, movedUntil } from './moved.ts';
import { objectsOf } from './objects.ts';
import type { CheckpointSource } from './source.ts';
import { type Chain, stepsAlong } from './steps.ts';
import { type History, isDistinctive, joined, type Label, labelsFor, nextVersion } from './versions.ts';
import { FileWalk } from './walk/file-walk.ts';
import type { Work } from './work.ts';

export interface Context extends CheckpointSource {
  readonly index: LinkIndex;
  readonly all: readonly Checkpoint[];
  /** Those of each worktree. */
  readonly chains: readonly Chain[];
  /** Which one it is of all. */
  readonly rankOf: (label: Checkpoint) => number;
  /** Session → its agent. */
  readonly agents: ReadonlyMap<string, string>;
  readonly status: () => Promise<Status>;
  /** Whether anybody asked for it. */
  readonly hasStatus: () => boolean;
  /** commit, path → labels of that version's lines. */
  readonly labels: Map<string, Promise<readonly Label[]>>;
  /** commit → which checkpoints may have led to it. */
  readonly before: Map<string, Before>;
}

export async function createContext(worktree: Worktree, { ignoreSpace = false }: Pick<BlameOptions, 'ignoreSpace'> = {}): Promise<Context> {
  const all = await listCheckpoints(worktree.git, worktree.repository);
  let status: Promise<Status> | undefined;
  const readOnce = () => {
    status ??= readHead(worktree.git, worktree.repository).then(({ commit }) => readStatus(worktree, commit));
    return status;
  };
  const objects = objectsOf(worktree);
  const chains = [...byPlace(all).values()];
  const chainWith = new Map(chains.flatMap((chain) => chain.map(({ id }) => [id, chain] as const)));
  const steps = stepsAlong(worktree, objects, chains);
  const walks = new Map<string, FileWalk>();
  const source: CheckpointSource = {
    ...{ worktree, objects, steps, patches: patchesIn(worktree, { ignoreSpace }), ignoreSpace },
    walk: (chain, path) => {
      const key = `${chain[0]?.id} ${path}`;
      // Whoever asks about the first few of a chain is told by a walk along all of it.
      const found = walks.get(key) ?? new FileWalk(source, chainWith.get(chain[0]?.id ?? '') ?? chain, path);
      walks.set(key, found);
      return found;
    },
  };
  const ranks = new Map(all.map(({ id }, at) => [id, at]));
  const agents = new Map(all.flatMap(({ session, agent }) => (session !== null && agent !== null ? [[session, agent] as const] : [])));
  const known = {
    chains,
    rankOf: ({ id }: Checkpoint) => ranks.get(id) ?? -1,
    agents,
    labels: new Map(),
    before: new Map(),
  };
  return { ...source, index: await linkIndex(worktree, all), all, status: readOnce, hasStatus: () => status !== undefined, ...known };
}

/** Lines that are in no commit yet: the checkpoints of this worktree, and the file as it is now. */
export async function labelsOfWork(context: Context, { path, oid, ...work }: Work, works: InTheWorks): Promise<readonly Label[]> {
  const lines = comparable(context, work.lines);
  const { worktree, all, chains, status } = context;
  const chain = chains.findLast((each) => each.some((one) => isHere(one, worktree.repository))) ?? [];
  let history = await historyOf(context, chain, path);
  const last = chain.at(-1);
  if (last && lines.join('\n') !== history.last.lines.join('\n')) {
    const from = await movedSince(context, last, status, { path, oid, lines, before: history.last.lines });
    if (from !== null) history = joined(history, await historyOf(context, chain, from));
  }
  const since = matchLines(history.last.lines, lines).map((from) => (from < 0 ? 1 : 0));
  const seen = works.seen && (await read(context, works.seen.oid));
  if (works.seen && seen)
    history = { ...history, last: nextVersion(history, null, compareLines(history.last.lines, seen), works.seen.label) };
  const labels = labelsFor(history, lines, works.seen ? null : oid, works.since);
  const [first] = chain;
  // Who brings a line here, out of a stash or another branch, has not written it; it must have been there before it was here.
  const latest = labels.map((label, at) => (label ? context.rankOf(label) : since[at] || !first ? all.length : context.rankOf(first)));
  return withOthers(
    context,
    { labels, names: history.names },
    lines,
    latest,
    chains.filter((each) => each !== chain),
  );
}

/** The labels of a file's lines; those of people, and of nobody, may be known better in the stories of other working trees. */
async function withOthers(
  context: Context,
  { labels: own, names }: { readonly labels: readonly Label[]; readonly names: ReadonlySet<RawPath> },
  lines: readonly string[],
  latest: readonly number[],
  others: Iterable<readonly Checkpoint[]>,
): Promise<readonly Label[]> {
  const labels = [...own];
  for (const chain of others) {
    for (const name of names) {
      const theirs = labelsFor(await historyOf(context, chain, name), lines);
      for (const [at, label] of fromElsewhere(theirs, lines).entries()) {
        const mayBe = label !== null && label.by !== 'human' && context.rankOf(label) < (latest[at] ?? 0) && isDistinctive(lines[at] ?? '');
        const [mine, found] = [own[at], labels[at]];
        if (mayBe && (mine ?? HUMAN).by === 'human' && (found === mine || !found || context.rankOf(label) < context.rankOf(found)))
          labels[at] = label;
      }
    }
  }
  return labels;
}

const HUMAN = { by: 'human' } as const;

/** As for `git blame -M`. */
const LEAST_LETTERS = 20;

/** Lines that an agent wrote in another working tree are known here by what they say together: anybody may write `return null;`. */
function fromElsewhere(labels: readonly Label[], lines: readonly string[]): readonly Label[] {
  const kept = [...labels];
  const isAgents = (at: number): boolean => (labels[at] ?? HUMAN).by !== 'human';
  for (let from = 0, to = 0; from < labels.length; from = to + 1) {
    for (to = from; to < labels.length && isAgents(to); ) to++;
    const text = lines.slice(from, to).join('');
    if (text.replace(/[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/g, '').length < LEAST_LETTERS) kept.fill(null, from, to);
  }
  return kept;
}

/** The authors of a commit's version of a file, by the checkpoints that led to it; people's where none did. */
export function labelsIn(context: Context, commit: string, path: RawPath): Promise<readonly Label[]> {
  const key = `${commit} ${path}`;
  const found = context.labels.get(key) ?? labelsOfCommit(context, commit, path);
  context.labels.set(key, found);
  return found;
}

async function labelsOfCommit(context: Context, commit: string, path: RawPath): Promise<readonly Label[]> {
  const { objects } = context;
  const { chains, home } = await leadingTo(context, commit);
  const [oid = null] = chains.length === 0 ? [] : await objects.ids([[commit, path]]);
  if (oid === null) return [];
  const histories = await Promise.all(chains.map((chain) => historyOf(context, chain, path)));
  const lines = histories.map((history) => history.version(oid)?.lines).find((known) => known !== undefined) ?? (await read(context, oid));
  if (lines === null) return [];
  // Each worktree is a story of its own; a line that an agent wrote in any of them is an agent's, whoever checked it out in another.
  const found: Label[] = lines.map(() => null);
  const stories: (readonly [Chain, History])[] = [];
  for (const [which, own] of chains.entries()) {
    let history = histories[which] ?? (await historyOf(context, own, path));
    const last = own.at(-1);
    // Nobody may have looked between the move and the commit.
    const isKnown = history.version(oid) !== undefined;
    const from = last && !isKnown && (await movedUntil(context, last, commit, { path, oid, lines, before: history.last.lines }));
    if (from) history = joined(history, await historyOf(context, own, from));
    stories.push([own, history]);
    const theirs = labelsFor(history, lines, oid);
    const labels = home === undefined || home === last?.worktree ? theirs : fromElsewhere(theirs, lines);
    for (const [at, label] of labels.entries()) if (label && weight(label) > weight(found[at])) found[at] = label;
  }
  // It may have been moved in one of them, with lines that were written in another, under the name that it had before.
  const names = new Set(stories.flatMap(([, history]) => [...history.names]));
  for (const [own, { names: known }] of stories) {
    for (const name of [...names].filter((one) => !known.has(one))) {
      const labels = labelsFor(await historyOf(context, own, name), lines);
      for (const [at, label] of labels.entries())
        if (label && isDistinctive(lines[at] ?? '') && weight(label) > weight(found[at])) found[at] = label;
    }
  }
  return found;
}

async function read(context: Context, oid: string): Promise<readonly string[] | null> {
  const [bytes] = await context.objects.read([oid]);
  return bytes ? comparable(context, linesOf(bytes)) : null;
}

const comparable = ({ ignoreSpace }: CheckpointSource, lines: readonly string[]): readonly string[] =>
  ignoreSpace ? lines.map(withoutSpace) : lines;

/** What is known of a file after the first checkpoints of a worktree. */
const historyOf = (context: CheckpointSource, chain: Chain, path: RawPath): Promise<History> => context.walk(chain, path).at(chain.length);

const weight = (label: Label | undefined): number => (label ? ['human', 'shared', 'agent'].indexOf(label.by) : -1);

/** The checkpoints that may have led to a commit, by worktree. */
interface Before {
  readonly chains: readonly Chain[];
  /** The worktree in which it was made, if that is known. */
  readonly home: string | undefined;
}

export async function leadingTo(context: Context, commit: string): Promise<Before> {
  await leadingToAll(context, [commit]);
  return context.before.get(commit) ?? { chains: [], home: undefined };
}

/** However many commits these are, git is asked about all of them together. */
export async function leadingToAll(context: Context, commits: readonly string[]): Promise<void> {
  const { worktree, objects, index, before } = context;
  const unknown = [...new Set(commits)].filter((commit) => !before.has(commit));
  if (unknown.length === 0) return;
  const links = await resolveLinks(worktree, unknown, index);
  const times = await objects.times(unknown);
  for (const [at, commit] of unknown.entries())
    before.set(commit, chainsBefore(context, links.get(commit) ?? null, times[at] ?? Number.NaN));
}

/** Up to the one that it links to, or the last before it was made. */
function chainsBefore({ index, all, rankOf }: Context, link: Link | null, time: number): Before {
  const linked = link?.ids
    .flatMap((id) => index.byId.get(id) ?? [])
    .sort((a, b) => rankOf(a) - rankOf(b))
    .at(-1);
  const last = linked ? rankOf(linked) : -1;
  const isBefore = (one: Checkpoint): boolean => rankOf(one) <= last || one.at.getTime() <= (time + 1) * 1000;
  const chains = [...byPlace(all).values()].map((chain) => chain.slice(0, chain.findLastIndex(isBefore) + 1));
  return { chains: chains.filter((chain) => chain.length > 0), home: linked?.worktree };
}
