import { askGitSync } from '@piton/git';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { gitHere } from './programs.ts';

/** A command has one working directory, and most of its parts ask about it: git is started once. */
const asked = new WeakMap<Context, string | undefined>();

/** The root of the repository around `cwd`, or undefined. */
export function repositoryRoot(context: Context): string | undefined {
  if (!asked.has(context)) asked.set(context, askGit(context));
  return asked.get(context);
}

function askGit(context: Context): string | undefined {
  const { code, stdout } = askGitSync(gitHere(context), ['rev-parse', '--show-toplevel'], { cwd: context.cwd });
  // No repository, a bare one, or no git.
  return code === 0 ? stdout.toString().replace(/\n$/, '') || undefined : undefined;
}

export function requireRepository(context: Context): string {
  const root = repositoryRoot(context);
  if (root) return root;
  throw noRepository(context, 'run it in a repository, or drop --project to install for your user');
}

/** A bare repository is one, but has no files for agents to work on. */
export function noRepository(context: Context, remedy: string): Failure {
  const { stdout } = askGitSync(gitHere(context), ['rev-parse', '--is-bare-repository'], { cwd: context.cwd });
  if (stdout.toString().trim() === 'true')
    return new Failure('this is a bare repository, without a working tree', {
      where: context.cwd,
      remedy: 'run it in a clone or a worktree of it',
    });
  return new Failure('not in a git repository', { where: context.cwd, remedy });
}
