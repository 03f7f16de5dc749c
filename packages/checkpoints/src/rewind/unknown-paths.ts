import { gitOutput } from '@piton/git';
import type { Checkpoint } from '../checkpoint.ts';
import { fields, type RawPath, rawPath, shownPath } from '../raw-path.ts';
import { inLeftOutFolder } from '../snapshot/skipped.ts';
import { lookAt } from '../snapshot/working-file.ts';
import type { Worktree } from '../worktree.ts';

/** A file or directory as a person names it, from the root; empty for the root itself. */
export const namedPath = (path: string): RawPath => rawPath(path.replace(/^\.\//, '').replace(/\/+$/, '').replace(/^\.$/, ''));

/** Of files and directories that a person names, those that neither a checkpoint nor the working tree has: most likely misspelt. */
export async function unknownPaths(
  { git, repository }: Worktree,
  { commit, skipped }: Checkpoint,
  named: readonly string[],
): Promise<string[]> {
  const absent = named.map(namedPath).filter((path) => path !== '' && lookAt(repository.root, path).kind === 'absent');
  if (absent.length === 0) return [];
  const args = ['ls-tree', '-z', '--full-tree', '--name-only', commit, '--', ...absent.map(shownPath)];
  const known = [...fields(await gitOutput(git, args, { cwd: repository.root })), ...skipped.map(({ path }) => path)];
  const isLeftOut = inLeftOutFolder(skipped);
  return absent.filter((path) => !isLeftOut(path) && !known.some((one) => one === path || one.startsWith(`${path}/`))).map(shownPath);
}
