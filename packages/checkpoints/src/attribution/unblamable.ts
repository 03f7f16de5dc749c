import { resolve } from 'node:path';
import { gitOutput } from '../git.ts';
import type { Place } from '../place.ts';
import { fromRoot, inInnerRepository, pathBytes, type RawPath } from '../raw-path.ts';
import { readHead } from '../repository.ts';
import { ignoredAmong } from '../touched.ts';
import { lookUp } from '../tree.ts';
import { lookAt, readWorkingFile } from '../working-file.ts';
import { readLast } from '../working-state.ts';

/** Why nobody can say whose the lines of something are. */
export type Unblamable =
  | 'outside'
  | 'missing'
  | 'directory'
  | 'submodule'
  | 'other-repository'
  | 'special'
  | 'unreadable'
  | 'binary'
  | 'ignored'
  | 'left-out'
  | 'no-such-commit';

/** Null if it has lines that somebody wrote. */
export async function unblamable(place: Place, file: string, rev?: string): Promise<Unblamable | null> {
  if (resolve(place.repository.root, file) === place.repository.root) return 'directory';
  const path = fromRoot(place.repository.root, file);
  if (path === null) return 'outside';
  return rev === undefined ? inWorkingTree(place, path) : inCommit(place, path, rev);
}

async function inCommit({ git, repository }: Place, path: RawPath, rev: string): Promise<Unblamable | null> {
  const cwd = repository.root;
  const parsed = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${rev}^{commit}`], { cwd });
  if (parsed.code !== 0) return 'no-such-commit';
  const commit = parsed.stdout.toString().trim();
  const entry = (await lookUp(git, cwd, commit, [path])).get(path);
  if (entry?.mode === '160000') return 'submodule';
  if (entry) return (await gitOutput(git, ['cat-file', 'blob', entry.oid], { cwd })).includes(0) ? 'binary' : null;
  const input = Buffer.concat([Buffer.from(`${commit}:`), pathBytes(path)]);
  const type = path.includes('\n') ? '' : (await gitOutput(git, ['cat-file', '--batch-check'], { cwd, input })).toString();
  return / tree \d+\n$/.test(type) ? 'directory' : 'missing';
}

async function inWorkingTree(place: Place, path: RawPath): Promise<Unblamable | null> {
  const { git, repository, state } = place;
  const { root } = repository;
  const { commit } = await readHead(git, repository);
  const entry = commit === null ? undefined : (await lookUp(git, root, commit, [path])).get(path);
  if (entry?.mode === '160000') return 'submodule';
  if (inInnerRepository(root, path)) return 'other-repository';
  const { kind } = lookAt(root, path);
  if (kind === 'absent') return 'missing';
  if (kind !== 'file' && kind !== 'symlink') return kind;
  if (!entry && (await readLast(state))?.skipped.some((skipped) => skipped.path === path)) return 'left-out';
  if (!entry && !(await isStaged(place, path)) && (await ignoredAmong(place, [path])).has(path)) return 'ignored';
  const bytes = await readWorkingFile(root, path, kind);
  return bytes === null ? 'unreadable' : bytes.includes(0) ? 'binary' : null;
}

async function isStaged({ git, repository }: Place, path: RawPath): Promise<boolean> {
  const shown = Buffer.from(path, 'latin1').toString();
  return (await git(['ls-files', '-z', '--', shown], { cwd: repository.root })).stdout.length > 0;
}
