import { accessSync, constants, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { findGit } from '@piton/git';

/**
 * The git that the person had when they ran `piton init`. The environment is that of whichever agent happened to start the server:
 * what its `PATH` finds first may have come with a repository.
 */
export function gitProgram(home: string, path: string): string | undefined {
  try {
    const { git } = JSON.parse(readFileSync(join(home, 'place.json'), 'utf8')) as { git?: unknown };
    if (typeof git === 'string' && isAbsolute(git)) {
      accessSync(git, constants.X_OK);
      return git;
    }
  } catch {
    // not noted, or gone since
  }
  return findGit(path);
}
