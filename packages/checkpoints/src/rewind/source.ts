import { recipeIn } from '../snapshot/conversion/recipe.ts';
import type { Entry } from '../snapshot/tree.ts';
import type { Worktree } from '../worktree.ts';

/**
 * What the bytes of a file are made from. `blob`: it is them. `crlf`, `lfs`: see `Recipe`. `checkout`: what git makes of it under today's
 * attributes, for checkpoints of older versions. `unknown`: a later version wrote it.
 */
export interface Source {
  readonly kind: 'blob' | 'crlf' | 'lfs' | 'checkout' | 'unknown';
  readonly oid: string;
}

/** `beside`: how it stands in the tree of verbatim bytes. */
export function sourceOf(
  { repository }: Pick<Worktree, 'repository'>,
  { asOnDisk }: { readonly asOnDisk: boolean },
  entry: Entry | null,
  beside: Entry | undefined,
): Source | null {
  if (!entry) return null;
  const recipe = beside && recipeIn(repository.objectFormat, beside);
  if (beside && recipe === null) return { kind: 'blob', oid: beside.oid };
  if (beside) return { kind: recipe ?? 'unknown', oid: entry.oid };
  return { kind: asOnDisk || !entry.mode.startsWith('100') ? 'blob' : 'checkout', oid: entry.oid };
}
