import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { fitsPattern, type NamedFiles } from '../authors/named-files.ts';
import { fromRoot, inInnerRepository, onDisk, type RawPath, rawPath } from '../raw-path.ts';
import { FILLED_IN } from '../repositories/named-paths.ts';
import { fits } from '../repositories/reached.ts';
import type { Held, HeldFiles } from '../snapshot/observe.ts';
import { lookAt, readSmall } from '../snapshot/working-file.ts';

/** Somebody else may write meanwhile: what is read in one go has to be little. */
const MOST_FILES = 512;
const MOST_BYTES = 16 * 1024 * 1024;
/** Names in folders, to find what fits a pattern. */
const MOST_NAMES = 10_000;

/** What a call names, as it lies there in this moment. */
export interface NamedNow {
  readonly held: HeldFiles;
  /** Of more than can be read at once nobody knows. */
  readonly isRead: (path: RawPath) => boolean;
}

/** What the thread that answers agents may read by itself: a file or two, that takes no longer than asking another thread. */
const FEW_FILES = 8;
const FEW_BYTES = 256 * 1024;

const ABSENT: Held = { look: { kind: 'absent' }, bytes: null };

/** Reads it at once and without git: nobody is heard before it is done. */
export function readNamedNow(directory: string, named: readonly NamedFiles[]): NamedNow {
  const root = realpathSync(directory);
  const held = new Map<RawPath, Held>();
  const reader = createReader(root, held);
  for (const { files } of named) for (const file of files) reader.read(fromRoot(root, file));
  const whole: RawPath[] = [];
  for (const { patterns } of named)
    for (const pattern of patterns)
      if (pattern.startsWith(`${root}/`)) {
        const inside = rawPath(pattern.slice(root.length + 1));
        if (reader.readAll(inside)) whole.push(inside);
      }
  const isMissing = (path: RawPath): boolean => whole.some((pattern) => fitsPattern(path, pattern));
  return {
    held: {
      get: (path) => held.get(path) ?? (isMissing(path) ? ABSENT : undefined),
      keys: () => [...held].flatMap(([path, { look }]) => (look.kind === 'absent' ? [] : [path])).values(),
    },
    isRead: (path) => held.has(path) || isMissing(path),
  };
}

/** As `readNamedNow`, of a few small files; null where it is more than that, or what a shell has to fill in. */
export function readFewNow(directory: string, named: readonly NamedFiles[]): Map<RawPath, Held> | null {
  if (named.some(({ patterns }) => patterns.length > 0)) return null;
  const held = new Map<RawPath, Held>();
  try {
    const root = realpathSync(directory);
    const reader = createReader(root, held, { files: FEW_FILES, bytes: FEW_BYTES });
    return named.every(({ files }) => files.every((file) => reader.read(fromRoot(root, file)))) ? held : null;
  } catch {
    return null; // the place is gone
  }
}

/** What was read elsewhere. */
export const namedAs = (read: readonly (readonly [RawPath, Held])[]): NamedNow => {
  // Between threads a buffer becomes plain bytes.
  const held = new Map(read.map(([path, { look, bytes }]) => [path, { look, bytes: bytes && Buffer.from(bytes) }]));
  return { held, isRead: (path) => held.has(path) };
};

function createReader(root: string, held: Map<RawPath, Held>, most = { files: MOST_FILES, bytes: MOST_BYTES }) {
  let [files, bytes, names] = [most.files, most.bytes, MOST_NAMES];
  /** False where it cannot be read now. */
  const read = (path: RawPath | null): boolean => {
    if (path === null || held.has(path) || inInnerRepository(root, path)) return true;
    if (files-- <= 0) return false;
    const look = lookAt(root, path);
    // A folder is no file: what is in it has names of its own.
    if (look.kind === 'absent') held.set(path, ABSENT);
    else if (look.kind === 'file' || look.kind === 'symlink') {
      bytes -= look.bytes;
      if (bytes < 0) return false;
      const content = contentOf(root, path, look.kind);
      if (content === null) return false;
      held.set(path, { look, bytes: content });
    }
    return true;
  };
  const namesIn = (folder: RawPath) => {
    const found = entriesOf(root, folder);
    names -= found.length;
    return names < 0 ? null : found;
  };
  /** Segment by segment; false where it is more than can be looked through. */
  const visit = (folder: RawPath, [first = '', ...rest]: readonly string[]): boolean => {
    if (first === '**' && rest.length > 0 && !visit(folder, rest)) return false;
    const found = isPlain(first) ? [{ name: first, isFolder: true }] : namesIn(folder);
    if (found === null) return false;
    return found.every(({ name, isFolder }) => {
      if (name === '.git') return true;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (first === '**') return (rest.length > 0 || read(path)) && (!isFolder || visit(path, [first, ...rest]));
      if (!isPlain(first) && !fits(first, name)) return true;
      return rest.length === 0 ? read(path) : !isFolder || visit(path, rest);
    });
  };
  return { read, readAll: (pattern: string): boolean => visit('', pattern.split('/')) };
}

const isPlain = (segment: string): boolean => segment !== '**' && !FILLED_IN.test(segment);

function entriesOf(root: string, folder: RawPath): { readonly name: RawPath; readonly isFolder: boolean }[] {
  try {
    return readdirSync(onDisk(root, folder), { encoding: 'buffer', withFileTypes: true }).map((entry) => ({
      name: (entry.name as unknown as Buffer).toString('latin1'),
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}

function contentOf(root: string, path: RawPath, kind: 'file' | 'symlink'): Buffer | null {
  try {
    return kind === 'symlink' ? readlinkSync(onDisk(root, path), { encoding: 'buffer' }) : readSmall(onDisk(root, path));
  } catch {
    return null;
  }
}
