import type { ClaimOf, Known } from './guarded-paths.ts';
import { PROJECT_DIRECTORY } from './guarded-places.ts';

/** Names without which no path is ours: what lies inside has one of the first somewhere, what holds ours ends in one of the second. */
export interface DistinctiveNames {
  readonly inside: ReadonlySet<string>;
  readonly holding: ReadonlySet<string>;
  /** Directories in which a file of an agent's or of git's lies that counts for us. */
  readonly receiving: ReadonlySet<string>;
  /** Those of the first that tell by themselves, wherever the path begins. */
  readonly ending: ReadonlySet<string>;
}

export function distinctiveNames({ files, tails, gitHooks }: Known): DistinctiveNames {
  const ending = [...tails, ...gitHooks].flatMap((names) => names.slice(-1));
  return {
    inside: new Set([PROJECT_DIRECTORY, 'piton', ...ending, ...files.flatMap(({ names }) => names.slice(-1))]),
    ending: new Set(ending),
    receiving: new Set([
      ...files.flatMap(({ names, from, isDirectory }) => (isDirectory ? [] : names.slice(from, -1))),
      ...[...tails, ...gitHooks].flatMap((names) => names.slice(0, -1)),
    ]),
    holding: new Set(['refs', ...files.flatMap(({ names, from }) => names.slice(from)), ...tails.flat(), ...gitHooks.flat()]),
  };
}

/** The same claims; but most paths bear no telling name, and that is seen at once. */
export function skippingUnnamed(claimOf: ClaimOf, { inside, holding }: DistinctiveNames): ClaimOf {
  return (path, here) => {
    const { folded, glob } = path;
    let at = folded.length - 1;
    if (glob || holding.has(folded[at] as string)) return claimOf(path, here);
    while (at >= 0 && !inside.has(folded[at] as string)) at--;
    return at < 0 ? undefined : claimOf(path, here);
  };
}
