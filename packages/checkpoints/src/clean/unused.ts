import { readFile } from 'node:fs/promises';
import { GitError, gitOutput } from '@piton/git';
import { IMAGES_MESSAGE } from '../images/write-image.ts';
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
  const dangling = await danglingObjects(worktree);
  const unwanted = new Set([...commits, ...(await formerImages(worktree, dangling))]);
  const input = linesOf(unwanted);
  const theirs = await gitOutput(git, ['rev-list', '--objects', '--no-walk=unsorted', '--stdin'], { cwd, input });
  const unused = oidsIn(theirs);
  // Their history is the user's.
  for (const oid of await needed(worktree, dangling, unwanted)) unused.delete(oid);
  return unused;
}

const linesOf = (oids: Iterable<string>): Buffer => Buffer.from([...oids].map((oid) => `${oid}\n`).join(''));

const oidsIn = (output: Buffer): Set<string> =>
  new Set(
    output
      .toString('latin1')
      .split('\n')
      .flatMap((line) => OID.exec(line)?.[0] ?? []),
  );

async function danglingObjects({ git, repository }: Worktree): Promise<string[]> {
  const args = ['fsck', '--connectivity-only', '--dangling', '--no-progress'];
  const found = await git(args, { cwd: repository.root });
  // It tells of damage by its code as well; that it did not come to its end is another matter.
  if (found.code < 0 || found.code >= 128) throw new GitError(args, found);
  return [...found.stdout.toString().matchAll(/^dangling \w+ ([0-9a-f]+)$/gm)].map(([, oid = '']) => oid);
}

/** Each image makes the commit before it one that nothing names; the packs that are ours keep it all the same. */
async function formerImages({ git, repository }: Worktree, dangling: readonly string[]): Promise<string[]> {
  const listed = await gitOutput(git, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    cwd: repository.root,
    input: linesOf(dangling),
  });
  const commits = [...listed.toString().matchAll(/^([0-9a-f]+) commit$/gm)].map(([, oid = '']) => oid);
  if (commits.length === 0) return [];
  const args = ['log', '--no-walk=unsorted', '--stdin', '--format=%H%x00%cn%x00%ce%x00%P%x00%B%x01'];
  const texts = (await gitOutput(git, args, { cwd: repository.root, input: linesOf(commits) })).toString().split('\u0001\n');
  return texts.flatMap((text) => {
    const [oid = '', name, mail, parents, message] = text.split('\0');
    return name === 'Piton' && mail === 'piton@localhost' && parents === '' && message === IMAGES_MESSAGE ? [oid] : [];
  });
}

async function needed(worktree: Worktree, dangling: readonly string[], unwanted: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const roots = [...dangling, ...(await basesOf(worktree, unwanted))].filter((oid) => !unwanted.has(oid));
  const list = ['rev-list', '--objects', '--all', '--reflog', '--indexed-objects', '--ignore-missing', '--stdin'];
  return oidsIn(await gitOutput(worktree.git, list, { cwd: worktree.repository.root, input: linesOf(roots) }));
}

/** What they were built on. A commit that was lost since does not dangle while one of these is there, but lies about all the same. */
async function basesOf({ git, repository }: Pick<Worktree, 'git' | 'repository'>, commits: ReadonlySet<string>): Promise<string[]> {
  const input = linesOf(commits);
  const listed = await gitOutput(git, ['rev-list', '--no-walk=unsorted', '--parents', '--stdin'], { cwd: repository.root, input });
  return listed
    .toString()
    .split('\n')
    .flatMap((line) => line.split(' ').slice(1));
}
