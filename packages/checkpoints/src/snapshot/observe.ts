import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { conversionOf } from './conversion/attributes.ts';
import { convert } from './conversion/conversion.ts';
import { LFS_COPY_BYTES } from './conversion/converted.ts';
import { knownAttributes } from './conversion/known-attributes.ts';
import { lfsContent, parsePointer, pointerFor } from './conversion/lfs.ts';
import { besideOf } from './conversion/recipe.ts';
import type { Skipped, SkipReason } from './skipped.ts';
import type { StatusEntry } from './status.ts';
import { lookUp } from './tree.ts';
import { blobId, isAsSeen, lookAt, readWorkingFile, type Sighting, type WorkingFile } from './working-file.ts';
import type { Known } from './working-state.ts';

/** A file with the bytes to store, unless git has them already. */
export interface Observed extends Known {
  readonly stored?: Buffer;
  readonly bytes?: Buffer;
}

export interface Observation {
  readonly files: ReadonlyMap<RawPath, Observed>;
  /** Of the candidates, those that are as HEAD has them after all: by the bytes that they had when git said so. */
  readonly converted: ReadonlyMap<RawPath, Observed>;
  readonly skipped: readonly Skipped[];
}

/** What was read before an agent's tool could change it. */
export interface Held {
  readonly look: WorkingFile;
  readonly bytes: Buffer | null;
}

/** It may grow while somebody looks: what is read early counts from then on. */
export type HeldFiles = Pick<ReadonlyMap<RawPath, Held>, 'get' | 'keys'>;

interface Seen {
  readonly entry: StatusEntry;
  readonly look: WorkingFile;
  readonly held: Held | undefined;
}

interface Read extends Seen {
  readonly bytes: Buffer;
  readonly executable: boolean;
  readonly symlink: boolean;
  readonly sighting: Sighting;
}

const AT_ONCE = 32;

/** In between whoever wants a file held is heard. */
async function inTurns<T, R>(all: readonly T[], work: (one: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    if (at > 0) await setImmediate();
    done.push(...all.slice(at, at + AT_ONCE).map(work));
  }
  return done;
}

/** Tracked files first, and the small before the large: what a limit leaves out is as little as can be. */
function byImportance(a: Seen, b: Seen): number {
  const size = ({ look }: Seen) => ('bytes' in look ? look.bytes : 0);
  return Number(a.entry.untracked) - Number(b.entry.untracked) || size(a) - size(b);
}

/** What is known of files from an earlier look. */
export interface Previous {
  readonly files: ReadonlyMap<RawPath, Known>;
  readonly converted: ReadonlyMap<RawPath, Known>;
}

/** Reads the files that changed, within the limits. `previous` says what git has, `held` what was read before. */
export async function observe(
  worktree: Worktree,
  head: string | null,
  candidates: readonly StatusEntry[],
  previous: Previous,
  held: HeldFiles,
): Promise<Observation> {
  const { repository } = worktree;
  const files = new Map<RawPath, Observed>();
  const skipped: Skipped[] = [];
  const toRead: Read[] = [];
  const seen = await inTurns(candidates, (entry): Seen => {
    const early = held.get(entry.path);
    return { entry, look: early?.look ?? lookAt(repository.root, entry.path), held: early };
  });
  let total = 0;
  for (const one of seen.sort(byImportance)) {
    const { path, untracked } = one.entry;
    const { look } = one;
    const skip = (reason: SkipReason) => skipped.push({ path, reason, bytes: 'bytes' in look ? look.bytes : 0 });
    if (look.kind === 'absent') {
      if (!untracked) files.set(path, { entry: null, untracked });
    } else if (look.kind === 'directory') {
      const gitlink = one.entry.submodule ? await submoduleHead(worktree, path) : null;
      files.set(path, { entry: gitlink ? { mode: '160000', oid: gitlink } : null, untracked });
    } else if (look.kind === 'special' || look.kind === 'unreadable') {
      skip(look.kind);
    } else {
      const known = previous.files.get(path);
      if (!one.held && known?.sighting && known.entry && isAsSeen(look.sighting, known.sighting)) {
        files.set(path, { ...known, untracked });
        continue;
      }
      if (untracked && look.bytes > worktree.limits.fileBytes) {
        skip('too-large');
        continue;
      }
      if (total + look.bytes > worktree.limits.totalBytes) {
        skip('total-too-large');
        continue;
      }
      const read = one.held ? one.held.bytes : await readWorkingFile(repository.root, path, look.kind, look.bytes);
      // Somebody may have held it meanwhile, because it is about to be changed: then our own read may have come too late.
      const late = held.get(path);
      const bytes = late ? late.bytes : read;
      if (!bytes) skip('unreadable');
      else if (untracked && worktree.looksSecret(path, bytes)) skip('looks-secret');
      else {
        total += bytes.length;
        toRead.push({ ...one, held: late, bytes, executable: look.executable, symlink: look.kind === 'symlink', sighting: look.sighting });
      }
    }
  }
  const converted = new Map<RawPath, Observed>();
  const changed = toRead.filter((one) => {
    const known = previous.converted.get(one.entry.path);
    if (!known || !isUnchanged(worktree, one, known)) return true;
    converted.set(one.entry.path, { ...known, ...(one.held ? {} : { sighting: one.sighting }) });
    return false;
  });
  const refused = await addRead(worktree, head, changed, previous.files, files);
  return { files, converted, skipped: [...skipped, ...refused] };
}

async function submoduleHead({ ask, repository }: Worktree, path: RawPath): Promise<string | null> {
  const result = await ask(['rev-parse', '--quiet', '--verify', 'HEAD'], {
    cwd: join(repository.root, Buffer.from(path, 'latin1').toString()),
  });
  return result.code === 0 ? result.stdout.toString().trim() : null;
}

/** Has HEAD the same there as when git took these bytes for unchanged? Only a filter, which is not run, could say so again. */
function isUnchanged({ repository }: Worktree, { entry, bytes, executable, symlink }: Read, known: Known): boolean {
  if (symlink || entry.inHead === undefined || entry.inHead !== known.entry?.oid) return false;
  if (repository.settings.fileMode && executable !== (known.entry.mode === '100755')) return false;
  return sameBytes(repository.objectFormat, known, bytes);
}

const sameBytes = (format: 'sha1' | 'sha256', { entry, verbatim, recipe }: Known, bytes: Buffer): boolean =>
  recipe === 'lfs' ? blobId(format, pointerFor(bytes)) === entry?.oid : blobId(format, bytes) === (verbatim ?? entry?.oid);

/** What git would store for each; gives back those that it refuses, which are kept verbatim only. */
async function addRead(
  worktree: Worktree,
  head: string | null,
  read: readonly Read[],
  previous: ReadonlyMap<RawPath, Known>,
  files: Map<RawPath, Observed>,
): Promise<Skipped[]> {
  const { git, repository, state } = worktree;
  const regular = read.filter(({ symlink }) => !symlink).map(({ entry }) => entry.path);
  const [attributes, modes] = await Promise.all([
    knownAttributes(git, repository, join(state, 'none'), regular),
    repository.settings.fileMode || !head ? new Map() : lookUp(git, repository.root, head, regular),
  ]);
  const modeOf = ({ symlink, executable, entry }: Read): string => {
    if (symlink) return '120000';
    // HEAD may have a symlink or a submodule there: only of a file does it say whether it can be run.
    const runs = repository.settings.fileMode ? executable : modes.get(entry.path)?.mode === '100755';
    return runs ? '100755' : '100644';
  };
  const kinds = new Map(
    read.map((one) => [one, one.symlink ? 'same' : conversionOf(attributes.get(one.entry.path), repository.settings, one.bytes)]),
  );
  const onDisk = read.filter((one) => kinds.get(one) === 'ask' && !one.held).map(({ entry }) => entry.path);
  const conversions = await convert(git, repository, head, state, onDisk);
  const refused: Skipped[] = [];
  for (const one of read) {
    const { path, untracked } = one.entry;
    const mode = modeOf(one);
    const { bytes, sighting } = one;
    const oid = blobId(repository.objectFormat, bytes);
    const common = { untracked, ...(one.held ? {} : { sighting }) };
    const conversion = conversions.get(path);
    const known = previous.get(path);
    const kind = kinds.get(one);
    if (kind === 'same' || kind === 'filtered') files.set(path, { ...common, entry: { mode, oid }, stored: bytes });
    else if (kind === 'lfs') files.set(path, { ...common, ...lfsFile(repository, mode, bytes) });
    else if (conversion) {
      const beside = besideOf(repository.objectFormat, conversion.oid, bytes);
      files.set(path, { ...common, ...beside, entry: { mode, oid: conversion.oid }, stored: conversion.stored });
    } else if (one.held) {
      // By now the disk may have something else, so that git cannot be asked: unless it was, the last time.
      const isSame = known?.entry?.mode === mode && sameBytes(repository.objectFormat, known, bytes);
      files.set(path, isSame ? { ...known, ...common } : { ...common, entry: { mode, oid }, stored: bytes });
    } else {
      // Refused by git: the bytes themselves are all that can be kept.
      files.set(path, { ...common, entry: { mode, oid }, stored: bytes, verbatim: oid, bytes });
      refused.push({ path, reason: 'filter-failed', bytes: bytes.length });
    }
  }
  return refused;
}

/** The pointer; and the bytes, unless Git LFS has them, and they are many. */
function lfsFile(
  repository: Worktree['repository'],
  mode: string,
  bytes: Buffer,
): Pick<Observed, 'entry' | 'stored' | 'verbatim' | 'recipe' | 'bytes'> {
  const format = repository.objectFormat;
  const stored = pointerFor(bytes);
  const entry = { mode, oid: blobId(format, stored) };
  const pointer = stored === bytes || bytes.length <= LFS_COPY_BYTES ? null : parsePointer(stored);
  const isLeft = pointer !== null && lfsContent(repository, pointer) !== null;
  return isLeft
    ? { entry, stored, verbatim: `sha256:${pointer.sha256}`, recipe: 'lfs' }
    : { entry, stored, ...besideOf(format, entry.oid, bytes) };
}
