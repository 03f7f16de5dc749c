import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GitError } from '@piton/git';
import type { Worktree } from '../worktree.ts';
import { keepPack, mergePacks } from './packs.ts';

/** What one `git fast-import` answers, line by line. Its pack is ours, and durable. */
export async function runImport(
  worktree: Worktree,
  name: string,
  stream: Iterable<Uint8Array>,
  options: readonly string[] = [],
): Promise<string[]> {
  const { git, repository, state } = worktree;
  const edges = join(state, `edges-${name}`);
  const args = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--done', '--date-format=raw', `--export-pack-edges=${edges}`];
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const result = await git([...args, ...options], { cwd: repository.root, input: batched(stream) });
    if (result.code !== 0) {
      // Its report of what went wrong, which nobody would ever read.
      if (result.pid !== undefined) rmSync(join(repository.gitDir, `fast_import_crash_${result.pid}`), { force: true });
      throw new GitError(args.slice(2), result);
    }
    await keepWritten(worktree, edges);
    return result.stdout.toString().split('\n');
  } finally {
    rmSync(edges, { force: true });
  }
}

/** Many short lines in one write. */
async function* batched(stream: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for (const part of stream) {
    parts.push(part);
    size += part.length;
    if (size < 256 * 1024) continue;
    yield Buffer.concat(parts);
    [parts, size] = [[], 0];
  }
  yield Buffer.concat(parts);
}

async function keepWritten(worktree: Worktree, edges: string): Promise<void> {
  const text = existsSync(edges) ? readFileSync(edges, 'utf8') : '';
  for (const [, file] of text.matchAll(/^(.*\.pack):/gm)) if (file) keepPack(resolve(worktree.repository.root, file));
  await mergePacks(worktree.git, worktree.repository);
}
