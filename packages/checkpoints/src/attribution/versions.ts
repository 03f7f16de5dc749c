import { type Checkpoint, toldApart } from '../checkpoint.ts';
import { type Git, gitOutput } from '../git.ts';
import type { Place } from '../place.ts';
import { fields, pathBytes, type RawPath } from '../raw-path.ts';
import { lookUp } from '../tree.ts';
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

/** Blobs by `<rev>:<path>`, in one process; null where there is none. */
export async function readBlobs(git: Git, cwd: string, wanted: readonly (readonly [string, RawPath])[]): Promise<(Buffer | null)[]> {
  if (wanted.length === 0) return [];
  const asked: Buffer[] = [];
  for (const [rev, path] of wanted)
    asked.push(path.includes('\n') ? await blobOf(git, cwd, rev, path) : pathBytes(`${rev}:${path}`), Buffer.from('\n'));
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

/** A line feed ends what `cat-file` is asked for: such a file is asked for by its id. */
async function blobOf(git: Git, cwd: string, rev: string, path: RawPath): Promise<Buffer> {
  const found = await lookUp(git, cwd, rev, [path]).catch(() => null);
  return Buffer.from(found?.get(path)?.oid ?? 'none');
}

/** What is known of a file: its versions, and lines that came back. */
export class History {
  readonly #versions = new Map<string, Labelled>();
  /** Line → who wrote it first; null if that was nobody we know of, undefined if several. */
  readonly #lines = new Map<string, Label | undefined>();
  last: Labelled = { lines: [], labels: [] };

  /** The same text again, after a rewind or a checkout, has the authors that it had. */
  add(lines: readonly string[], label: Label): void {
    const key = lines.join('\n');
    const known = this.#versions.get(key);
    const match = matchLines(this.last.lines, lines);
    const labels = lines.map((line, at) => {
      const from = match[at] ?? -1;
      return from < 0 ? this.#authorOf(line, label) : (this.last.labels[from] ?? null);
    });
    this.last = known ?? { lines, labels };
    this.#versions.set(key, this.last);
    for (const [at, line] of lines.entries()) this.#remember(line, this.last.labels[at] ?? null);
  }

  gone(): void {
    this.last = { lines: [], labels: [] };
  }

  /** A line that a person brings back, out of a stash or another branch, is still whose it was, if it says enough to be known by. */
  #authorOf(line: string, label: Label): Label {
    if (label?.by === 'agent' || line.trim().length < 6) return label;
    const before = this.#lines.get(line);
    return before === undefined ? label : before;
  }

  #remember(line: string, label: Label): void {
    if (!this.#lines.has(line)) this.#lines.set(line, label);
    else if (this.#lines.get(line)?.id !== label?.id) this.#lines.set(line, undefined);
  }

  takeOver(earlier: History): void {
    for (const [key, version] of earlier.#versions) this.#versions.set(key, version);
    for (const [line, label] of earlier.#lines) this.#lines.set(line, label);
    this.last = earlier.last;
  }
}

/** A file through the checkpoints of a worktree, the oldest first: who wrote each of its lines. */
export async function followFile(place: Place, all: readonly Checkpoint[], path: RawPath, depth = 0): Promise<History> {
  const { git, repository } = place;
  // What a subagent's checkpoint holds of another's work is told by that one's own, or by the end of the turn.
  const chain = all.filter((each, at) => at === all.length - 1 || (toldApart(each)?.includes(path) ?? true));
  const history = new History();
  const wanted = chain.map(({ commit }) => [commit, path] as const);
  const blobs = await readBlobs(git, repository.root, wanted);
  let before: Buffer | null = null;
  for (const [at, checkpoint] of chain.entries()) {
    const bytes = blobs[at] ?? null;
    const previous = chain[at - 1];
    if (bytes && previous && depth < 5 && !(before && bytes.equals(before))) {
      const from = await (before
        ? movedOver(place, [previous, checkpoint], before, bytes)
        : renamedFrom(place, previous, checkpoint, path));
      if (from !== null) history.takeOver(await followFile(place, chain.slice(0, at), from, depth + 1));
    }
    // What the first checkpoint holds was there before anybody looked.
    if (bytes && !(before && bytes.equals(before))) history.add(linesOf(bytes), previous ? checkpoint : null);
    if (!bytes && before) history.gone();
    before = bytes;
  }
  return history;
}

const MOST_GONE = 50;

/** The file that took the place of another: of those that are gone, the one that it has most of its lines from. */
async function movedOver(
  { git, repository }: Place,
  [previous, checkpoint]: readonly [Checkpoint, Checkpoint],
  before: Buffer,
  bytes: Buffer,
): Promise<RawPath | null> {
  const lines = linesOf(bytes);
  const common = (other: Buffer): number => matchLines(linesOf(other), lines).filter((from) => from >= 0).length;
  let [best, most]: [RawPath | null, number] = [null, Math.max(common(before), lines.length / 2)];
  if (most > lines.length / 2) return null;
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--diff-filter=D', '--name-only', previous.commit, checkpoint.commit];
  const gone = fields(await gitOutput(git, args, { cwd: repository.root })).slice(0, MOST_GONE);
  const blobs = await readBlobs(
    git,
    repository.root,
    gone.map((path) => [previous.commit, path]),
  );
  for (const [at, path] of gone.entries()) {
    const count = common(blobs[at] ?? Buffer.alloc(0));
    if (count > most) [best, most] = [path, count];
  }
  return best;
}

/** The file that a new one was before; it may have been written anew meanwhile. */
async function renamedFrom({ git, repository }: Place, before: Checkpoint, after: Checkpoint, path: RawPath): Promise<RawPath | null> {
  const args = ['diff-tree', '-r', '-z', '-M', '-C', '--diff-filter=RC', '--name-status', before.commit, after.commit];
  const output = fields(await gitOutput(git, args, { cwd: repository.root }));
  for (let at = 0; at + 2 < output.length; at += 3) if (output[at + 2] === path) return output[at + 1] ?? null;
  return null;
}
