import { type Git, gitOutput } from '@piton/git';
import type { RawPath } from '../raw-path.ts';
import { type Difference, difference } from '../snapshot/tree.ts';
import type { Worktree } from '../worktree.ts';
import { blobIds, blobSizes, blobsOf } from './lines.ts';

/** What git is asked for: each thing once, and many at a time. */
export interface Objects {
  /** The blobs by `<rev>:<path>`; null where there is none. */
  readonly ids: (wanted: readonly (readonly [rev: string, path: RawPath])[]) => Promise<(string | null)[]>;
  readonly sizes: (oids: readonly string[]) => Promise<(number | null)[]>;
  readonly read: (oids: readonly (string | null)[]) => Promise<(Buffer | null)[]>;
  /** When commits were made, in seconds; NaN for what is no longer there. */
  readonly times: (commits: readonly string[]) => Promise<number[]>;
  readonly difference: (from: string, to: string) => Promise<readonly Difference[]>;
  /** So many bytes of what was read are kept. */
  readonly mostKept: number;
}

const MOST_KEPT = 64 * 1024 * 1024;

export function objectsOf({ git, repository: { root } }: Worktree, mostKept = MOST_KEPT): Objects {
  const ids = new Map<string, string | null>();
  const sizes = new Map<string, number | null>();
  const kept = keptBlobs(mostKept);
  const times = new Map<string, number>();
  const compared = new Map<string, Promise<readonly Difference[]>>();
  return {
    mostKept,
    ids: async (wanted) => {
      const unknown = new Map(wanted.map((one) => [one.join(':'), one] as const).filter(([key]) => !ids.has(key)));
      const found = await blobIds(git, root, [...unknown.values()]);
      for (const [at, key] of [...unknown.keys()].entries()) ids.set(key, found[at] ?? null);
      return wanted.map((one) => ids.get(one.join(':')) ?? null);
    },
    sizes: async (oids) => {
      const unknown = [...new Set(oids)].filter((oid) => !sizes.has(oid));
      for (const [at, size] of (await blobSizes(git, root, unknown)).entries()) sizes.set(unknown[at] ?? '', size);
      return oids.map((oid) => sizes.get(oid) ?? null);
    },
    read: async (oids) => {
      const distinct = [...new Set(oids)].filter((oid) => oid !== null);
      const found = new Map(distinct.map((oid) => [oid, kept.get(oid)]));
      const missing = distinct.filter((oid) => found.get(oid) === undefined);
      for (const [at, blob] of (await blobsOf(git, root, missing)).entries()) {
        found.set(missing[at] ?? '', blob);
        kept.add(missing[at] ?? '', blob);
      }
      return oids.map((oid) => (oid === null ? null : (found.get(oid) ?? null)));
    },
    times: async (commits) => {
      const unknown = [...new Set(commits)].filter((commit) => !times.has(commit));
      const found = new Map(await timesOf(git, root, unknown));
      for (const commit of unknown) times.set(commit, found.get(commit) ?? Number.NaN);
      return commits.map((commit) => times.get(commit) ?? Number.NaN);
    },
    difference: (from, to) => {
      const key = `${from} ${to}`;
      const known = compared.get(key) ?? difference(git, root, from, to);
      compared.set(key, known);
      return known;
    },
  };
}

async function timesOf(git: Git, cwd: string, commits: readonly string[]): Promise<(readonly [string, number])[]> {
  if (commits.length === 0) return [];
  const args = ['log', '--no-walk=unsorted', '--no-show-signature', '--ignore-missing', '--format=%H %ct', '--stdin'];
  const output = await gitOutput(git, args, { cwd, input: Buffer.from(`${commits.join('\n')}\n`) });
  const rows = output.toString().trim().split('\n');
  return rows.map((row) => row.split(' ')).map(([commit = '', time]) => [commit, Number(time)] as const);
}

/** The blobs that were wanted last. */
function keptBlobs(most: number) {
  const kept = new Map<string, Buffer | null>();
  let total = 0;
  return {
    get: (oid: string): Buffer | null | undefined => {
      const blob = kept.get(oid);
      if (blob === undefined) return undefined;
      kept.delete(oid);
      kept.set(oid, blob);
      return blob;
    },
    add: (oid: string, blob: Buffer | null): void => {
      // A copy: else it would hold all that was read with it.
      kept.set(oid, blob && Buffer.from(blob));
      total += blob?.length ?? 0;
      for (const [oldest, old] of kept) {
        if (total <= most) break;
        kept.delete(oldest);
        total -= old?.length ?? 0;
      }
    },
  };
}
