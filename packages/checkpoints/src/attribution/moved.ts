import type { Checkpoint } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import type { Status } from '../snapshot/status.ts';
import { type Difference, type Entry, emptyTree, lookUp } from '../snapshot/tree.ts';
import { lookAt, readWorkingFile } from '../snapshot/working-file.ts';
import { linesOf } from './lines.ts';
import type { CheckpointSource } from './source.ts';

/** A file as somebody finds it, and the lines that lay at its name before; none if there was no such file. */
interface Found {
  readonly path: RawPath;
  readonly oid: string;
  readonly lines: readonly string[];
  readonly before: readonly string[];
}

interface Candidate {
  readonly path: RawPath;
  readonly oid: string;
  /** Else something else lies at its name: it may have been moved all the same. */
  readonly gone: boolean;
  /** Nothing else explains that it is gone. */
  readonly surely: boolean;
}

/** The file that another was in a checkpoint, of those that are gone or changed in the next one. */
export async function movedBetween(
  source: CheckpointSource,
  [previous, next]: readonly [Checkpoint, Checkpoint],
  found: Found,
): Promise<RawPath | null> {
  const now = weighed(found);
  if (now === null) return null;
  const away = await takenAway(source, previous.base, next.base);
  const changes = candidates(await source.steps.between(previous, next));
  const all = changes.map((one) => ({ ...one, surely: one.surely && !away.has(one.path) }));
  return likeliest(source, all, now);
}

/** The file that another was in the last checkpoint before a commit, of those that are gone or changed in the commit. */
export async function movedUntil(source: CheckpointSource, last: Checkpoint, commit: string, found: Found): Promise<RawPath | null> {
  const now = weighed(found);
  if (now === null) return null;
  const away = await takenAway(source, last.base, commit);
  const changes = candidates(await source.objects.difference(last.commit, commit));
  const all = changes.filter(({ path }) => !away.has(path));
  return likeliest(source, all, now);
}

export const candidates = (changes: readonly Difference[]): Candidate[] =>
  changes.flatMap(({ path, before, after }) => candidate(path, before, after === null));

/**
 * What a checkout, or a commit, has taken away or changed: of these git itself tells where they went. Else whatever an agent committed
 * on another branch would pass for moved.
 */
async function takenAway({ worktree, objects }: CheckpointSource, base: string | null, head: string | null): Promise<ReadonlySet<RawPath>> {
  if (base === null || base === head) return new Set();
  const changes = await objects.difference(base, head ?? emptyTree(worktree.repository.objectFormat));
  return new Set(changes.filter(({ before }) => before !== null).map(({ path }) => path));
}

/** The file that another was in a checkpoint, or in HEAD, of those that are gone or changed in the working tree. */
export async function movedSince(
  source: CheckpointSource,
  { commit: from, base }: Pick<Checkpoint, 'commit' | 'base'>,
  status: () => Promise<Status>,
  found: Found,
): Promise<RawPath | null> {
  const weight = weighed(found);
  if (weight === null) return null;
  const { git, repository } = source.worktree;
  const { root } = repository;
  const { commit } = await readHead(git, repository);
  const inBetween = commit === from ? [] : await source.objects.difference(from, commit ?? emptyTree(repository.objectFormat));
  const paths = new Set([...(await status()).entries, ...inBetween].map(({ path }) => path));
  for (const path of await takenAway(source, base, commit)) paths.delete(path);
  const known = paths.size === 0 ? [] : await lookUp(git, root, from, paths);
  const there = [...known].flatMap(([path, entry]) => candidate(path, entry, !hasFile(root, path)));
  return likeliest(source, there, weight, async ({ path }, then) => {
    const now = await readWorkingFile(root, path, 'file');
    return now === null || linesOf(now).join('\n') !== linesOf(then).join('\n');
  });
}

const hasFile = (root: string, path: RawPath): boolean => ['file', 'symlink', 'unreadable'].includes(lookAt(root, path).kind);

interface WeighedFile extends Omit<Found, 'lines'>, Weighed {
  /** How much of it was there before. */
  readonly kept: number;
}

/**
 * Null if it cannot have been moved: only what has lines can have them from elsewhere, and what was merely changed has most of them
 * from where it was.
 */
function weighed(found: Found): WeighedFile | null {
  if (found.lines.length === 0 || found.lines.some((line) => line.includes('\0'))) return null;
  const now = weigh(found.lines);
  const kept = common(weigh(found.before), now);
  return 2 * kept > now.total ? null : { ...found, ...now, kept };
}

const candidate = (path: RawPath, entry: Entry | null, gone: boolean): Candidate[] =>
  entry?.mode.startsWith('100') ? [{ path, oid: entry.oid, gone, surely: gone }] : [];

/** How many files are read to find one; those that look most like it come first. */
const MOST_READ = 50;
/** What is larger is followed only if not a byte of it was changed. */
export const MOST_BYTES = 5_000_000;

/**
 * As git follows a file: half of it must be alike. Of one that is gone for no other reason half of either will do, since the lines
 * that were added or taken away are told apart later. A file that is still there and as it was is no candidate, as for
 * `git blame -C`: who copies it writes the copy.
 */
async function likeliest(
  { objects }: CheckpointSource,
  all: readonly Candidate[],
  now: WeighedFile,
  isChanged: (candidate: Candidate, then: Buffer) => Promise<boolean> = () => Promise.resolve(true),
): Promise<RawPath | null> {
  const isNew = now.before.length === 0;
  const near = nearest(all, { path: now.path, oid: now.oid, isNew });
  if (near[0]?.oid === now.oid && near[0].gone) return near[0].path;
  const sizes = await objects.sizes(near.map((one) => one.oid));
  const some = near.filter((_, at) => (sizes[at] ?? MOST_BYTES) < MOST_BYTES);
  const blobs = await objects.read(some.map((one) => one.oid));
  let [best, most]: [RawPath | null, number] = [null, now.kept];
  for (const [at, one] of some.entries()) {
    const then = blobs[at];
    if (!then || then.includes(0)) continue;
    const old = weigh(linesOf(then));
    const count = common(old, now);
    const enough = !one.surely ? Math.max(old.total, now.total) : isNew ? Math.min(old.total, now.total) : now.total;
    if (count <= most || 2 * count < enough || (!one.gone && !(await isChanged(one, then)))) continue;
    [best, most] = [one.path, count];
  }
  return best;
}

/** The files that are worth reading, the likeliest first. */
export function nearest(all: readonly Candidate[], now: { path: RawPath; oid: string; isNew: boolean }): Candidate[] {
  const rank = (one: Candidate): number => Number(one.oid === now.oid) * 4 + Number(one.gone) * 2 + Number(sameName(one.path, now.path));
  // What took the place of another file came there whole; a file that merely changed has its lines from where it was.
  const others = all.filter((one) => one.path !== now.path && (now.isNew || one.gone));
  return others.sort((a, b) => rank(b) - rank(a)).slice(0, MOST_READ);
}

export const sameName = (a: RawPath, b: RawPath): boolean => nameOf(a) === nameOf(b);
const nameOf = (path: RawPath): string => path.slice(path.lastIndexOf('/') + 1);

/** Lines by what they say: a brace weighs little. */
interface Weighed {
  readonly lines: ReadonlyMap<string, number>;
  readonly total: number;
}

function weigh(text: readonly string[]): Weighed {
  const lines = new Map<string, number>();
  let total = 0;
  for (const line of text) {
    lines.set(line, (lines.get(line) ?? 0) + 1);
    total += line.trim().length;
  }
  return { lines, total };
}

function common(a: Weighed, b: Weighed): number {
  let sum = 0;
  for (const [line, times] of a.lines) sum += Math.min(times, b.lines.get(line) ?? 0) * line.trim().length;
  return sum;
}
