import type { Checkpoint } from '../../checkpoint.ts';
import type { RawPath } from '../../raw-path.ts';
import { type Hunk, spliced } from '../hunks.ts';
import { matchLines } from '../line-match.ts';
import type { CheckpointSource } from '../source.ts';
import type { Chain } from '../steps.ts';
import { type History, isDistinctive, type Label, type Labelled } from '../versions.ts';

/** What an agent is said to have made of a file, from one checkpoint to another. */
interface Made {
  readonly chain: Chain;
  readonly path: RawPath;
  /** Up to the first of the two. */
  readonly history: History;
  readonly interval: readonly [previous: Checkpoint, next: Checkpoint];
  readonly hunks: readonly Hunk[];
  readonly text: Labelled;
  readonly read: (oid: string) => Promise<readonly string[]>;
}

/**
 * The same without the lines that git brought: whoever checks out a commit, or puts a file back as it was committed, has written
 * none of its lines. `git blame` says so while that commit is there; once it was amended, squashed or rebased nothing else does.
 */
export async function withoutCheckedOut(source: CheckpointSource, made: Made): Promise<Labelled> {
  const { path, history, hunks, interval, read } = made;
  const [, next] = interval;
  let { text } = made;
  if (next.by === 'human' || hunks.every(({ added }) => added.length === 0)) return text;
  for (const base of await basesBefore(source, made)) {
    const [oid = null] = await source.objects.ids([[base, path]]);
    if (oid === null) continue;
    const known = history.version(oid);
    const lines = known?.lines ?? (await read(oid));
    const authors = known?.labels ?? lines.map((line) => authorBefore(history, line));
    text = withAuthors(text, hunks, lines, authors);
  }
  return text;
}

/** A checkpoint has the time at which its look was over: an agent that waited no longer may have committed meanwhile. */
const LONGEST_LOOK_MS = 60_000;

/** Commits that were there before the interval began, and of which it may have lines. */
async function basesBefore({ objects }: CheckpointSource, { chain, history, hunks, interval }: Made): Promise<string[]> {
  const [previous, next] = interval;
  const bases: string[] = [];
  if (next.base !== null && next.base !== previous.base && next.linked !== next.base) {
    // Asked for all at once.
    await objects.times([...new Set(chain.flatMap(({ base }) => base ?? []))]);
    const [time = Number.NaN] = await objects.times([next.base]);
    // What the agent itself committed in the interval is later than that.
    if (time * 1000 + LONGEST_LOOK_MS <= previous.at.getTime()) bases.push(next.base);
  }
  if (previous.base !== null && hasReturned(history, hunks)) bases.push(previous.base);
  return bases;
}

/** Most changes bring nothing that was there before, and are told without asking git. */
function hasReturned({ last, hasLine }: History, hunks: readonly Hunk[]): boolean {
  const known = hunks.flatMap(({ added }) => added.filter((line) => isDistinctive(line) && hasLine(line)));
  if (known.length === 0) return false;
  const there = new Set(last.lines);
  return known.some((line) => !there.has(line));
}

/** Null: of somebody who was there before anybody looked. Undefined: several have written it. */
const authorBefore = ({ hasLine, firstAuthor }: History, line: string): Label | undefined => (hasLine(line) ? firstAuthor(line) : null);

/** Only of what the hunks added. */
function withAuthors(text: Labelled, hunks: readonly Hunk[], before: readonly string[], authors: readonly (Label | undefined)[]): Labelled {
  const added = hunks.reduce((count, hunk) => count + hunk.added.length - hunk.removed.length, 0);
  const kept = Array.from({ length: text.lines.length - added }, () => false);
  const isAdded = spliced(kept, hunks, (hunk) => hunk.added.map(() => true));
  const match = matchLines(before, text.lines);
  const labels = text.labels.map((label, at) => {
    const author = isAdded[at] ? authors[match[at] ?? -1] : undefined;
    return author === undefined ? label : author;
  });
  return { lines: text.lines, labels };
}
