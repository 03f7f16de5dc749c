import type { Checkpoint } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import { type Difference, differences, type Entry, sameEntry } from '../snapshot/tree.ts';
import type { Worktree } from '../worktree.ts';
import type { Objects } from './objects.ts';

/** Checkpoints of one worktree, the oldest first. */
export type Chain = readonly Checkpoint[];

export interface Steps {
  /** What differs between two checkpoints. */
  readonly between: (from: Checkpoint, to: Checkpoint) => Promise<readonly Difference[]>;
  /** Of files: the blob that each is in each of some checkpoints; null where it is none. */
  readonly oids: (wanted: readonly (readonly [Chain, RawPath])[]) => Promise<(string | null)[][]>;
}

/** All checkpoints of a worktree, and what changed from each to the next. */
interface Story {
  readonly first: Checkpoint;
  readonly steps: readonly (readonly Difference[])[];
  readonly changes: ReadonlyMap<RawPath, readonly Change[]>;
}

interface Change extends Difference {
  /** Which checkpoint of the story was the first to have it. */
  readonly at: number;
}

/**
 * Each file of a commit is followed through all checkpoints, and most of them lie right behind each other: of these git is asked
 * once, when the first is wanted. They also tell which blob a file was in each.
 */
export function stepsAlong({ git, repository }: Worktree, objects: Objects, chains: readonly Chain[]): Steps {
  const positions = new Map(chains.flatMap((chain, story) => chain.map(({ id }, at) => [id, { story, at }] as const)));
  const composed = new Map<string, readonly Difference[]>();
  let asked: Promise<readonly Story[] | null> | undefined;
  const askOnce = async (): Promise<readonly Story[] | null> => {
    const pairs = chains.map((chain) => chain.slice(1).map((to, at) => [chain[at]?.tree ?? '', to.tree] as const));
    const found = await differences(git, repository.root, pairs.flat());
    return found && chains.flatMap((chain, at) => storyOf(chain, found.splice(0, pairs[at]?.length)));
  };
  /** Null where git could not tell of all steps. */
  const storyWith = async (one: Checkpoint | undefined): Promise<Story | null> => {
    asked ??= askOnce();
    return (await asked)?.[positions.get(one?.id ?? '')?.story ?? -1] ?? null;
  };
  const atOf = (one: Checkpoint): number => positions.get(one.id)?.at ?? -1;

  const between = async (from: Checkpoint, to: Checkpoint): Promise<readonly Difference[]> => {
    const [story, other] = [await storyWith(from), await storyWith(to)];
    const [start, end] = [atOf(from), atOf(to)];
    if (!story || story !== other || start > end) return objects.difference(from.tree, to.tree);
    if (end === start + 1) return story.steps[start] ?? [];
    const key = `${from.id} ${to.id}`;
    const known = composed.get(key) ?? compose(story.steps.slice(start, end));
    composed.set(key, known);
    return known;
  };

  const oids: Steps['oids'] = async (wanted) => {
    const stories = await Promise.all(wanted.map(([chain]) => storyWith(chain[0])));
    const unchanged = wanted.map(([chain, path], at) => {
      const story = stories[at];
      if (!story) return chain.map(({ commit }) => [commit, path] as const);
      return story.changes.has(path) ? [] : [[story.first.commit, path] as const];
    });
    const found = await objects.ids(unchanged.flat());
    return wanted.map(([chain, path], at) => {
      const own = found.splice(0, unchanged[at]?.length);
      const story = stories[at];
      const changes = story?.changes.get(path);
      if (!story) return own;
      return changes ? along(changes, chain.map(atOf)) : chain.map(() => own[0] ?? null);
    });
  };
  return { between, oids };
}

function storyOf(chain: Chain, steps: readonly (readonly Difference[])[]): Story[] {
  const changes = new Map<RawPath, Change[]>();
  for (const [at, step] of steps.entries()) {
    for (const one of step) {
      const known = changes.get(one.path);
      if (known) known.push({ ...one, at: at + 1 });
      else changes.set(one.path, [{ ...one, at: at + 1 }]);
    }
  }
  return chain[0] ? [{ first: chain[0], steps, changes }] : [];
}

/** The blob at each of some places of a story, which come in order. */
function along(changes: readonly Change[], worktrees: readonly number[]): (string | null)[] {
  let [next, now] = [0, changes[0]?.before ?? null];
  return worktrees.map((worktree) => {
    for (let change = changes[next]; change && change.at <= worktree; change = changes[++next]) now = change.after;
    return blobOf(now);
  });
}

/** A submodule is not in this repository. */
const blobOf = (entry: Entry | null): string | null => (entry === null || entry.mode === '160000' ? null : entry.oid);

/** Several steps as one, in the order in which git tells it: by the bytes of the names. */
function compose(steps: readonly (readonly Difference[])[]): readonly Difference[] {
  const all = new Map<RawPath, Difference>();
  for (const step of steps) for (const one of step) all.set(one.path, { ...one, before: (all.get(one.path) ?? one).before });
  const differing = [...all.values()].filter(({ before, after }) => !sameEntry(before, after));
  return differing.sort((a, b) => (a.path < b.path ? -1 : 1));
}
