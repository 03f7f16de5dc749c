import { GitError, gitOutput } from '@piton/git';
import type { RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { agedIndex, forgetIndex, privateIndex } from './private-index.ts';
import type { Skipped } from './skipped.ts';
import { untrackedCache } from './untracked-cache.ts';
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

/**
 * One `git status`, with an index of our own. Its output is read as it comes: nobody knows how many files there are. `head`: what HEAD
 * was just now; if it has moved since, more is listed than need be.
 */
export async function readStatus(worktree: Worktree, head: string | null): Promise<Status> {
  try {
    return await askStatus(worktree, head);
  } catch (error) {
    // What lies there may be no index at all, after a power cut or a full disk.
    if (!(error instanceof GitError) || !(await forgetIndex(worktree.state))) throw error;
    return askStatus(worktree, head);
  }
}

async function askStatus({ git, repository, state, limits }: Worktree, head: string | null): Promise<Status> {
  const { file, onlyStaged } = await privateIndex(git, repository, state, head);
  const options = ['--porcelain=v2', '-z', '--untracked-files=all', '--ignored=no', '--no-renames', '--ignore-submodules=dirty'];
  // The lock that this may take is that of the private index; what it learns there makes the next one faster.
  const environment = { GIT_INDEX_FILE: file, GIT_OPTIONAL_LOCKS: '1' };
  const parser = new StatusParser(limits.untrackedFiles, onlyStaged);
  const onOutput = (part: Buffer): void => parser.push(part);
  const args = [...untrackedCache(repository.root), 'status', ...options];
  await agedIndex(file, () => gitOutput(git, args, { cwd: repository.root, environment, onOutput }));
  return { ...parser.status(), index: file };
}

/** Tracked files that git takes for changed in this moment. `index`: the private one, which is left as it is. */
export async function changedByNow({ git, repository }: Worktree, index: string): Promise<ReadonlyMap<RawPath, StatusEntry>> {
  const parser = new StatusParser(0);
  const environment = { GIT_INDEX_FILE: index, GIT_OPTIONAL_LOCKS: '0' };
  const options = ['--porcelain=v2', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'];
  const onOutput = (part: Buffer): void => parser.push(part);
  await gitOutput(git, ['status', ...options], { cwd: repository.root, environment, onOutput });
  return new Map(parser.status().entries.map((entry) => [entry.path, entry]));
}

export class StatusParser {
  readonly #entries = new Map<RawPath, StatusEntry>();
  readonly #innerRepositories: RawPath[] = [];
  readonly #untracked: UntrackedFiles;
  /** Only the user's index has these: git has not seen that one, and may well call them untracked or ignored. */
  readonly #staged: ReadonlyMap<RawPath, string>;
  #rest = '';

  constructor(mostUntracked: number, onlyStaged: ReadonlyMap<RawPath, string> = new Map()) {
    this.#untracked = new UntrackedFiles(mostUntracked);
    this.#staged = onlyStaged;
  }

  push(part: Buffer): void {
    const lines = (this.#rest + part.toString('latin1')).split('\0');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  status(): Omit<Status, 'index'> {
    const untracked = this.#untracked.kept.map((path): StatusEntry => ({ path, untracked: true, submodule: false }));
    const staged = [...this.#staged].flatMap(([path, mode]): StatusEntry[] =>
      this.#entries.has(path) ? [] : [{ path, untracked: false, submodule: mode === '160000' }],
    );
    return {
      entries: [...this.#entries.values(), ...staged, ...untracked],
      innerRepositories: this.#innerRepositories,
      leftOut: this.#untracked.leftOut(),
    };
  }

  #inner(path: RawPath): void {
    if (!this.#staged.has(path)) this.#innerRepositories.push(path);
  }

  #line(line: string): void {
    const kind = line[0];
    if (kind === '?') {
      const path = line.slice(2);
      if (path.endsWith('/')) this.#inner(path.slice(0, -1));
      else if (this.#staged.has(path)) return;
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
