import type { Checkpoint } from '../checkpoint.ts';
import { type Git, gitOutput } from '../git.ts';
import type { Place } from '../place.ts';
import { fields, pathBytes, type RawPath } from '../raw-path.ts';
import { matchLines } from './line-match.ts';

/** Who wrote a line: the checkpoint in whose interval it came, or null for what was there before the first. */
export type Label = Checkpoint | null;

export interface Labelled {
  readonly lines: readonly string[];
  readonly labels: readonly Label[];
}

/** Lines of a file, without their ends; a CR counts as part of the end. */
export function linesOf(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
}

/** Blobs by `<rev>:<path>`, in one process; null where there is none. A path with a line feed cannot be asked for. */
export async function readBlobs(git: Git, cwd: string, wanted: readonly (readonly [string, RawPath])[]): Promise<(Buffer | null)[]> {
  if (wanted.length === 0) return [];
  const asked = wanted.map(([rev, path]) =>
    Buffer.concat([Buffer.from(`${rev}:`), pathBytes(path.includes('\n') ? '' : path), Buffer.from('\n')]),
  );
  const output = await gitOutput(git, ['cat-file', '--batch'], { cwd, input: Buffer.concat(asked) });
  const found: (Buffer | null)[] = [];
  for (let at = 0; found.length < wanted.length; ) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(output.subarray(at, end).toString('latin1')) ?? [];
    at = end + 1;
    if (type === undefined) found.push(null);
    else {
      found.push(type === 'blob' ? output.subarray(at, at + Number(size)) : null);
      at += Number(size) + 1;
    }
  }
  return found;
}

/** The same text again, after a rewind or a checkout, has the authors that it had. */
export function nextVersion(known: Map<string, Labelled>, before: Labelled, lines: readonly string[], label: Label): Labelled {
  const key = lines.join('\n');
  const seen = known.get(key);
  if (seen) return seen;
  const match = matchLines(before.lines, lines);
  const now = { lines, labels: lines.map((_, at) => ((match[at] ?? -1) < 0 ? label : (before.labels[match[at] ?? 0] ?? null))) };
  known.set(key, now);
  return now;
}

const NOTHING: Labelled = { lines: [], labels: [] };

/** A file through the checkpoints of a worktree, the oldest first: who wrote each of its lines. */
export async function followFile(
  place: Place,
  chain: readonly Checkpoint[],
  path: RawPath,
  depth = 0,
): Promise<{ last: Labelled; known: Map<string, Labelled> }> {
  const { git, repository } = place;
  const known = new Map<string, Labelled>();
  let last = NOTHING;
  const blobs = await readBlobs(
    git,
    repository.root,
    chain.map(({ commit }) => [commit, path] as const),
  );
  let before: Buffer | null = null;
  for (const [at, checkpoint] of chain.entries()) {
    const bytes = blobs[at] ?? null;
    const previous = chain[at - 1];
    if (bytes && !before && previous && depth < 5) {
      const from = await renamedFrom(place, previous, checkpoint, path);
      if (from !== null) {
        const earlier = await followFile(place, chain.slice(0, at), from, depth + 1);
        for (const [key, value] of earlier.known) known.set(key, value);
        last = earlier.last;
      }
    }
    // What the first checkpoint holds was there before anybody looked.
    if (bytes && !(before && bytes.equals(before))) last = nextVersion(known, last, linesOf(bytes), previous ? checkpoint : null);
    if (!bytes && before) last = NOTHING;
    before = bytes;
  }
  return { last, known };
}

async function renamedFrom({ git, repository }: Place, before: Checkpoint, after: Checkpoint, path: RawPath): Promise<RawPath | null> {
  const args = ['diff-tree', '-r', '-z', '-M', '--diff-filter=R', '--name-status', before.commit, after.commit];
  const output = fields(await gitOutput(git, args, { cwd: repository.root }));
  for (let at = 0; at + 2 < output.length; at += 3) if (output[at + 2] === path) return output[at + 1] ?? null;
  return null;
}
