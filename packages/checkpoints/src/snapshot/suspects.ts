import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gitOutput } from '@piton/git';
import { blobSizes, blobsOf } from '../attribution/lines.ts';
import { fields, nulList, onDisk, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { type Pointer, parsePointer } from './conversion/lfs.ts';
import { fileSignature } from './file-signature.ts';
import { allEntries, changedEntries, type IndexEntry, listedPart } from './index-entries.ts';
import type { Entry } from './tree.ts';
import type { Sighting } from './working-file.ts';
import { replaceFile, writeWhole } from './working-state.ts';

/** A file in the index of which the disk may have other bytes, though git takes it for unchanged. */
export interface Suspect {
  readonly path: RawPath;
  readonly entry: Entry;
  /** What git has is a pointer of Git LFS. */
  readonly pointer?: Pointer;
  /** When the bytes were last seen to be the same. */
  alike?: Sighting;
}

export interface Suspects {
  /** The index that they were found in. */
  readonly index: string | null;
  readonly files: Suspect[];
  /** Where the index has a commit of another repository. */
  readonly submodules: readonly RawPath[];
  /** Files that were not there to be looked at. */
  readonly absent?: readonly RawPath[];
  /** The signature of the copy of what that index listed; null where there is none. Absent in what older versions wrote. */
  readonly listed?: string | null;
}

const suspectsFile = (state: string) => join(state, 'suspects.json');

/**
 * Git looks at the time stamps in its index, and where these have changed at what it would store: so whenever the bytes of a file change
 * that it takes for unchanged, its entry in the index does. Until then nobody need look at that file again. `index`: the private one,
 * after a `git status`.
 */
export async function readSuspects(worktree: Worktree, index: string): Promise<Suspects> {
  const now = fileSignature(index);
  const known = savedSuspects(worktree.state);
  if (known && now !== null && known.index === now) return known;
  const copy = copyOf(worktree, known);
  const listed = listedIn(index, hashBytesOf(worktree), copy);
  const news = listed && known && copy ? changesSince(worktree, listed, copy, known) : null;
  if (known && news?.all.length === 0 && news.gone.size === 0) {
    const same = { ...known, index: now };
    await saveSuspects(worktree, same);
    return same;
  }
  const all = news?.all ?? (listed ? allEntries(listed, hashBytesOf(worktree)) : await askedEntries(worktree, index));
  const before = new Map(known?.files.map((file) => [file.path, file]));
  const found = await findSuspects(worktree, all, before);
  const isKept = (path: RawPath): boolean => news !== null && !news.gone.has(path) && !news.paths.has(path);
  const merged = {
    index: now,
    files: [...(known?.files.filter(({ path }) => isKept(path)) ?? []), ...found.files],
    submodules: [...(known?.submodules.filter(isKept) ?? []), ...found.submodules],
    absent: found.absent,
    listed: listed && writeListed(worktree.state, listed),
  };
  await saveSuspects(worktree, merged);
  return merged;
}

const hashBytesOf = ({ repository }: Worktree): number => (repository.objectFormat === 'sha256' ? 32 : 20);

const listedFile = (state: string) => join(state, 'suspects.index');

/** What the index lists, as it was copied when it was last looked through; null where nobody knows. */
function copyOf({ state }: Worktree, known: Suspects | null): Buffer | null {
  if (!known?.listed || fileSignature(listedFile(state)) !== known.listed) return null;
  return bytesOf(listedFile(state));
}

/** Most often it lists what it did: git has written down what it learned of folders. */
function listedIn(index: string, hashBytes: number, copy: Buffer | null): Buffer | null {
  const bytes = bytesOf(index);
  if (bytes === null) return null;
  return copy?.equals(bytes.subarray(0, copy.length)) ? copy : listedPart(bytes, hashBytes);
}

function bytesOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

function writeListed(state: string, listed: Buffer): string | null {
  replaceFile(listedFile(state), listed);
  return fileSignature(listedFile(state));
}

interface News {
  /** To be looked at: what has changed in the index, and what was not there the last time. */
  readonly all: readonly IndexEntry[];
  readonly paths: ReadonlySet<RawPath>;
  readonly gone: ReadonlySet<RawPath>;
}

function changesSince(worktree: Worktree, listed: Buffer, copy: Buffer, { absent = [] }: Suspects): News {
  const hashBytes = hashBytesOf(worktree);
  const { changed, gone } = listed === copy ? { changed: [], gone: [] } : changedEntries(copy, listed, hashBytes);
  const missing = new Set(absent);
  const again = missing.size === 0 ? [] : allEntries(listed, hashBytes).filter(({ path }) => missing.has(path));
  const all = [...new Map([...changed, ...again].map((entry) => [entry.path, entry])).values()];
  return { all, paths: new Set(all.map(({ path }) => path)), gone: new Set(gone) };
}

export const saveSuspects = (worktree: Worktree, suspects: Suspects): Promise<void> =>
  writeWhole(suspectsFile(worktree.state), JSON.stringify(suspects));

function savedSuspects(state: string): Suspects | null {
  try {
    return JSON.parse(readFileSync(suspectsFile(state), 'utf8')) as Suspects;
  } catch {
    return null;
  }
}

/** Pointers have 126 bytes and a few more. */
const mayBePointer = (size: number): boolean => size >= 126 && size < 200;

/**
 * Whatever attributes and settings say now: a file may have been written under others. Line ends, `$Id$` and pointers show by their
 * size; what another encoding or a filter makes need not, so that such files are suspect by their attributes. And once suspect, a file
 * stays so: attributes may go, and what was written under them does not.
 */
async function findSuspects(
  worktree: Worktree,
  all: readonly IndexEntry[],
  known: ReadonlyMap<RawPath, Suspect>,
): Promise<Required<Pick<Suspects, 'files' | 'submodules' | 'absent'>>> {
  const { git, repository } = worktree;
  const cwd = repository.root;
  const regular = all.filter(({ entry }) => entry.mode.startsWith('100'));
  const onDiskSizes = await sizesOnDisk(cwd, regular);
  const there = regular.filter((_, at) => onDiskSizes[at] !== null);
  const bytes = onDiskSizes.filter((size) => size !== null);
  const oids = there.map(({ entry }) => entry.oid);
  const stored = oids.length === 0 ? [] : await blobSizes(git, cwd, oids);
  const sameSize = there.filter((_, at) => bytes[at] === stored[at]).map(({ path }) => path);
  const treacherous = await underOtherForms(worktree, sameSize);
  const found = there.filter(({ path }, at) => bytes[at] !== stored[at] || treacherous.has(path) || known.has(path));
  const sizes = new Map(there.map(({ path }, at) => [path, stored[at] ?? 0]));
  const short = found.filter(({ path }) => mayBePointer(sizes.get(path) ?? 0));
  const blobs = await blobsOf(
    git,
    cwd,
    short.map(({ entry }) => entry.oid),
  );
  const pointers = new Map(short.map(({ path }, at) => [path, parsePointer(blobs[at] ?? Buffer.alloc(0))]));
  const files = found.map(({ path, entry }): Suspect => {
    const pointer = pointers.get(path);
    const before = known.get(path);
    const alike = before?.entry.oid === entry.oid ? before.alike : undefined;
    return { path, entry, ...(pointer && { pointer }), ...(alike && { alike }) };
  });
  return {
    files,
    submodules: all.filter(({ entry }) => entry.mode === '160000').map(({ path }) => path),
    absent: regular.filter((_, at) => onDiskSizes[at] === null).map(({ path }) => path),
  };
}

/** Of an index in a form that only git reads. */
async function askedEntries({ git, repository }: Worktree, index: string): Promise<IndexEntry[]> {
  const options = { cwd: repository.root, environment: { GIT_INDEX_FILE: index } };
  return fields(await gitOutput(git, ['ls-files', '--stage', '-z'], options)).flatMap(parseStaged);
}

function parseStaged(line: string): IndexEntry[] {
  const [, mode, oid, path] = /^(\d+) ([0-9a-f]+) 0\t(.*)$/s.exec(line) ?? [];
  return mode && oid && path !== undefined ? [{ path, entry: { mode, oid } }] : [];
}

const AT_ONCE = 2000;

/** Null where there is no such file. In between whoever wants a file held is heard. */
async function sizesOnDisk(root: string, files: readonly { readonly path: RawPath }[]): Promise<(number | null)[]> {
  const sizes: (number | null)[] = [];
  for (const { path } of files) {
    if (sizes.length % AT_ONCE === AT_ONCE - 1) await setImmediate();
    sizes.push(sizeOnDisk(root, path));
  }
  return sizes;
}

function sizeOnDisk(root: string, path: RawPath): number | null {
  try {
    const found = lstatSync(onDisk(root, path), { throwIfNoEntry: false });
    return found?.isFile() ? found.size : null;
  } catch {
    return null;
  }
}

const OTHER_FORMS = new Set(['filter', 'ident', 'working-tree-encoding']);

async function underOtherForms({ git, repository, state }: Worktree, paths: readonly RawPath[]): Promise<Set<RawPath>> {
  if (paths.length === 0) return new Set();
  const options = { cwd: repository.root, input: nulList(paths), environment: { GIT_INDEX_FILE: join(state, 'none') } };
  // Only what is set is listed: of most files nothing is.
  const output = fields(await gitOutput(git, ['check-attr', '-z', '--stdin', '--all'], options));
  const found = new Set<RawPath>();
  for (let at = 0; at + 2 < output.length; at += 3) {
    const [path = '', name = '', value] = output.slice(at, at + 3);
    if (OTHER_FORMS.has(name) && value !== 'unset') found.add(path);
  }
  return found;
}
