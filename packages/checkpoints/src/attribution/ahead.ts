import type { RawPath } from '../raw-path.ts';
import { candidates, MOST_BYTES, nearest, sameName } from './moved.ts';
import type { Objects } from './objects.ts';
import type { CheckpointSource } from './source.ts';
import type { Chain } from './steps.ts';
import { checkpointsFor } from './versions.ts';

/** A file, and the checkpoints through which it will be followed. */
export interface Wanted {
  readonly path: RawPath;
  readonly chains: readonly Chain[];
}

/** So often a file is followed ahead to the name that it had before. */
const MOST_MOVES = 5;

/** More files than this in one step are not looked at for where another may have come from. */
const MOST_CHANGES = 2000;

interface Foreseen {
  /** The blobs that following it will most likely read. */
  readonly oids: Set<string>;
  /** All that it is in the checkpoints. */
  readonly versions: Set<string>;
}

/**
 * What following each of these files will most likely read. Only a guess, from what is known without reading any: what is missing
 * here is read when it is wanted. Of versions that follow each other git is asked for the differences, here for all files at once.
 */
export async function foresee(source: CheckpointSource, files: readonly Wanted[]): Promise<Foreseen[]> {
  const found = files.map(() => ({ oids: new Set<string>(), versions: new Set<string>() }));
  const names = files.map(() => new Set<RawPath>());
  let round = files.map(({ path }, at) => ({ at, path }));
  for (let moves = 0; moves <= MOST_MOVES && round.length > 0; moves++) {
    for (const { at, path } of round) names[at]?.add(path);
    const asked = round.flatMap(({ at, path }) => (files[at]?.chains ?? []).map((all) => ({ at, path, chain: checkpointsFor(all, path) })));
    const versions = await source.steps.oids(asked.map(({ chain, path }) => [chain, path] as const));
    const pairs = asked.flatMap(({ chain }, which) => stepsIn(chain, versions[which] ?? []));
    await source.patches.ask(
      asked.map(({ path }) => path),
      pairs,
    );
    round = [];
    for (const [which, { at, path, chain }] of asked.entries()) {
      for (const oid of versions[which] ?? []) if (oid !== null) found[at]?.versions.add(oid);
      for (const { oids, from } of await versionsOf(source, chain, path, versions[which] ?? [])) {
        for (const oid of oids) found[at]?.oids.add(oid);
        if (from !== null && !names[at]?.has(from)) round.push({ at, path: from });
      }
    }
  }
  return found;
}

/** The trees between which a file changed. */
function stepsIn(chain: Chain, oids: readonly (string | null)[]): (readonly [string, string])[] {
  return chain.flatMap((next, at) => {
    const [previous, before, oid] = [chain[at - 1], oids[at - 1] ?? null, oids[at] ?? null];
    return previous && before !== null && oid !== null && before !== oid ? [[previous.tree, next.tree] as const] : [];
  });
}

interface Version {
  /** Its own where there was none before it, and those of the files that it may have been. */
  readonly oids: readonly string[];
  /** The name that it very likely had before. */
  readonly from: RawPath | null;
}

async function versionsOf({ steps }: CheckpointSource, chain: Chain, path: RawPath, oids: readonly (string | null)[]): Promise<Version[]> {
  const found: Version[] = [];
  for (const [at, next] of chain.entries()) {
    const [oid, before, previous] = [oids[at] ?? null, oids[at - 1] ?? null, chain[at - 1]];
    if (oid === null || oid === before) continue;
    const changes = previous ? await steps.between(previous, next) : [];
    const near = changes.length > MOST_CHANGES ? [] : nearest(candidates(changes), { path, oid, isNew: before === null });
    const [first] = near;
    const isSame = first?.gone && first.oid === oid;
    const from = first?.gone && (isSame || sameName(first.path, path)) ? first.path : null;
    found.push({ oids: [...(before === null ? [oid] : []), ...(isSame ? [] : near.map((one) => one.oid))], from });
  }
  return found;
}

/** Gives back the same files, after reading what they will want: of as many at a time as can be kept beside what else is read. */
export async function* readAhead<File>(objects: Objects, files: readonly (readonly [File, ReadonlySet<string>])[]): AsyncGenerator<File> {
  const most = objects.mostKept / 2;
  for (const { own, oids, bytes } of lotsOf(files, await sizesIn(objects, files), most)) {
    // What cannot be kept would be read twice.
    if (bytes <= most) await objects.read([...oids]);
    yield* own;
  }
}

/** Without what is so large that it is read only when it is wanted. */
async function sizesIn(objects: Objects, files: readonly (readonly [unknown, ReadonlySet<string>])[]): Promise<Map<string, number>> {
  const all = [...new Set(files.flatMap(([, oids]) => [...oids]))];
  const sizes = await objects.sizes(all);
  return new Map(all.map((oid, at) => [oid, sizes[at] ?? 0] as const).filter(([, size]) => size < MOST_BYTES));
}

interface Lot<File> {
  readonly own: File[];
  readonly oids: Set<string>;
  bytes: number;
}

function lotsOf<File>(
  files: readonly (readonly [File, ReadonlySet<string>])[],
  sizes: ReadonlyMap<string, number>,
  most: number,
): Lot<File>[] {
  const lots: Lot<File>[] = [];
  for (const [file, wanted] of files) {
    const readable = [...wanted].filter((oid) => sizes.has(oid));
    const bytesBeside = (lot: Lot<File>): number => readable.reduce((sum, oid) => sum + (lot.oids.has(oid) ? 0 : (sizes.get(oid) ?? 0)), 0);
    const last = lots.at(-1);
    const lot = last && last.bytes + bytesBeside(last) <= most ? last : { own: [], oids: new Set<string>(), bytes: 0 };
    if (lot !== last) lots.push(lot);
    lot.bytes += bytesBeside(lot);
    lot.own.push(file);
    for (const oid of readable) lot.oids.add(oid);
  }
  return lots;
}
