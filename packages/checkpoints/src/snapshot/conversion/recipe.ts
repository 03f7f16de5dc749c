import type { RawPath } from '../../raw-path.ts';
import type { Entry } from '../tree.ts';
import { blobId } from '../working-file.ts';
import type { Known } from '../working-state.ts';

type ObjectFormat = 'sha1' | 'sha256';

/**
 * How the bytes on disk follow from what git stores, so that they need not be stored once more. `crlf`: each LF becomes CR LF. `lfs`: the
 * content that the pointer names.
 */
export type Recipe = 'crlf' | 'lfs';
const RECIPES: readonly Recipe[] = ['crlf', 'lfs'];

/** A tree of verbatim bytes has no other symlinks: git converts none. */
const RECIPE_MODE = '120000';

const LF = 0x0a;
const CR = 0x0d;

export function withCarriageReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

/** The bytes with LF for each CR LF; null where not every LF has its CR, so that `withCarriageReturns` would not lead back. */
function withoutCarriageReturns(bytes: Buffer): Buffer | null {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) if (bytes[at - 1] !== CR) return null;
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

export type Beside = Pick<Known, 'verbatim' | 'recipe'> & { readonly bytes?: Buffer };

/** What must be kept beside a blob that git stores for these bytes. Nothing where they are the same. */
export function besideOf(format: ObjectFormat, stored: string, bytes: Buffer): Beside {
  const verbatim = blobId(format, bytes);
  if (verbatim === stored) return {};
  const plain = withoutCarriageReturns(bytes);
  if (plain && blobId(format, plain) === stored) return { verbatim, recipe: 'crlf' };
  return { verbatim, bytes };
}

/** How a file stands in the tree of verbatim bytes; `bytes` where git may not have them. */
export interface VerbatimEntry extends Entry {
  readonly bytes: Buffer | undefined;
}

type KeptFile = Pick<Known, 'entry' | 'verbatim' | 'recipe'> & { readonly bytes?: Buffer };

export function verbatimEntry(format: ObjectFormat, file: KeptFile): VerbatimEntry {
  if (file.recipe === undefined) return { mode: file.entry?.mode ?? '100644', oid: file.verbatim ?? '', bytes: file.bytes };
  const bytes = Buffer.from(file.recipe);
  return { mode: RECIPE_MODE, oid: blobId(format, bytes), bytes };
}

/** The recipe that an entry of such a tree stands for; null: it is the bytes. Undefined: a later version wrote it. */
export function recipeIn(format: ObjectFormat, { mode, oid }: Entry): Recipe | null | undefined {
  if (mode !== RECIPE_MODE) return null;
  return RECIPES.find((recipe) => blobId(format, Buffer.from(recipe)) === oid);
}

/** All that must be kept beside a tree. */
export function keptBeside<T extends Known>(...states: readonly ReadonlyMap<RawPath, T>[]): Map<RawPath, T> {
  return new Map(states.flatMap((files) => [...files].filter(([, { verbatim }]) => verbatim)));
}
