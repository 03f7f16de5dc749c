import { spawnSync } from 'node:child_process';
import { closedGit, type GitPlace, TIMEOUT_MS } from './closed.ts';
import type { GitOptions, GitResult } from './git.ts';

/** The same git for a command that has nothing else to do meanwhile. Never on the server. */
export type GitSync = (args: readonly string[], options: Pick<GitOptions, 'cwd' | 'environment'>) => GitResult;

export function createGitSync(place: GitPlace): GitSync {
  const { program, argv, environmentWith } = closedGit(place);
  return (args, { cwd, environment }) => {
    const { status, stdout, stderr, error } = spawnSync(program, argv(args), {
      cwd,
      env: environmentWith(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: place.timeoutMs ?? TIMEOUT_MS,
      windowsHide: true,
    });
    // Without a process there is no output at all, only the error.
    return { code: status ?? -1, stdout: stdout ?? Buffer.alloc(0), stderr: `${stderr ?? ''}${error ?? ''}` };
  };
}
