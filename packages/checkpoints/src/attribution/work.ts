import type { RawPath } from '../raw-path.ts';
import { lookAt, readWorkingFile } from '../snapshot/working-file.ts';
import type { Worktree } from '../worktree.ts';
import { linesOf } from './lines.ts';

/** A file of the working tree as it is now. */
export interface Work {
  readonly path: RawPath;
  readonly kind: 'file' | 'symlink';
  readonly bytes: Buffer;
  readonly lines: readonly string[];
}

export async function readWork({ repository }: Worktree, path: RawPath): Promise<Work | null> {
  const { kind } = lookAt(repository.root, path);
  const bytes = kind === 'file' || kind === 'symlink' ? await readWorkingFile(repository.root, path, kind) : null;
  return bytes && (kind === 'file' || kind === 'symlink') ? { path, kind, bytes, lines: linesOf(bytes) } : null;
}
