import type { Checkpoint } from '../../checkpoint.ts';
import type { RawPath } from '../../raw-path.ts';
import { compareLines, type Hunk, withoutSpace } from '../hunks.ts';
import { linesOf } from '../lines.ts';
import { movedBetween } from '../moved.ts';
import type { CheckpointSource } from '../source.ts';
import type { Chain } from '../steps.ts';
import { EMPTY, type History, isAbout, joined, type Label, type Labelled, nextVersion } from '../versions.ts';
import { withoutCheckedOut } from './brought-back.ts';

/** A version, and the place in the chain at which it came; the blob is null where the file is gone. */
interface State {
  readonly at: number;
  readonly oid: string | null;
  readonly text: Labelled;
  /** How much its lines say. */
  readonly weight: number;
  readonly segment: Segment;
}

interface LineFacts {
  readonly label: Label;
  readonly since: number;
  /** From there on it is several people's. */
  several: number;
}

/** What was learnt since the beginning, or since the file was moved here. */
interface Segment {
  readonly base: History | null;
  readonly versions: Map<string, { readonly since: number; readonly text: Labelled }>;
  readonly lines: Map<string, LineFacts>;
}

/** Nobody looked before the first checkpoint. */
type Interval = readonly [previous: Checkpoint | undefined, next: Label];

const newSegment = (base: History | null): Segment => ({ base, versions: new Map(), lines: new Map() });

const weightOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.trim().length, 0);

/** A file through the checkpoints of a worktree, the oldest first. It is walked once, however many commits ask how it was by then. */
export class FileWalk {
  readonly #source: CheckpointSource;
  readonly #chain: Chain;
  readonly #path: RawPath;
  readonly #states: State[] = [];
  /** All before this place are done. */
  #done = 0;
  #running: Promise<void> | undefined;
  #last: State;
  #previous: number | null = null;
  #oids: Promise<readonly (string | null)[]> | undefined;

  constructor(source: CheckpointSource, chain: Chain, path: RawPath) {
    [this.#source, this.#chain, this.#path] = [source, chain, path];
    this.#last = { at: -1, oid: null, text: EMPTY, weight: 0, segment: newSegment(null) };
  }

  /** After the first so many checkpoints. */
  async at(count: number): Promise<History> {
    while (this.#done < count) {
      this.#running ??= this.#extend(count).finally(() => {
        this.#running = undefined;
      });
      await this.#running;
    }
    const state = this.#stateBefore(count);
    const history = this.#historyAt(state, count);
    const end = this.#chain[count - 1];
    return end && !isAbout(end, this.#path) ? this.#withEnd(history, state, count) : history;
  }

  /** The last of some checkpoints counts even if it is about other files. */
  async #withEnd(history: History, state: State, count: number): Promise<History> {
    const [oid = null, end = null] = [(await this.#blobs())[count - 1], this.#chain[count - 1]];
    if (oid === state.oid) return history;
    if (oid === null) return { ...history, last: EMPTY };
    const hunks = compareLines(history.last.lines, await this.#read(oid));
    const before = this.#chain.slice(0, count - 1);
    const previous = before.findLast((each) => isAbout(each, this.#path)) ?? before.at(-1);
    return { ...history, last: await this.#next(history, oid, hunks, [previous, end]) };
  }

  async #extend(count: number): Promise<void> {
    const oids = await this.#blobs();
    for (; this.#done < count; this.#done++) {
      const at = this.#done;
      const checkpoint = this.#chain[at];
      if (!checkpoint || !isAbout(checkpoint, this.#path)) continue;
      const oid = oids[at] ?? null;
      if (oid !== this.#last.oid) {
        this.#last = oid === null ? this.#gone(at) : await this.#became(at, oid);
        this.#states.push(this.#last);
      }
      this.#previous = at;
    }
  }

  #gone(at: number): State {
    return { at, oid: null, text: EMPTY, weight: 0, segment: this.#last.segment };
  }

  async #became(at: number, oid: string): Promise<State> {
    const before = this.#last;
    const asked = before.oid === null ? undefined : this.#source.patches.between(before.oid, oid);
    const hunks = asked && fits(asked, before.text.lines) ? asked : await this.#compared(oid);
    const weight = before.weight + hunks.reduce((sum, { added, removed }) => sum + weightOf(added) - weightOf(removed), 0);
    const added = hunks.reduce((sum, hunk) => sum + weightOf(hunk.added), 0);
    const earlier = 2 * (weight - added) > weight ? null : await this.#movedFrom(at, oid, hunks);
    const history = this.#historyAt(before, at);
    const interval = [this.#chain[this.#previous ?? -1], this.#chain[at] ?? null] as const;
    if (earlier === null) return this.#keep(at, oid, await this.#next(history, oid, hunks, interval), hunks, before.segment, weight);
    const moved = joined(history, earlier);
    const since = compareLines(moved.last.lines, nextVersion(history, null, hunks, null).lines);
    return this.#keep(at, oid, await this.#next(moved, oid, since, interval), since, newSegment(moved), weight);
  }

  async #next(history: History, oid: string, hunks: readonly Hunk[], [previous, next]: Interval): Promise<Labelled> {
    // What the first checkpoint holds was there before anybody looked.
    if (!previous || next === null) return nextVersion(history, oid, hunks, null);
    const text = nextVersion(history, oid, hunks, next);
    if (history.version(oid)) return text;
    const made = { chain: this.#chain, path: this.#path, history, interval: [previous, next] as const, hunks, text };
    return withoutCheckedOut(this.#source, { ...made, read: (blob) => this.#read(blob) });
  }

  #keep(at: number, oid: string, text: Labelled, hunks: readonly Hunk[], segment: Segment, weight: number): State {
    if (!segment.versions.has(oid)) segment.versions.set(oid, { since: at, text });
    let offset = 0;
    for (const hunk of hunks) {
      const from = hunk.at + offset;
      for (const [nth, line] of hunk.added.entries()) remember(segment, line, text.labels[from + nth] ?? null, at);
      offset += hunk.added.length - hunk.removed.length;
    }
    return { at, oid, text, weight, segment };
  }

  async #movedFrom(at: number, oid: string, hunks: readonly Hunk[]): Promise<History | null> {
    const [previous, next] = [this.#chain[this.#previous ?? -1], this.#chain[at]];
    if (!previous || !next) return null;
    const before = this.#last.text.lines;
    const { lines } = nextVersion({ ...NOTHING, last: this.#last.text }, null, hunks, null);
    const from = await movedBetween(this.#source, [previous, next], { path: this.#path, oid, lines, before });
    return from === null ? null : this.#source.walk(this.#chain, from).at(at);
  }

  async #compared(oid: string): Promise<readonly Hunk[]> {
    return compareLines(this.#last.text.lines, await this.#read(oid));
  }

  async #read(oid: string): Promise<string[]> {
    const [bytes] = await this.#source.objects.read([oid]);
    const lines = bytes ? linesOf(bytes) : [];
    return this.#source.ignoreSpace ? lines.map(withoutSpace) : lines;
  }

  #blobs(): Promise<readonly (string | null)[]> {
    this.#oids ??= this.#source.steps.oids([[this.#chain, this.#path]]).then(([oids = []]) => oids);
    return this.#oids;
  }

  #stateBefore(count: number): State {
    let [low, high] = [0, this.#states.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#states[middle]?.at ?? 0) < count) low = middle + 1;
      else high = middle;
    }
    return this.#states[low - 1] ?? { ...this.#gone(-1), segment: this.#states[0]?.segment ?? this.#last.segment };
  }

  /** What was learnt later does not count. */
  #historyAt({ text, segment }: State, count: number): History {
    const { base, versions, lines } = segment;
    const factsOf = (line: string): LineFacts | undefined => {
      const facts = lines.get(line);
      return facts && facts.since < count ? facts : undefined;
    };
    return {
      last: text,
      names: new Set([this.#path, ...(base?.names ?? [])]),
      version: (oid) => {
        const known = versions.get(oid);
        return known && known.since < count ? known.text : base?.version(oid);
      },
      hasLine: (line) => factsOf(line) !== undefined || base?.hasLine(line) === true,
      firstAuthor: (line) => {
        const facts = factsOf(line);
        if (!facts) return base?.firstAuthor(line);
        return facts.several < count ? undefined : facts.label;
      },
    };
  }
}

/** Git may see other lines than we do, where it was told of an encoding. */
const fits = (hunks: readonly Hunk[], lines: readonly string[]): boolean =>
  hunks.every(({ at, removed }) => removed.every((line, nth) => lines[at + nth] === line));

const NOTHING: History = {
  last: EMPTY,
  names: new Set(),
  version: () => undefined,
  hasLine: () => false,
  firstAuthor: () => undefined,
};

function remember({ base, lines }: Segment, line: string, label: Label, at: number): void {
  const facts = lines.get(line);
  if (facts) {
    if (facts.several > at && facts.label?.id !== label?.id) facts.several = at;
  } else if (!base?.hasLine(line)) lines.set(line, { label, since: at, several: Number.POSITIVE_INFINITY });
  else if (base.firstAuthor(line)?.id !== label?.id) lines.set(line, { label, since: at, several: at });
}
