import { join } from 'node:path';
import { GitError } from '@piton/git';
import { type RawPath, shownPath, unquoted } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import { readAttributes } from '../snapshot/conversion/attributes.ts';
import type { Worktree } from '../worktree.ts';
import type { BlameOptions } from './ignored-commits.ts';
import type { Context } from './labels.ts';
import { linesOf } from './lines.ts';
import { movedSince } from './moved.ts';
import type { Work } from './work.ts';

/** Where a line comes from, as git tells; `commit` is null while it is in none. */
export interface Origin {
  readonly commit: string | null;
  readonly path: RawPath;
  readonly line: number;
  readonly text: string;
}

const BLAME = ['blame', '--porcelain', '-M', '-C'];

const blameWith = (ignored: readonly string[], { ignoreSpace }: BlameOptions): string[] => [
  ...BLAME,
  ...(ignoreSpace ? ['-w'] : []),
  ...ignored.flatMap((commit) => ['--ignore-rev', commit]),
];

/** The lines of a commit's version. */
export async function originsIn(
  { git, repository }: Worktree,
  path: RawPath,
  rev: string,
  ignored: readonly string[],
  options: BlameOptions,
): Promise<Origin[]> {
  const args = [...blameWith(ignored, options), rev, '--', shownPath(path)];
  const result = await git(args, { cwd: repository.root });
  if (result.code !== 0) throw new GitError(args, result);
  return parseBlame(result.stdout);
}

/** The lines of a file as it is now; of one that was moved, and of which git was not told, by its name in HEAD. */
export async function originsOfWork(context: Context, work: Work, ignored: readonly string[], options: BlameOptions): Promise<Origin[]> {
  const blame = blameWith(ignored, options);
  const { worktree, objects, status } = context;
  const { git, repository } = worktree;
  const cwd = repository.root;
  const { path, kind, bytes, lines, oid } = work;
  if (await isAsCommitted(context, path)) return originsIn(worktree, path, 'HEAD', ignored, options);
  const args = [...blame, '--', shownPath(path)];
  const result = await git(args, { cwd });
  const origins = result.code === 0 ? parseBlame(result.stdout) : null;
  if (origins?.every(({ commit }) => commit !== null)) return origins;
  const { commit } = await readHead(git, repository);
  const [inHead = null] = commit === null ? [] : await objects.read(await objects.ids([[commit, path]]));
  // Git's own trouble, such as a setting that names a missing file, does not make a committed file a new one.
  if (origins === null && inHead !== null) throw new GitError(args, result);
  const before = inHead ? linesOf(inHead) : [];
  const from =
    commit === null || kind === 'symlink'
      ? null
      : await movedSince(context, { commit, base: commit }, status, { path, oid, lines, before });
  const moved = from === null ? null : await git([...blame, '--contents', '-', '--', shownPath(from)], { cwd, input: bytes });
  if (moved?.code === 0) return parseBlame(moved.stdout);
  return origins ?? lines.map((text, at) => ({ commit: null, path, line: at + 1, text }));
}

/** Of a file under a filter, that is: what HEAD has of it are other lines than those on disk, though nobody changed any. */
async function isAsCommitted({ worktree, status }: Context, path: RawPath): Promise<boolean> {
  const { git, repository, state } = worktree;
  const { cleaning } = repository.settings.filters;
  if (cleaning.size === 0) return false;
  const filter = (await readAttributes(git, repository, join(state, 'none'), [path])).get(path)?.filter;
  return filter !== undefined && cleaning.has(filter) && !(await status()).entries.some((entry) => entry.path === path);
}

function parseBlame(output: Buffer): Origin[] {
  const origins: Origin[] = [];
  const paths = new Map<string, RawPath>();
  let [commit, line] = ['', 0];
  for (const text of output.toString('latin1').split('\n')) {
    const header = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (\d+) \d+/.exec(text);
    if (header) [commit, line] = [header[1] ?? '', Number(header[2])];
    else if (text.startsWith('filename ')) paths.set(commit, unquoted(text.slice('filename '.length)));
    else if (text.startsWith('\t')) {
      const origin = { path: paths.get(commit) ?? '', line, text: text.slice(1).replace(/\r$/, '') };
      origins.push({ ...origin, commit: /^0+$/.test(commit) ? null : commit });
    }
  }
  return origins;
}
