import { createHash } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readHead } from '../repositories/repository.ts';
import type { Identity } from '../settings.ts';
import { difference } from '../snapshot/tree.ts';
import { writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { isBusy } from './busy.ts';

/** A commit that is to become the branch's, with the index that goes with it. */
export interface Publication {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly indexBefore: Buffer;
  readonly indexAfter: Buffer;
  readonly identity: Identity;
  readonly onStep?: (step: 'locked' | 'moved') => void | Promise<void>;
}

/** What a crash leaves behind is found by this. */
interface Note {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  /** Of the lock that is ours. */
  readonly lock: string;
  readonly pid: number;
  readonly at: number;
}

const noteFile = (worktree: Worktree): string => join(worktree.state, 'auto-commit.json');
const lockFile = (worktree: Worktree): string => `${worktree.repository.indexFile}.lock`;
const temporaryFile = (worktree: Worktree): string => `${worktree.repository.indexFile}.piton`;
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Moves the branch and the index together, as git itself does: under git's own lock on the index the new one is written
 * beside the old, then the branch moves if it is still where it was, then the new index takes the old one's place. False
 * where somebody was faster or is at work.
 */
export async function publish(worktree: Worktree, publication: Publication): Promise<boolean> {
  const { branch, from, to, indexBefore, indexAfter, onStep } = publication;
  const note: Note = { branch, from, to, lock: hashOf(indexAfter), pid: process.pid, at: worktree.now() };
  await writeWhole(noteFile(worktree), JSON.stringify(note));
  if (!(await writeLock(worktree, indexAfter))) return forget(worktree);
  let moved = false;
  try {
    await onStep?.('locked');
    moved = (await isUnchanged(worktree, branch, from, indexBefore)) && (await moveBranch(worktree, publication));
    if (moved) await onStep?.('moved');
  } finally {
    if (moved) await rename(lockFile(worktree), worktree.repository.indexFile);
    else await rm(lockFile(worktree), { force: true });
  }
  await forget(worktree);
  return moved;
}

async function forget(worktree: Worktree): Promise<false> {
  await rm(noteFile(worktree), { force: true });
  return false;
}

/** Whole at once, or not at all: a lock that was cut short could not be told from somebody else's. */
async function writeLock(worktree: Worktree, bytes: Buffer): Promise<boolean> {
  await writeFile(temporaryFile(worktree), bytes, { flush: true });
  try {
    await link(temporaryFile(worktree), lockFile(worktree));
    return true;
  } catch {
    return false;
  } finally {
    await rm(temporaryFile(worktree), { force: true });
  }
}

/** Nobody has staged, committed, switched or begun anything since this was worked out; from here on nobody can. */
async function isUnchanged(worktree: Worktree, branch: string, from: string, index: Buffer): Promise<boolean> {
  const { git, repository } = worktree;
  const now = await readFile(repository.indexFile).catch(() => null);
  const head = await readHead(git, repository);
  return now?.equals(index) === true && head.branch === branch && head.commit === from && !isBusy(repository);
}

async function moveBranch({ git, repository }: Worktree, { branch, from, to, identity }: Publication): Promise<boolean> {
  const environment = { GIT_COMMITTER_NAME: identity.name, GIT_COMMITTER_EMAIL: identity.email };
  const args = ['update-ref', '-m', 'piton: auto-commit', branch, to, from];
  return (await git(args, { cwd: repository.root, environment })).code === 0;
}

/** Nobody takes longer over it: whoever has that number now is another. */
const LONGEST_MS = 60_000;
const SETTLED_MS = 10_000;

/** Brings to its end what a crash has cut short: our lock on the index goes, and the index with the branch. */
export async function recoverAutoCommit(worktree: Worktree): Promise<void> {
  const text = await readFile(noteFile(worktree), 'utf8').catch(() => null);
  if (text === null) return;
  const note = JSON.parse(text) as Note;
  if (note.pid !== process.pid && isAlive(note.pid) && worktree.now() - note.at < LONGEST_MS) return;
  const lock = await readFile(lockFile(worktree)).catch(() => null);
  const { stdout } = await worktree.git(['rev-parse', '--quiet', '--verify', note.branch], { cwd: worktree.repository.root });
  const moved = stdout.toString().trim() === note.to;
  if (lock !== null && hashOf(lock) === note.lock) {
    if (moved) await rename(lockFile(worktree), worktree.repository.indexFile);
    else await rm(lockFile(worktree), { force: true });
  } else if (lock === null && moved) await followBranch(worktree, note);
  await rm(temporaryFile(worktree), { force: true });
  // A git that the dead one had started may move the branch yet: then the next look finds it.
  if (moved || worktree.now() - note.at > SETTLED_MS) await forget(worktree);
}

/** Somebody took our lock away, as git advises: the index still has what the branch had before. */
async function followBranch({ git, repository }: Worktree, { from, to }: Note): Promise<void> {
  const cwd = repository.root;
  const old = await git(['diff-index', '--cached', '--quiet', from, '--'], { cwd });
  if (old.code !== 0) return;
  const changed = await difference(git, cwd, from, to);
  const lines = changed.map(({ path, after }) => `${after?.mode ?? '0'} ${after?.oid ?? '0'.repeat(from.length)}\t${path}\0`);
  await git(['update-index', '-z', '--index-info'], { cwd, input: Buffer.from(lines.join(''), 'latin1') });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
