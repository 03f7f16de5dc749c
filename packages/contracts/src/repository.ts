import { readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface Repository {
  readonly root: string;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
}

/** The repository around a directory and its branch, read from git's own files: a git process would cost more than the event. */
export function repositoryOf(cwd: string): Repository | null {
  if (!isAbsolute(cwd)) return null;
  for (let at = cwd; ; at = dirname(at)) {
    const stat = lookAt(join(at, '.git'));
    if (stat) return { root: at, branch: branchOf(stat.isDirectory() ? join(at, '.git') : linkedDirectory(at)) };
    if (dirname(at) === at) return null;
  }
}

/** Names that no file can have, and places that we may not look at, are places without a repository. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** In a linked worktree and in a submodule `.git` is a file that names the directory. */
function linkedDirectory(root: string): string {
  try {
    return resolve(
      root,
      readFileSync(join(root, '.git'), 'utf8')
        .replace(/^gitdir:\s*/, '')
        .trim(),
    );
  } catch {
    return '';
  }
}

function branchOf(directory: string): string | null {
  try {
    return /^ref: refs\/heads\/(.+)$/m.exec(readFileSync(join(directory, 'HEAD'), 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}
