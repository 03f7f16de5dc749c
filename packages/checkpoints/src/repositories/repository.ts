import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type AskGit, carriedConfiguration, type Git, type GitPort, parseConfigList, type Setting } from '@piton/git';
import type { MessageSyntax } from '../links/trailers.ts';
import { type Filters, filtersIn } from './filters.ts';

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
  /** Tells a linked worktree from another that is made under the same name; null for the main one. */
  readonly place: string | null;
  readonly shallow: boolean;
  readonly settings: RepositorySettings;
  /** What our git takes over of its settings. */
  readonly configuration: string;
}

export interface RepositorySettings {
  readonly fileMode: boolean;
  readonly sparse: boolean;
  readonly partial: boolean;
  /** A text file without a CR may get one when it is checked out. */
  readonly addsCarriageReturns: boolean;
  /** `core.autocrlf = input`. */
  readonly dropsCarriageReturns: boolean;
  readonly filters: Filters;
  /** How commit messages are read. */
  readonly messages: MessageSyntax;
}

export interface Head {
  /** Null before the first commit. */
  readonly commit: string | null;
  /** The full name, `refs/heads/…`; null when detached. */
  readonly branch: string | null;
}

export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert';

/** Git ends each with a line break. */
const ANSWERS = 7;

/** Where a name on the way has line breaks, nothing else tells one answer from the next. */
async function oneByOne(ask: AskGit, cwd: string): Promise<string[]> {
  const questions = [
    ...['--show-toplevel', '--absolute-git-dir', '--git-common-dir'].map((each) => ['--path-format=absolute', each]),
    ...['index', 'objects/pack'].map((each) => ['--path-format=absolute', '--git-path', each]),
    ['--show-object-format'],
    ['--is-shallow-repository'],
  ];
  const found = await Promise.all(questions.map((question) => ask(['rev-parse', ...question], { cwd })));
  return found.map(({ stdout }) => stdout.toString().replace(/\n$/, ''));
}

/** The repository whose working tree holds this directory, which need not exist any more; null where there is none. */
export async function findRepository({ ask }: Pick<GitPort, 'ask'>, directory: string): Promise<Repository | null> {
  let cwd = directory;
  while (!existsSync(cwd) && dirname(cwd) !== cwd) cwd = dirname(cwd);
  const args = ['--path-format=absolute', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'];
  const paths = ['--git-path', 'index', '--git-path', 'objects/pack'];
  const [found, all] = await Promise.all([
    ask(['rev-parse', ...args, ...paths, '--show-object-format', '--is-shallow-repository'], { cwd }),
    readConfiguration(ask, cwd),
  ]);
  if (found.code !== 0) return null;
  const lines = found.stdout.toString().split('\n');
  const [top, gitDir, commonDir, indexFile, packDir, format, shallow] = lines.length === ANSWERS + 1 ? lines : await oneByOne(ask, cwd);
  if (!top || !gitDir || !commonDir || !indexFile || !packDir) return null;
  const { hooksPath, settings, configuration } = await configurationFrom(ask, cwd, [
    ...all.filter(([name]) => name !== 'core.ignorecase'),
    // A repository that came from another machine may say otherwise: then one of two files whose names differ in case would never be seen.
    ...(existsSync(join(top, '.GIT')) ? all.filter(([name]) => name === 'core.ignorecase') : []),
  ]);
  const isLinked = dirname(gitDir) === join(commonDir, 'worktrees');
  return {
    root: await realpath(top),
    gitDir,
    commonDir,
    indexFile,
    packDir,
    hooksDir: hooksPath ? join(hooksPath.startsWith('/') ? '' : top, hooksPath) : join(commonDir, 'hooks'),
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    worktree: isLinked ? basename(gitDir) : 'main',
    place: isLinked ? placeOf(gitDir) : null,
    shallow: shallow === 'true',
    settings,
    configuration,
  };
}

/** Git writes this file once, when it makes the worktree, and a move or a copy with its times leaves it as it is. */
function placeOf(gitDir: string): string | null {
  const made = statSync(join(gitDir, 'commondir'), { bigint: true, throwIfNoEntry: false });
  return made === undefined ? null : createHash('sha256').update(`${made.mtimeNs}`).digest('hex').slice(0, 12);
}

interface Configuration {
  /** What the user set, if anything: `rev-parse --git-path hooks` tells us the place that we gave on the command line. */
  readonly hooksPath: string | undefined;
  readonly settings: RepositorySettings;
  readonly configuration: string;
}

const readConfiguration = async (ask: AskGit, cwd: string): Promise<Setting[]> =>
  parseConfigList((await ask(['config', '--list', '-z'], { cwd })).stdout);

async function configurationFrom(ask: AskGit, cwd: string, all: readonly Setting[]): Promise<Configuration> {
  // The last value is our own.
  const hooksPath = all.filter(([name]) => name === 'core.hookspath').at(-2)?.[1] ?? undefined;
  return {
    // A home directory, or where git is installed: git knows.
    hooksPath: hooksPath && /^[~%:]/.test(hooksPath) ? await expandedHooksPath(ask, cwd) : hooksPath,
    settings: settingsOf(all),
    configuration: carriedConfiguration(all),
  };
}

function settingsOf(all: readonly Setting[]): RepositorySettings {
  const values = new Map(all);
  const truth = (name: string) => values.has(name) && /^(true|yes|on|1|)$/i.test(values.get(name) ?? '');
  return {
    fileMode: !values.has('core.filemode') || truth('core.filemode'),
    sparse: truth('core.sparsecheckout'),
    partial: [...values.keys()].some((name) => name === 'extensions.partialclone' || name.endsWith('.promisor')),
    addsCarriageReturns: truth('core.autocrlf') || values.get('core.eol')?.toLowerCase() === 'crlf',
    dropsCarriageReturns: values.get('core.autocrlf')?.toLowerCase() === 'input',
    filters: filtersIn(all),
    messages: { commentSign: commentSignIn(all), separators: separatorsIn(values) },
  };
}

/** One that git chooses anew for each message is taken for the usual one, as git's own plumbing does. */
function commentSignIn(all: readonly Setting[]): string {
  const [, sign] = all.findLast(([name]) => name === 'core.commentchar' || name === 'core.commentstring') ?? [];
  return sign && sign !== 'auto' ? sign : '#';
}

/** Our own line has a colon, whatever others have. */
function separatorsIn(values: ReadonlyMap<string, string | null>): string {
  const set = values.get('trailer.separators') || ':';
  return set.includes(':') ? set : `:${set}`;
}

async function expandedHooksPath(ask: AskGit, cwd: string): Promise<string | undefined> {
  const { stdout } = await ask(['config', '--type=path', '--get-all', 'core.hooksPath'], { cwd });
  return stdout.toString().split('\n').at(-3);
}

/**
 * From git's own files where they say it plainly, which takes no process: most do. A ref that is packed, points to another or is kept
 * in another way is asked of git. `asking`: also whether the commit is there.
 */
export async function readHead(git: Git, repository: Repository, { asking = false } = {}): Promise<Head> {
  const { gitDir, commonDir, root } = repository;
  const text = readRef(gitDir, 'HEAD');
  const branch = /^ref: (refs\/heads\/.+)\n$/.exec(text)?.[1];
  const commit = branch ? readRef(commonDir, branch) : text;
  if (!asking && OID_LINE.test(commit)) return { commit: commit.trimEnd(), branch: branch ?? null };
  const isPlain = OID_LINE.test(text) || (branch !== undefined && !branch.endsWith('/.invalid'));
  const [found, named] = await Promise.all([
    git(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { cwd: root }),
    isPlain ? null : git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: root }),
  ]);
  return { commit: found.stdout.toString().trim() || null, branch: (named ? named.stdout.toString().trim() : branch) || null };
}

const OID_LINE = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/;

/** Git replaces such a file by a rename: what is read is one whole version of it. */
function readRef(directory: string, name: string): string {
  try {
    return readFileSync(join(directory, name), 'utf8');
  } catch {
    return '';
  }
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

/** Where the state of a worktree goes that was removed, and in whose place another was made. */
export const removedState = (state: string, place: string): string => `${state}.removed-${place}`;

/** Where the state of a repository goes that lay in the place of another; `last` is its last checkpoint. */
export const goneState = (state: string, last: string): string => `${state}.gone-${last}`;
