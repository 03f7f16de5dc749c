import type { Checkpoint } from '../checkpoint.ts';
import type { Place } from '../place.ts';
import { type Difference, difference, differences } from '../tree.ts';

/** What differs between two checkpoints. */
export type Steps = (from: Checkpoint, to: Checkpoint) => Promise<readonly Difference[]>;

/**
 * Each file of a commit is followed through all checkpoints, and most of them lie right behind each other: of these git is asked
 * once, when the first is wanted.
 */
export function stepsAlong({ git, repository }: Place, chains: Iterable<readonly Checkpoint[]>): Steps {
  const keyOf = (from: Checkpoint, to: Checkpoint): string => `${from.tree} ${to.tree}`;
  const known = new Map<string, Promise<readonly Difference[]>>();
  let asked: Promise<ReadonlyMap<string, readonly Difference[]>> | undefined;
  const askOnce = async (): Promise<ReadonlyMap<string, readonly Difference[]>> => {
    const steps = [...chains].flatMap((chain) => chain.slice(1).map((to, at) => [chain[at] ?? to, to] as const));
    const found = await differences(
      git,
      repository.root,
      steps.map(([from, to]) => [from.tree, to.tree]),
    );
    return new Map(found?.map((one, at) => [steps[at] ? keyOf(...steps[at]) : '', one]));
  };
  return async (from, to) => {
    asked ??= askOnce();
    const key = keyOf(from, to);
    const one = (await asked).get(key);
    if (one) return one;
    const single = known.get(key) ?? difference(git, repository.root, from.tree, to.tree);
    known.set(key, single);
    return single;
  };
}
