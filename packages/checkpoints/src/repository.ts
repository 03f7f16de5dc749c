import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Git } from './git.ts';

/** What does not change while a repository lies where it lies. */
export interface Repository {
  /** The working tree, symlinks resolved. */
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly indexFile: string;
  readonly packDir: string;
  readonly hooksDir: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** `main`, or git's name of the linked worktree: stays when the directory is moved. */
  readonly worktree: string;
  readonly shallow: boolean;
  readonly settings: RepositorySettings;
}

export interface RepositorySettings {
  readonly fileMode: boolean;
  readonly sparse: boolean;
  readonly partial: boolean;
  /** A text file without a CR may get one when it is checked out. */
  readonly addsCarriageReturns: boolean;
  /** `core.autocrlf = input`. */
  readonly dropsCarriageReturns: boolean;
  /** Drivers named `filter.<name>` that do something. */
  readonly filters: ReadonlySet<string>;
}

export interface Head {
  /** Null before the first commit. */
  readonly commit: string | null;
  /** The full name, `refs/heads/…`; null when detached. */
  readonly branch: string | null;
}

export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert';

/** The repository whose working tree holds this directory, which need not exist any more; null where there is none. */
export async function findRepository(git: Git, directory: string): Promise<Repository | null> {
  let cwd = directory;
  while (!existsSync(cwd) && dirname(cwd) !== cwd) cwd = dirname(cwd);
  const args = ['--path-format=absolute', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'];
  const paths = ['--git-path', 'index', '--git-path', 'objects/pack'];
  const found = await git(['rev-parse', ...args, ...paths, '--show-object-format', '--is-shallow-repository'], { cwd });
  if (found.code !== 0) return null;
  const [top, gitDir, commonDir, indexFile, packDir, format, shallow] = found.stdout.toString().split('\n');
  if (!top || !gitDir || !commonDir || !indexFile || !packDir) return null;
  return {
    root: await realpath(top),
    gitDir,
    commonDir,
    indexFile,
    packDir,
    hooksDir: await hooksDirectory(git, top, commonDir),
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    worktree: dirname(gitDir) === join(commonDir, 'worktrees') ? basename(gitDir) : 'main',
    shallow: shallow === 'true',
    settings: await readSettings(git, top),
  };
}

/** What `rev-parse --git-path hooks` would say to the user: to us it tells the place that we gave on the command line. */
async function hooksDirectory(git: Git, cwd: string, commonDir: string): Promise<string> {
  const set = await git(['config', '--type=path', '--get-all', 'core.hooksPath'], { cwd });
  // The last value is our own.
  const path = set.stdout.toString().split('\n').slice(0, -2).pop();
  return path ? join(path.startsWith('/') ? '' : cwd, path) : join(commonDir, 'hooks');
}

async function readSettings(git: Git, cwd: string): Promise<RepositorySettings> {
  const wanted =
    '^(core\\.(filemode|sparsecheckout|autocrlf|eol)|extensions\\.partialclone|remote\\..*\\.promisor|filter\\..*\\.(clean|process|smudge))$';
  const { stdout } = await git(['config', '-z', '--get-regexp', wanted], { cwd });
  const values = new Map<string, string>();
  const filters = new Set<string>();
  for (const pair of stdout.toString().split('\0')) {
    const [name = '', ...value] = pair.split('\n');
    values.set(name, value.join('\n'));
    const driver = /^filter\.(.*)\.(clean|process|smudge)$/.exec(name)?.[1];
    if (driver !== undefined && value.join('\n') !== '') filters.add(driver);
  }
  const truth = (name: string) => /^(true|yes|on|1|)$/i.test(values.get(name) ?? 'no');
  return {
    fileMode: !values.has('core.filemode') || truth('core.filemode'),
    sparse: truth('core.sparsecheckout'),
    partial: [...values.keys()].some((name) => name === 'extensions.partialclone' || name.endsWith('.promisor')),
    addsCarriageReturns: truth('core.autocrlf') || values.get('core.eol')?.toLowerCase() === 'crlf',
    dropsCarriageReturns: values.get('core.autocrlf')?.toLowerCase() === 'input',
    filters,
  };
}

export async function readHead(git: Git, repository: Repository): Promise<Head> {
  const [commit, branch] = await Promise.all([
    git(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { cwd: repository.root }),
    headBranch(git, repository),
  ]);
  return { commit: commit.stdout.toString().trim() || null, branch };
}

/** From git's own file, which takes no process; other ways to keep refs have a file that points nowhere. */
async function headBranch(git: Git, { root, gitDir }: Repository): Promise<string | null> {
  const text = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  if (/^[0-9a-f]{40,64}\s*$/.test(text)) return null;
  const branch = /^ref: (refs\/heads\/.+)$/m.exec(text)?.[1];
  if (branch && !branch.endsWith('/.invalid')) return branch;
  return (await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: root })).stdout.toString().trim() || null;
}

/** What git is in the middle of, from the files by which git itself knows. */
export function openOperation({ gitDir }: Repository): Operation | null {
  const there = (name: string) => existsSync(join(gitDir, name));
  if (there('rebase-merge') || there('rebase-apply')) return 'rebase';
  if (there('MERGE_HEAD')) return 'merge';
  if (there('CHERRY_PICK_HEAD')) return 'cherry-pick';
  if (there('REVERT_HEAD')) return 'revert';
  return null;
}

/** A name for a worktree's folder in the state directory. */
export const worktreeKey = ({ gitDir }: Pick<Repository, 'gitDir'>): string =>
  createHash('sha256').update(gitDir).digest('hex').slice(0, 24);
