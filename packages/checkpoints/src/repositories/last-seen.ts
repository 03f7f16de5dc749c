import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shownPath } from '../raw-path.ts';
import { readLastNow } from '../snapshot/working-state.ts';
import { worktreeKey } from './repository.ts';
import { stateDirectory } from './state-directory.ts';

/** What differed from HEAD when a working tree was last saved. Git is not asked: that takes as long as the repository is large. */
export interface LastSeen {
  readonly checkpoint: string;
  readonly atMs: number;
  readonly count: number;
  /** Some of the files, as they are shown. */
  readonly files: readonly string[];
}

const SHOWN = 20;

/** Null where no checkpoint was ever taken, or its time is not known. */
export function lastSeen(home: string, root: string): LastSeen | null {
  const gitDir = gitDirOf(root);
  const last = gitDir === null ? null : readLastNow(join(stateDirectory(home), worktreeKey({ gitDir })));
  if (last?.atMs === undefined) return null;
  const files = [...last.files.keys()];
  return { checkpoint: last.id, atMs: last.atMs, count: files.length, files: files.slice(0, SHOWN).map(shownPath) };
}

/** A linked worktree has a file that names it. */
function gitDirOf(root: string): string | null {
  try {
    const path = join(realpathSync(root), '.git');
    if (statSync(path).isDirectory()) return path;
    const named = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
    return named === undefined ? null : realpathSync(resolve(root, named));
  } catch {
    return null;
  }
}
