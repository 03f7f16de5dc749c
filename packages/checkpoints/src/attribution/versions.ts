import { type Checkpoint, subagentPaths } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import { matchLines } from './line-match.ts';
import { linesOf } from './lines.ts';
import { movedBetween } from './moved.ts';
import type { CheckpointSource } from './source.ts';
import type { Chain } from './steps.ts';

/** Who wrote a line: the checkpoint in whose interval it came, or null for what was there before the first. */
export type Label = Checkpoint | null;

export interface Labelled {
  readonly lines: readonly string[];
  readonly labels: readonly Label[];
}

/** Whether a line says enough to be known by. */
export const isTelling = (line: string): boolean => line.trim().length >= 6;

/** What is known of a file: its versions, and lines that came back. */
export class History {
  /** Every name that it had. */
  readonly names: Set<RawPath>;
  readonly #versions = new Map<string, Labelled>();
  /** Line → who wrote it first; null if that was nobody we know of, undefined if several. */
  readonly #lines = new Map<string, Label | undefined>();
  last: Labelled = { lines: [], labels: [] };

  constructor(path: RawPath) {
    this.names = new Set([path]);
  }

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

  /** A line that a person brings back, out of a stash or another branch, is still whose it was. */
  #authorOf(line: string, label: Label): Label {
    if (label?.by === 'agent' || !isTelling(line)) return label;
    const before = this.#lines.get(line);
    return before === undefined ? label : before;
  }

  #remember(line: string, label: Label): void {
    if (!this.#lines.has(line)) this.#lines.set(line, label);
    else if (this.#lines.get(line)?.id !== label?.id) this.#lines.set(line, undefined);
  }

  takeOver(earlier: History): void {
    for (const name of earlier.names) this.names.add(name);
    for (const [key, version] of earlier.#versions) this.#versions.set(key, version);
    for (const [line, label] of earlier.#lines) this.#lines.set(line, label);
    this.last = earlier.last;
  }
}

/** What a subagent's checkpoint holds of another's work is told by that one's own, or by the end of the turn. */
export const tellingOf = (all: Chain, path: RawPath): Chain =>
  all.filter((each, at) => at === all.length - 1 || (subagentPaths(each)?.includes(path) ?? true));

/** A file through the checkpoints of a worktree, the oldest first: who wrote each of its lines. */
export async function followFile(source: CheckpointSource, all: Chain, path: RawPath, depth = 0): Promise<History> {
  const chain = tellingOf(all, path);
  const history = new History(path);
  const [oids = []] = await source.steps.oids([[chain, path]]);
  const blobs = await source.objects.read(oids);
  let before: Buffer | null = null;
  for (const [at, checkpoint] of chain.entries()) {
    const bytes = blobs[at] ?? null;
    const previous = chain[at - 1];
    const isSame = bytes !== null && before !== null && oids[at] === oids[at - 1];
    if (bytes && previous && depth < MOST_MOVES && !isSame) {
      const found = { path, bytes, before: before ? linesOf(before) : [] };
      const from = await movedBetween(source, [previous, checkpoint], found);
      if (from !== null) history.takeOver(await followFile(source, all.slice(0, all.indexOf(checkpoint)), from, depth + 1));
    }
    // What the first checkpoint holds was there before anybody looked.
    if (bytes && !isSame) history.add(linesOf(bytes), previous ? checkpoint : null);
    if (!bytes && before) history.gone();
    before = bytes;
  }
  return history;
}

/** So often a file is followed to the name that it had before. */
export const MOST_MOVES = 5;
