import { readFile } from 'node:fs/promises';
import { GitError, gitOutput } from '@piton/git';
import type { Worktree } from '../worktree.ts';

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?/;

/** The objects of a pack. */
export async function objectsIn({ git, repository }: Worktree, indexFile: string): Promise<string[]> {
  const listed = await gitOutput(git, ['show-index', `--object-format=${repository.objectFormat}`], {
    cwd: repository.root,
    input: await readFile(indexFile),
  });
  return listed
    .toString()
    .split('\n')
    .flatMap((line) => line.split(' ')[1] ?? []);
}

/**
 * Of the objects of commits that nobody wants any more, those that nothing else needs: no ref, no working tree's index, no reflog, and
 * nothing that lies about. The user may have added a file whose blob lies in our pack alone, and lost the commit that held it since.
 */
export async function unusedObjects(worktree: Worktree, commits: readonly string[]): Promise<ReadonlySet<string>> {
  const { git, repository } = worktree;
  const cwd = repository.root;
  if (commits.length === 0) return new Set();
  const input = Buffer.from(commits.map((commit) => `${commit}\n`).join(''));
  const theirs = await gitOutput(git, ['rev-list', '--objects', '--no-walk=unsorted', '--stdin'], { cwd, input });
  const unused = oidsIn(theirs);
  // Their history is the user's.
  for (const oid of await needed(worktree, new Set(commits))) unused.delete(oid);
  return unused;
}

const oidsIn = (output: Buffer): Set<string> =>
  new Set(
    output
      .toString('latin1')
      .split('\n')
      .flatMap((line) => OID.exec(line)?.[0] ?? []),
  );

async function needed(
  { git, repository }: Pick<Worktree, 'git' | 'repository'>,
  unwanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const cwd = repository.root;
  const args = ['fsck', '--connectivity-only', '--dangling', '--no-progress'];
  const found = await git(args, { cwd });
  // It tells of damage by its code as well; that it did not come to its end is another matter.
  if (found.code < 0 || found.code >= 128) throw new GitError(args, found);
  const loose = [...found.stdout.toString().matchAll(/^dangling \w+ ([0-9a-f]+)$/gm)].map(([, oid = '']) => oid);
  const roots = [...loose, ...(await basesOf({ git, repository }, unwanted))].filter((oid) => !unwanted.has(oid));
  const input = Buffer.from(roots.map((oid) => `${oid}\n`).join(''));
  const list = ['rev-list', '--objects', '--all', '--reflog', '--indexed-objects', '--ignore-missing', '--stdin'];
  return oidsIn(await gitOutput(git, list, { cwd, input }));
}

/** What they were built on. A commit that was lost since does not dangle while one of these is there, but lies about all the same. */
async function basesOf({ git, repository }: Pick<Worktree, 'git' | 'repository'>, commits: ReadonlySet<string>): Promise<string[]> {
  const input = Buffer.from([...commits].map((commit) => `${commit}\n`).join(''));
  const listed = await gitOutput(git, ['rev-list', '--no-walk=unsorted', '--parents', '--stdin'], { cwd: repository.root, input });
  return listed
    .toString()
    .split('\n')
    .flatMap((line) => line.split(' ').slice(1));
}
