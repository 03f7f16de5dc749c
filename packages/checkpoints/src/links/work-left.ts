import { blobSizes, blobsOf, linesOf } from '../attribution/lines.ts';
import type { RawPath } from '../raw-path.ts';
import type { Difference, Entry } from '../snapshot/tree.ts';
import type { Worktree } from '../worktree.ts';
import { isLeft, lettersOf, MANY_LETTERS, type Text, textOf } from './agent-lines.ts';
import { isLong, oidsOfAgents, type Work } from './pending.ts';

/** More than this is not looked at while git waits: then all is taken for left. */
const MOST_BLOBS = 300;
const MOST_BYTES = 128 * 1024;

/** Whether a change surely has an agent's work in it. Without reading the file: of most this is enough. */
export function isSurelyLeft(work: Work, { before, after }: Difference): boolean {
  if (after === null || after.mode === '160000' || after.mode !== (before?.mode ?? '100644')) return true;
  return isLong(work) || oidsOfAgents(work).includes(after.oid);
}

/** Of sessions of which nobody is sure, those of whose recorded work anything is left in what is to be committed. */
export async function sessionsLeft(
  { git, repository }: Worktree,
  changes: ReadonlyMap<RawPath, Difference>,
  pending: ReadonlyMap<RawPath, Work>,
  doubtful: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const works = [...pending].filter(([, { sessions }]) => sessions.some((session) => doubtful.has(session)));
  const committed = [...changes.values()].flatMap(({ before, after }) => [oidOf(before), oidOf(after)]);
  const oids = [...new Set([...works.flatMap(([, work]) => oidsOfAgents(work)), ...committed])].filter((oid) => oid !== '');
  if (oids.length > MOST_BLOBS) return doubtful;
  const sizes = await blobSizes(git, repository.root, oids);
  const total = sizes.reduce<number>((sum, size) => sum + (size ?? Number.POSITIVE_INFINITY), 0);
  if (total > MOST_BYTES) return doubtful;
  const blobs = await blobsOf(git, repository.root, oids);
  const texts = new Map(oids.map((oid, at) => [oid, textIn(blobs[at] ?? null)]));
  const read = (oid: string): Text | null => (oid === '' ? EMPTY : (texts.get(oid) ?? null));
  const brought = linesBrought(changes.values(), read);

  const left = new Set<string>();
  for (const [path, work] of works) {
    const change = changes.get(path);
    const [before, after] = [read(oidOf(change?.before)), read(oidOf(change?.after))];
    const versions = oidsOfAgents(work)
      .filter((oid) => oid !== oidOf(change?.before))
      .map(read);
    const isHere = change !== undefined && versions.some((one) => !before || !after || !one || isLeft(before, one.lines, after));
    // A person may have put some of it into another file.
    const isThere = versions.some((one) => one?.lines.some((line) => brought.has(lettersOf(line)) && !before?.has(line)));
    if (isHere || isThere) for (const session of work.sessions) if (doubtful.has(session)) left.add(session);
  }
  return left;
}

const EMPTY = textOf([]);

/** A submodule is not in this repository. */
const oidOf = (entry: Entry | null | undefined): string => (!entry || entry.mode === '160000' ? '' : entry.oid);

/** Null: it has no lines. */
const textIn = (bytes: Buffer | null): Text | null => (bytes === null || bytes.includes(0) ? null : textOf(linesOf(bytes)));

function linesBrought(changes: Iterable<Difference>, read: (oid: string) => Text | null): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { before, after } of changes) {
    const was = read(oidOf(before));
    for (const line of read(oidOf(after))?.lines ?? []) {
      const letters = lettersOf(line);
      if (letters.length >= MANY_LETTERS && !was?.has(line)) found.add(letters);
    }
  }
  return found;
}
