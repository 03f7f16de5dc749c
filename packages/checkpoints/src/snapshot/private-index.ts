import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, gitOutput } from '@piton/git';
import { fields, nulList, type RawPath } from '../raw-path.ts';
import type { Repository } from '../repositories/repository.ts';
import { fileSignature } from './file-signature.ts';
import { emptyTree } from './tree.ts';
import { writeWhole } from './working-state.ts';

/** The index that looks are made with. The user's own is only read. */
export interface PrivateIndex {
  readonly file: string;
  /** What the user's index has and HEAD has not: our own does not know it. With the mode. */
  readonly onlyStaged: ReadonlyMap<RawPath, string>;
}

/** What the private index was made of. */
interface Source {
  readonly head: string | null;
  /** The signature of the user's index; null where it could change and look the same. */
  readonly users: string | null;
  readonly onlyStaged: readonly (readonly [RawPath, string])[];
}

/**
 * An index of our own at HEAD. It begins as a copy of the user's, for the time stamps in it, and is moved when HEAD moves: so it keeps
 * what git has learned in looks before, the untracked cache above all, whatever the user stages. Where some files are not checked out
 * only the user's index knows which: then it is a copy, made again whenever the original has changed.
 */
export async function privateIndex(git: Git, repository: Repository, state: string, head: string | null): Promise<PrivateIndex> {
  const file = join(state, 'index');
  if (repository.settings.sparse) return { file: await copiedIndex(git, repository, state), onlyStaged: new Map() };
  const known = readSource(state);
  const users = fileSignature(repository.indexFile);
  if (known !== null && known.head === head && users !== null && known.users === users && existsSync(file))
    return { file, onlyStaged: new Map(known.onlyStaged) };
  await mkdir(state, { recursive: true, mode: 0o700 });
  // Git lists what differs from HEAD wherever this index is: one that was not moved, because we were killed, costs time alone.
  if (known === null || !existsSync(file)) await build(repository, file, (index) => begin(git, repository, index, head));
  else if (known.head !== head) await build(repository, file, (index) => move(git, repository, index, head), file);
  const onlyStaged = await readOnlyStaged(git, repository, head);
  await writeWhole(sourceFile(state), JSON.stringify({ head, users, onlyStaged } satisfies Source));
  return { file, onlyStaged: new Map(onlyStaged) };
}

const sourceFile = (state: string) => join(state, 'index.source');

/** The next look makes it anew, from the user's. False where there was none. */
export async function forgetIndex(state: string): Promise<boolean> {
  const wasThere = existsSync(sourceFile(state));
  for (const file of [sourceFile(state), join(state, 'index')]) await rm(file, { force: true });
  return wasThere;
}

/** Null also of what older versions wrote, which copied the user's index. */
function readSource(state: string): Source | null {
  try {
    const found = JSON.parse(readFileSync(sourceFile(state), 'utf8')) as Partial<Source>;
    return found.onlyStaged ? (found as Source) : null;
  } catch {
    return null;
  }
}

async function begin(git: Git, repository: Repository, index: string, head: string | null): Promise<void> {
  const options = { cwd: repository.root, environment: { GIT_INDEX_FILE: index } };
  if (existsSync(index)) {
    await unhide(git, repository, index);
    // The one that is read without git: see `index-entries.ts`.
    await gitOutput(git, ['update-index', '--index-version', '2'], options);
  }
  await move(git, repository, index, head);
}

/** What is the same there keeps its time stamps, and the untracked cache stays. */
async function move(git: Git, { root }: Repository, index: string, head: string | null): Promise<void> {
  const to = head === null ? ['--empty'] : ['--reset', head];
  await gitOutput(git, ['-c', 'core.untrackedCache=keep', 'read-tree', ...to], { cwd: root, environment: { GIT_INDEX_FILE: index } });
}

/**
 * Made beside, and put in place when it is ready: a lock that a killed git left stops nobody. It stays as old as what it was made of,
 * since only by its age does git know which files and folders to doubt.
 */
async function build(repository: Repository, file: string, make: (index: string) => Promise<void>, from = repository.indexFile) {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.new`;
  try {
    const found = await stat(from).catch(() => null);
    if (found) await writeFile(temporary, await readFile(from), { mode: 0o600 });
    if (found) await age(temporary, found.mtimeMs);
    await make(temporary);
    if (found && existsSync(temporary)) await age(temporary, found.mtimeMs);
    if (existsSync(temporary)) await rename(temporary, file);
    else await rm(file, { force: true });
    await rm(`${file}.lock`, { force: true });
  } finally {
    for (const left of [temporary, `${temporary}.lock`]) await rm(left, { force: true });
  }
}

/** Also what is in a conflict, or was only announced with `git add -N`. */
async function readOnlyStaged(git: Git, { root, indexFile, objectFormat }: Repository, head: string | null): Promise<[RawPath, string][]> {
  if (!existsSync(indexFile)) return [];
  const args = ['diff-index', '--cached', '--raw', '-z', '--no-abbrev', '--no-renames', '--ignore-submodules=none'];
  const options = { cwd: root, environment: { GIT_INDEX_FILE: indexFile } };
  const output = fields(await gitOutput(git, [...args, head ?? emptyTree(objectFormat), '--'], options));
  const found: [RawPath, string][] = [];
  for (let at = 0; at + 1 < output.length; at += 2) {
    const [inHead, staged, , , status] = (output[at] ?? '').slice(1).split(' ');
    if (inHead === '000000' && (status === 'A' || status === 'U')) found.push([output[at + 1] ?? '', staged ?? '']);
  }
  return found;
}

async function copiedIndex(git: Git, repository: Repository, state: string): Promise<string> {
  const file = join(state, 'index');
  const now = fileSignature(repository.indexFile);
  const source = sourceFile(state);
  if (now === null || now !== (await readFile(source, 'utf8').catch(() => null))) {
    await mkdir(state, { recursive: true, mode: 0o700 });
    await rm(source, { force: true });
    if (now === 'none') await rm(file, { force: true });
    else await build(repository, file, (index) => unhide(git, repository, index));
    if (now !== null) await writeWhole(source, now);
  }
  return file;
}

/**
 * A file that changed in the second in which its entry was written looks unchanged; git knows to doubt such entries by the age of the
 * index. The file system of the working tree may know whole seconds alone, and that of the index more.
 */
const age = (file: string, mtimeMs: number): Promise<void> => utimes(file, Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000));

/** The clock of a file system is behind by up to a tick. */
const TICK_MS = 20;

/** Git may write the index anew, long after it has looked at the first files: it is as old as the beginning of that. */
export async function agedIndex<T>(file: string, work: () => Promise<T>): Promise<T> {
  const before = fileSignature(file);
  const beganMs = Date.now() - TICK_MS;
  const done = await work();
  if (before === null || fileSignature(file) !== before) {
    const found = await stat(file).catch(() => null);
    if (found) await age(file, Math.min(found.mtimeMs, beganMs));
  }
  return done;
}

/** "Assume unchanged" hides what an agent does to a file, and so does "skip worktree" where no checkout is sparse. */
async function unhide(git: Git, repository: Repository, file: string): Promise<void> {
  const options = { cwd: repository.root, environment: { GIT_INDEX_FILE: file } };
  const hidden = fields(await gitOutput(git, ['ls-files', '-v', '-z'], options));
  const assumed = hidden.filter((line) => /^[a-z] /.test(line)).map((line) => line.slice(2));
  const skipped = repository.settings.sparse ? [] : hidden.filter((line) => /^S /i.test(line)).map((line) => line.slice(2));
  const update = (flag: string, paths: readonly string[]) =>
    gitOutput(git, ['update-index', flag, '-z', '--stdin'], { ...options, input: nulList(paths) });
  if (assumed.length > 0) await update('--no-assume-unchanged', assumed);
  if (skipped.length > 0) await update('--no-skip-worktree', skipped);
}
