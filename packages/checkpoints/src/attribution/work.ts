import { gitOutput } from '@piton/git';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import { lookUp } from '../snapshot/tree.ts';
import { blobId, lookAt, readWorkingFile } from '../snapshot/working-file.ts';
import type { Worktree } from '../worktree.ts';
import { linesOf } from './lines.ts';

interface Version {
  readonly path: RawPath;
  readonly bytes: Buffer;
  readonly lines: readonly string[];
  /** As git would name these bytes. */
  readonly oid: string;
}

/** A file of the working tree as it is now. */
export interface Work extends Version {
  readonly kind: 'file' | 'symlink';
  /** HEAD; null before the first commit. */
  readonly commit: string | null;
}

/** A file as a commit has it. */
export interface Committed extends Version {
  readonly kind: 'committed';
  readonly commit: string;
}

export async function readWork({ git, repository }: Worktree, path: RawPath): Promise<Work | null> {
  const { kind } = lookAt(repository.root, path);
  if (kind !== 'file' && kind !== 'symlink') return null;
  const bytes = await readWorkingFile(repository.root, path, kind);
  if (bytes === null) return null;
  const { commit } = await readHead(git, repository);
  return { path, kind, bytes, lines: linesOf(bytes), oid: blobId(repository.objectFormat, bytes), commit };
}

export async function readCommitted({ git, repository }: Worktree, path: RawPath, rev: string): Promise<Committed | null> {
  const cwd = repository.root;
  const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `${rev}^{commit}`];
  const commit = (await gitOutput(git, args, { cwd })).toString().trim();
  const entry = (await lookUp(git, cwd, commit, [path])).get(path);
  if (!entry) return null;
  const bytes = await gitOutput(git, ['cat-file', 'blob', entry.oid], { cwd });
  return { path, kind: 'committed', bytes, lines: linesOf(bytes), oid: entry.oid, commit };
}
