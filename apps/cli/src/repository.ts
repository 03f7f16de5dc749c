import { askGitSync } from '@piton/git';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** The root of the repository around `cwd`, or undefined. */
export function repositoryRoot(context: Context): string | undefined {
  const { code, stdout } = askGitSync({ environment: context.env }, ['rev-parse', '--show-toplevel'], { cwd: context.cwd });
  // No repository, a bare one, or no git.
  return code === 0 ? stdout.toString().replace(/\n$/, '') || undefined : undefined;
}

export function requireRepository(context: Context): string {
  const root = repositoryRoot(context);
  if (root) return root;
  throw new Failure('not in a git repository', {
    where: context.cwd,
    remedy: 'run it in a repository, or drop --project to install for your user',
  });
}
