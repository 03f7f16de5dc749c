import { gitOutput } from '@piton/git';
import type { RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { ageIndex, privateIndex } from './private-index.ts';
import type { Skipped } from './skipped.ts';
import { UntrackedFiles } from './untracked-files.ts';

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
  /** Folders with more untracked files than there is room for. */
  readonly leftOut: readonly Skipped[];
}

/** One `git status`, against a private copy of the index. Its output is read as it comes: nobody knows how many files there are. */
export async function readStatus({ git, repository, state, limits }: Worktree): Promise<Status> {
  const index = await privateIndex(git, repository, state);
  const options = ['--porcelain=v2', '-z', '--untracked-files=all', '--ignored=no', '--no-renames', '--ignore-submodules=dirty'];
  // The lock that this may take is that of the private index; what it learns there makes the next one faster.
  const environment = { GIT_INDEX_FILE: index, GIT_OPTIONAL_LOCKS: '1' };
  const parser = new StatusParser(limits.untrackedFiles);
  const onOutput = (part: Buffer): void => parser.push(part);
  await gitOutput(git, ['status', ...options], { cwd: repository.root, environment, onOutput });
  await ageIndex(index);
  return { ...parser.status(), index };
}

export class StatusParser {
  readonly #entries = new Map<RawPath, StatusEntry>();
  readonly #innerRepositories: RawPath[] = [];
  readonly #untracked: UntrackedFiles;
  #rest = '';

  constructor(mostUntracked: number) {
    this.#untracked = new UntrackedFiles(mostUntracked);
  }

  push(part: Buffer): void {
    const lines = (this.#rest + part.toString('latin1')).split('\0');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  status(): Omit<Status, 'index'> {
    const untracked = this.#untracked.kept.map((path): StatusEntry => ({ path, untracked: true, submodule: false }));
    return {
      entries: [...this.#entries.values(), ...untracked],
      innerRepositories: this.#innerRepositories,
      leftOut: this.#untracked.leftOut(),
    };
  }

  #line(line: string): void {
    const kind = line[0];
    if (kind === '?') {
      const path = line.slice(2);
      if (path.endsWith('/')) this.#innerRepositories.push(path.slice(0, -1));
      // What was taken out of the index alone, HEAD still has: git lists it first.
      else if (!this.#entries.has(path)) this.#untracked.add(path);
    } else if (kind === '1' || kind === 'u') {
      // The path comes after a fixed number of words; it may hold spaces itself.
      const words = line.split(' ');
      const path = words.slice(kind === '1' ? 8 : 10).join(' ');
      const isStaged = kind === 'u' || words[6] !== words[7];
      const submodule = words[2]?.startsWith('S') ?? false;
      this.#entries.set(path, { path, untracked: false, submodule, ...(!isStaged && words[6] && { inHead: words[6] }) });
    }
  }
}
