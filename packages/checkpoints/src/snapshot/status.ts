import { type Git, gitOutput } from '@piton/git';
import { fields, type RawPath } from '../raw-path.ts';
import type { Repository } from '../repositories/repository.ts';
import { ageIndex, privateIndex } from './private-index.ts';

export interface StatusEntry {
  readonly path: RawPath;
  /** Neither in HEAD nor in the user's index. */
  readonly untracked: boolean;
  readonly submodule: boolean;
  /** The blob that HEAD and the index have there; absent where they differ, or there is none. */
  readonly inHead?: string;
}

export interface Status {
  /** Every path whose file may differ from HEAD. What is not here is as HEAD has it. */
  readonly entries: readonly StatusEntry[];
  /** Untracked directories that are repositories of their own: never entered. */
  readonly innerRepositories: readonly RawPath[];
  /** The private index, as git has left it. */
  readonly index: string;
}

/** One `git status`, against a private copy of the index. */
export async function readStatus(git: Git, repository: Repository, state: string): Promise<Status> {
  const index = await privateIndex(git, repository, state);
  const options = ['--porcelain=v2', '-z', '--untracked-files=all', '--ignored=no', '--no-renames', '--ignore-submodules=dirty'];
  // The lock that this may take is that of the private index; what it learns there makes the next one faster.
  const environment = { GIT_INDEX_FILE: index, GIT_OPTIONAL_LOCKS: '1' };
  const status = parseStatus(await gitOutput(git, ['status', ...options], { cwd: repository.root, environment }));
  await ageIndex(index);
  return { ...status, index };
}

export function parseStatus(output: Buffer): Omit<Status, 'index'> {
  const entries = new Map<RawPath, StatusEntry>();
  const innerRepositories: RawPath[] = [];
  for (const line of fields(output)) {
    const kind = line[0];
    if (kind === '?') {
      const path = line.slice(2);
      if (path.endsWith('/')) innerRepositories.push(path.slice(0, -1));
      // What was taken out of the index alone, HEAD still has.
      else if (!entries.has(path)) entries.set(path, { path, untracked: true, submodule: false });
    } else if (kind === '1' || kind === 'u') {
      // The path comes after a fixed number of words; it may hold spaces itself.
      const words = line.split(' ');
      const path = words.slice(kind === '1' ? 8 : 10).join(' ');
      const isStaged = kind === 'u' || words[6] !== words[7];
      const submodule = words[2]?.startsWith('S') ?? false;
      entries.set(path, { path, untracked: false, submodule, ...(!isStaged && words[6] && { inHead: words[6] }) });
    }
  }
  return { entries: [...entries.values()], innerRepositories };
}
