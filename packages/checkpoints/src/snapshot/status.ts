import { type Git, gitOutput } from '@piton/git';
import { fields, type RawPath } from '../raw-path.ts';
import type { Repository } from '../repositories/repository.ts';
import { privateIndex } from './private-index.ts';

export interface StatusEntry {
  readonly path: RawPath;
  /** Neither in HEAD nor in the user's index. */
  readonly untracked: boolean;
  readonly submodule: boolean;
}

export interface Status {
  /** Every path whose file may differ from HEAD. What is not here is as HEAD has it. */
  readonly entries: readonly StatusEntry[];
  /** Untracked directories that are repositories of their own: never entered. */
  readonly innerRepositories: readonly RawPath[];
}

/** One `git status`, against a private copy of the index. */
export async function readStatus(git: Git, repository: Repository, state: string): Promise<Status> {
  const index = await privateIndex(git, repository, state);
  const options = ['--porcelain=v2', '-z', '--untracked-files=all', '--ignored=no', '--no-renames', '--ignore-submodules=dirty'];
  // The lock that this may take is that of the private index; what it learns there makes the next one faster.
  const environment = { GIT_INDEX_FILE: index, GIT_OPTIONAL_LOCKS: '1' };
  return parseStatus(await gitOutput(git, ['status', ...options], { cwd: repository.root, environment }));
}

export function parseStatus(output: Buffer): Status {
  const entries: StatusEntry[] = [];
  const innerRepositories: RawPath[] = [];
  for (const line of fields(output)) {
    const kind = line[0];
    if (kind === '?') {
      const path = line.slice(2);
      if (path.endsWith('/')) innerRepositories.push(path.slice(0, -1));
      else entries.push({ path, untracked: true, submodule: false });
    } else if (kind === '1' || kind === 'u') {
      // The path comes after a fixed number of words; it may hold spaces itself.
      const words = line.split(' ');
      const path = words.slice(kind === '1' ? 8 : 10).join(' ');
      entries.push({ path, untracked: false, submodule: words[2]?.startsWith('S') ?? false });
    }
  }
  return { entries, innerRepositories };
}
