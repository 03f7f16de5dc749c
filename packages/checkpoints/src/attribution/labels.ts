import { ulid } from '@piton/contracts';
import type { Checkpoint } from '../checkpoint.ts';
import { listCheckpoints } from '../history/listing.ts';
import { type LinkIndex, linkIndex, resolveLink } from '../links/resolve.ts';
import type { RawPath } from '../raw-path.ts';
import { readStatus, type Status } from '../snapshot/status.ts';
import type { Worktree } from '../worktree.ts';
import { matchLines } from './line-match.ts';
import { linesOf } from './lines.ts';
import { movedSince, movedUntil } from './moved.ts';
import { objectsOf } from './objects.ts';
import type { CheckpointSource } from './source.ts';
import { type Chain, stepsAlong } from './steps.ts';
import { followFile, type History, isTelling, type Label } from './versions.ts';
import type { Work } from './work.ts';

export interface Context extends CheckpointSource {
  readonly index: LinkIndex;
  readonly all: readonly Checkpoint[];
  readonly status: () => Promise<Status>;
  /** commit, path → labels of that version's lines. */
  readonly labels: Map<string, Promise<readonly Label[]>>;
  /** commit → which checkpoints may have led to it. */
  readonly before: Map<string, Promise<Before>>;
}

export async function createContext(worktree: Worktree): Promise<Context> {
  const all = await listCheckpoints(worktree.git, worktree.repository);
  let status: Promise<Status> | undefined;
  const readOnce = () => {
    status ??= readStatus(worktree.git, worktree.repository, worktree.state);
    return status;
  };
  const objects = objectsOf(worktree);
  const steps = stepsAlong(worktree, objects, [...byWorktree(all).values()]);
  return { worktree, objects, steps, index: await linkIndex(worktree), all, status: readOnce, labels: new Map(), before: new Map() };
}

/** Lines that are in no commit yet: the checkpoints of this worktree, and the file as it is now. */
export async function labelsOfWork(context: Context, { path, lines, bytes }: Work): Promise<readonly Label[]> {
  const { worktree, all, status } = context;
  const stories = byWorktree(all);
  const chain = stories.get(worktree.repository.worktree) ?? [];
  const history = await followFile(context, chain, path);
  const last = chain.at(-1);
  if (last && lines.join('\n') !== history.last.lines.join('\n')) {
    const from = await movedSince(context, last, status, { path, bytes, before: history.last.lines });
    if (from !== null) history.takeOver(await followFile(context, chain, from));
  }
  const since = matchLines(history.last.lines, lines).map((from) => (from < 0 ? 1 : 0));
  history.add(lines, null);
  stories.delete(worktree.repository.worktree);
  const first = chain.at(0)?.id ?? '';
  // Who brings a line here, out of a stash or another branch, has not written it; it must have been there before it was here.
  const latest = history.last.labels.map((label, at) => (label ? label.id : since[at] ? LAST_ID : first));
  return withOthers(context, history, lines, latest, stories.values());
}

const LAST_ID = 'Z'.repeat(26);

/** The labels of a file's lines; those of people, and of nobody, may be known better in the stories of other working trees. */
async function withOthers(
  source: CheckpointSource,
  { last, names }: History,
  lines: readonly string[],
  latest: readonly string[],
  others: Iterable<readonly Checkpoint[]>,
): Promise<readonly Label[]> {
  const labels = [...last.labels];
  for (const chain of others) {
    for (const name of names) {
      const history = await followFile(source, chain, name);
      history.add(lines, null);
      for (const [at, label] of fromElsewhere(history.last.labels, lines).entries()) {
        const mayBe = label !== null && label.by !== 'human' && label.id < (latest[at] ?? '') && isTelling(lines[at] ?? '');
        const [own, found] = [last.labels[at], labels[at]];
        if (mayBe && (own ?? HUMAN).by === 'human' && (found === own || label.id < (found?.id ?? ''))) labels[at] = label;
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
  if (chains.length === 0) return [];
  const [bytes] = await objects.read(await objects.ids([[commit, path]]));
  if (!bytes) return [];
  const lines = linesOf(bytes);
  // Each worktree is a story of its own; a line that an agent wrote in any of them is an agent's, whoever checked it out in another.
  const found: Label[] = lines.map(() => null);
  const stories: (readonly [readonly Checkpoint[], History])[] = [];
  for (const own of chains) {
    const history = await followFile(context, own, path);
    const last = own.at(-1);
    // Nobody may have looked between the move and the commit.
    const from = last ? await movedUntil(context, last, commit, { path, bytes, before: history.last.lines }) : null;
    if (from !== null) history.takeOver(await followFile(context, own, from));
    history.add(lines, null);
    stories.push([own, history]);
    const isHome = home === undefined || home === last?.worktree;
    const labels = isHome ? history.last.labels : fromElsewhere(history.last.labels, lines);
    for (const [at, label] of labels.entries()) if (label && weight(label) > weight(found[at])) found[at] = label;
  }
  // It may have been moved in one of them, with lines that were written in another, under the name that it had before.
  const names = new Set(stories.flatMap(([, history]) => [...history.names]));
  for (const [own, { names: known }] of stories) {
    for (const name of [...names].filter((one) => !known.has(one))) {
      const history = await followFile(context, own, name);
      history.add(lines, null);
      for (const [at, label] of history.last.labels.entries())
        if (label && isTelling(lines[at] ?? '') && weight(label) > weight(found[at])) found[at] = label;
    }
  }
  return found;
}

const weight = (label: Label | undefined): number => (label ? ['human', 'shared', 'agent'].indexOf(label.by) : -1);

/** The checkpoints that may have led to a commit, by worktree. */
interface Before {
  readonly chains: readonly Chain[];
  /** The worktree in which it was made, if that is known. */
  readonly home: string | undefined;
}

export function leadingTo(context: Context, commit: string): Promise<Before> {
  const found = context.before.get(commit) ?? chainsBefore(context, commit);
  context.before.set(commit, found);
  return found;
}

/** Up to the one that it links to, or the last before it was made. */
async function chainsBefore({ worktree, objects, index, all }: Context, commit: string): Promise<Before> {
  const link = await resolveLink(worktree, commit, index);
  const [time = Number.NaN] = await objects.times([commit]);
  const atCommit = ulid((time + 1) * 1000, new Uint8Array(10));
  const linked = link?.ids.at(-1) ?? '';
  const until = [linked, atCommit].sort().at(-1) ?? atCommit;
  const chains = [...byWorktree(all.filter(({ id }) => id <= until)).values()];
  return { chains, home: all.find(({ id }) => id === linked)?.worktree };
}

/** Each worktree's checkpoints, the oldest first. */
function byWorktree(all: readonly Checkpoint[]): Map<string, Checkpoint[]> {
  const found = new Map<string, Checkpoint[]>();
  for (const one of all) {
    const chain = found.get(one.worktree) ?? [];
    chain.push(one);
    found.set(one.worktree, chain);
  }
  return found;
}
