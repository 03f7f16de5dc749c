import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '../../repositories/repository.ts';

/** What Git LFS stores in git for a file. */
export interface Pointer {
  readonly sha256: string;
  readonly bytes: number;
}

/** A pointer is shorter than this; what is longer is content. */
const LONGEST = 1024;

/** Null: it is no pointer, but content. */
export function parsePointer(blob: Buffer): Pointer | null {
  if (blob.length >= LONGEST) return null;
  const [, sha256, size] =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:([0-9a-f]{64})\nsize (\d+)\n$/.exec(blob.toString('latin1')) ?? [];
  return sha256 === undefined ? null : { sha256, bytes: Number(size) };
}

/** What `git lfs clean` makes of a file: nothing of an empty one, and a pointer stays one. */
export function pointerFor(content: Buffer): Buffer {
  if (content.length === 0 || parsePointer(content)) return content;
  const sha256 = createHash('sha256').update(content).digest('hex');
  return Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${content.length}\n`);
}

/** Where Git LFS keeps a file's content in this repository; null where it has none of it, or only a part. By its size: see `readContent`. */
export function lfsContent({ commonDir }: Pick<Repository, 'commonDir'>, { sha256, bytes }: Pointer): string | null {
  const file = join(commonDir, 'lfs', 'objects', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size === bytes ? file : null;
}

/** Null where it is not what the pointer says: whoever can write there could otherwise have us copy any file into the working tree. */
export async function readContent(repository: Pick<Repository, 'commonDir'>, pointer: Pointer): Promise<Buffer | null> {
  const file = lfsContent(repository, pointer);
  const content = file === null ? null : await readFile(file).catch(() => null);
  return content && createHash('sha256').update(content).digest('hex') === pointer.sha256 ? content : null;
}
