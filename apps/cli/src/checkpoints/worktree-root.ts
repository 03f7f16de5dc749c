import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Checkpoints } from '@piton/checkpoints';

/** The root of a working tree of this repository, by the name that its checkpoints carry. Null if it is gone. */
export async function worktreeRoot({ git, repository }: Checkpoints, name: string): Promise<string | null> {
  const root = name === 'main' ? await mainRoot(git, repository.root) : linkedRoot(join(repository.commonDir, 'worktrees', name, 'gitdir'));
  return root !== null && existsSync(root) ? root : null;
}

/** Git lists the main working tree first, whatever its git directory is called. */
async function mainRoot(git: Checkpoints['git'], cwd: string): Promise<string | null> {
  const { stdout } = await git(['worktree', 'list', '--porcelain'], { cwd });
  return /^worktree (.+)$/m.exec(stdout.toString())?.[1] ?? null;
}

function linkedRoot(file: string): string | null {
  try {
    return dirname(readFileSync(file, 'utf8').trimEnd());
  } catch {
    return null;
  }
}
