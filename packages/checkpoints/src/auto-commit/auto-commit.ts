import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError, gitOutput } from '@piton/git';
import { type Checkpoint, oneLine } from '../checkpoint.ts';
import { reserve } from '../links/reservation.ts';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import type { Identity, Trailer } from '../settings.ts';
import type { Entry } from '../snapshot/tree.ts';
import type { Worktree } from '../worktree.ts';
import { isBusy } from './busy.ts';
import { type Publication, publish } from './publish.ts';
import { turnChanges } from './turn-changes.ts';

export interface AutoCommitRequest {
  /** The last checkpoint of the turn. */
  readonly end: Checkpoint;
  /** What the turn was about. */
  readonly subject: string;
  readonly identity: Identity;
  readonly trailer: Trailer;
  /** For tests that end the process in the middle. */
  readonly onStep?: Publication['onStep'];
}

export type AutoCommitted =
  | { readonly result: 'committed'; readonly commit: string; readonly left: readonly RawPath[] }
  /** The agent changed nothing that HEAD does not have. */
  | { readonly result: 'nothing'; readonly left: readonly RawPath[] }
  | { readonly result: 'skipped'; readonly why: Skip };

export type Skip = 'operation' | 'detached' | 'unborn' | 'staged' | 'shared' | 'no-before-image' | 'busy';

/** The index may be written by somebody else just now; a moment later it is not. */
const TRIES = 3;
const PAUSE_MS = 200;

/**
 * A commit of what an agent changed in a turn, on the branch that is checked out. Made of objects alone: no hook of the
 * user's runs, nothing is signed, and what is in the working tree stays as it is. Where anything stands in the way, there is none.
 */
export async function autoCommit(worktree: Worktree, request: AutoCommitRequest): Promise<AutoCommitted> {
  for (let tries = 1; ; tries++) {
    const done = await attempt(worktree, request);
    if (done.result !== 'skipped' || done.why !== 'busy' || tries === TRIES) return done;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function attempt(worktree: Worktree, request: AutoCommitRequest): Promise<AutoCommitted> {
  const { git, repository } = worktree;
  const skipped = (why: Skip): AutoCommitted => ({ result: 'skipped', why });
  if (isBusy(repository)) return skipped('operation');
  const head = await readHead(git, repository);
  if (head.branch === null) return skipped('detached');
  if (head.commit === null) return skipped('unborn');
  const changes = await turnChanges(worktree, request.end);
  if (changes.result !== 'changes') return skipped(changes.result);
  if (changes.files.size === 0) return { result: 'nothing', left: changes.left };

  const directory = await mkdtemp(join(worktree.state, 'auto-commit-'));
  try {
    const age = (await stat(repository.indexFile).catch(() => null))?.mtimeMs;
    const before = await readFile(repository.indexFile).catch(() => null);
    if (before === null || age === undefined) return skipped('staged');
    const index = join(directory, 'index');
    await writeFile(index, before);
    // By the age of its index git tells which files it must read again: a younger copy would hide changes.
    await utimes(index, new Date(Math.floor(age)), new Date(Math.floor(age)));
    if (await hasStaged(worktree, head.commit, index)) return skipped('staged');
    const tree = await treeWith(worktree, changes.files, index);
    if (tree === (await treeOf(worktree, head.commit))) return { result: 'nothing', left: changes.left };
    const message = await messageOf(worktree, request);
    const commit = await writeCommit(worktree, tree, head.commit, message, request.identity);
    const moved = await publish(worktree, {
      branch: head.branch,
      from: head.commit,
      to: commit,
      indexBefore: before,
      indexAfter: await readFile(index),
      identity: request.identity,
      ...(request.onStep && { onStep: request.onStep }),
    });
    return moved ? { result: 'committed', commit, left: changes.left } : skipped('busy');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function hasStaged({ git, repository }: Worktree, head: string, index: string): Promise<boolean> {
  const args = ['diff-index', '--cached', '--quiet', '--no-ext-diff', head, '--'];
  const result = await git(args, { cwd: repository.root, environment: { GIT_INDEX_FILE: index } });
  if (result.code === 0 || result.code === 1) return result.code === 1;
  throw new GitError(args, result);
}

/** The index is HEAD's, so with these files in it, it is what will be committed. Only the copy is written. */
async function treeWith({ git, repository }: Worktree, files: ReadonlyMap<RawPath, Entry | null>, index: string): Promise<string> {
  const none = '0'.repeat(repository.objectFormat === 'sha256' ? 64 : 40);
  const lines = [...files].map(([path, entry]) => `${entry?.mode ?? '0'} ${entry?.oid ?? none}\t${path}\0`);
  const options = { cwd: repository.root, environment: { GIT_INDEX_FILE: index } };
  await gitOutput(git, ['update-index', '-z', '--index-info'], { ...options, input: Buffer.from(lines.join(''), 'latin1') });
  return (await gitOutput(git, ['write-tree'], options)).toString().trim();
}

const treeOf = async ({ git, repository }: Worktree, commit: string): Promise<string> =>
  (await gitOutput(git, ['rev-parse', `${commit}^{tree}`], { cwd: repository.root })).toString().trim();

/** The prompt's first line, without secrets; the line that links it is promised before the commit is there. */
async function messageOf(worktree: Worktree, { end, subject, trailer }: AutoCommitRequest): Promise<string> {
  const title = oneLine(worktree.redact(subject.trim().split('\n')[0] ?? ''), 72) || 'Work of an agent';
  if (trailer === 'never') return `${title}\n`;
  const { id } = await reserve(worktree, end.session);
  return `${title}\n\nPiton-Checkpoint: ${id}\n`;
}

async function writeCommit(
  { git, repository }: Worktree,
  tree: string,
  parent: string,
  message: string,
  { name, email }: Identity,
): Promise<string> {
  const environment = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  const args = ['-c', 'commit.gpgSign=false', 'commit-tree', tree, '-p', parent, '-F', '-'];
  return (await gitOutput(git, args, { cwd: repository.root, environment, input: Buffer.from(message) })).toString().trim();
}
