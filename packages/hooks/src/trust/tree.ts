import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TreeFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly executable: boolean;
  readonly bytes: Buffer;
}

/** A folder as it was read, once: what is shown, hashed and copied are the same bytes. */
export interface Tree {
  readonly files: readonly TreeFile[];
  readonly hash: string;
  /** Links, pipes and the like: never followed, never copied. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}
export type TreeResult = { readonly ok: true; readonly tree: Tree } | { readonly ok: false; readonly error: string };

/** More than this beside a hook is a mistake (a `node_modules`), not a hook. */
const MOST_FILES = 2000;
/** With their folders, of which files that may be trusted have fewer. */
const MOST_ENTRIES = 5 * MOST_FILES;
const MOST_BYTES = 64 * 1024 * 1024;

export function readTree(directory: string): TreeResult {
  const files: TreeFile[] = [];
  const leftOut: { path: string; why: string }[] = [];
  let bytes = 0;
  const visit = (below: string): string | undefined => {
    for (const name of readdirSync(join(directory, below)).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      const stat = lstatSync(join(directory, path));
      if (stat.isDirectory()) {
        const error = visit(path);
        if (error !== undefined) return error;
      } else if (!stat.isFile()) {
        leftOut.push({ path, why: stat.isSymbolicLink() ? 'a symbolic link' : 'not a file' });
      } else {
        // Before it is read: a folder that is too large must not be held.
        bytes += stat.size;
        if (files.length >= MOST_FILES || bytes > MOST_BYTES)
          return `${directory} holds more than ${MOST_FILES} files or 64 MB: keep only the hook there`;
        files.push({ path, ...readPlain(join(directory, path)) });
      }
    }
    return undefined;
  };
  try {
    if (!lstatSync(directory).isDirectory()) return { ok: false, error: `${directory} is a link or not a directory` };
    const error = visit('');
    return error === undefined ? { ok: true, tree: { files, hash: hashOf(files), leftOut } } : { ok: false, error };
  } catch (error) {
    return { ok: false, error: (error as Error).message };
  }
}

export const treeOf = (files: readonly TreeFile[]): Tree => ({ files, hash: hashOf(files), leftOut: [] });

/** The file may have become a link or a pipe since it was listed: then opening it fails, and never waits. */
function readPlain(path: string): { executable: boolean; bytes: Buffer } {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error(`${path} is not a file`);
    return { executable: (stat.mode & 0o111) !== 0, bytes: readFileSync(handle) };
  } finally {
    closeSync(handle);
  }
}

function hashOf(files: readonly TreeFile[]): string {
  const hash = createHash('sha256').update('piton tree 1\n');
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, executable, bytes } of sorted) {
    hash.update(`${Buffer.byteLength(path)} ${path} ${executable ? 'x' : '-'} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Changes whenever a file of the folder does, and costs no reading. Null if it cannot be read. */
export function treeStamp(directory: string): { readonly text: string; readonly newestMs: number } | null {
  let newestMs = 0;
  let files = 0;
  const parts: string[] = [];
  const visit = (path: string): void => {
    const stat = lstatSync(path);
    newestMs = Math.max(newestMs, stat.ctimeMs);
    parts.push(`${path} ${stat.ino} ${stat.ctimeMs} ${stat.size}`);
    // An agent waits for this, and a repository may put any number of files beside a hook that is trusted.
    if (!stat.isDirectory()) files++;
    if (files > MOST_FILES || parts.length > MOST_ENTRIES) throw new Error('too many files');
    if (stat.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
  };
  try {
    visit(directory);
    return { text: parts.join('\n'), newestMs };
  } catch {
    return null;
  }
}
