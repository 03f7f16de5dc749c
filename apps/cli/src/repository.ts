import { execFileSync } from 'node:child_process';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** The root of the repository around `cwd`, or undefined. */
export function repositoryRoot(context: Context): string | undefined {
  try {
    const out = execFileSync('git', ['rev-parse', '--show-toplevel'], {
      cwd: context.cwd,
      env: withoutGit(context.env),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out.replace(/\n$/, '') || undefined;
  } catch {
    return undefined; // no repository, a bare one, or no git
  }
}

export function requireRepository(context: Context): string {
  const root = repositoryRoot(context);
  if (root) return root;
  throw new Failure('not in a git repository', {
    where: context.cwd,
    remedy: 'run it inside one, or leave out --project to install for your user',
  });
}

/** Inside a git hook GIT_DIR and its like name another repository than the one around cwd. */
export function withoutGit(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_')),
  );
}
