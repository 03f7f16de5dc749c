import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Checkpoints } from '@piton/checkpoints';

/** The root of a working tree of this repository, by the name that its checkpoints carry. Null if it is gone. */
export function worktreeRoot({ repository: { commonDir } }: Checkpoints, name: string): string | null {
  // As git tells it: the main one is around its git directory, or is that, whatever it is called.
  const root = name === 'main' ? commonDir.replace(/\/\.git$/, '') : linkedRoot(join(commonDir, 'worktrees', name, 'gitdir'));
  return root !== null && existsSync(root) ? root : null;
}

function linkedRoot(file: string): string | null {
  try {
    return dirname(readFileSync(file, 'utf8').trimEnd());
  } catch {
    return null;
  }
}
