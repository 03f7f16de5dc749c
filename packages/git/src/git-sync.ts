import { spawnSync } from 'node:child_process';
import { NO_OUTER_CONFIGURATION, SETTING_ARGUMENTS, scrubbedEnvironment } from './environment.ts';
import { asked, type Question } from './git.ts';
import { type GitOptions, type GitPlace, type GitResult, gitProgram, NO_GIT, TIMEOUT_MS } from './process.ts';

type Where = Pick<GitOptions, 'cwd' | 'environment'>;

/** For a command that has nothing else to do meanwhile. Never on the server. */
export function startGitSync(place: GitPlace, args: readonly string[], { cwd, environment }: Where): GitResult {
  const program = gitProgram(place);
  if (program === undefined) return NO_GIT;
  const { status, stdout, stderr, error } = spawnSync(program, [...SETTING_ARGUMENTS, ...args], {
    cwd,
    env: { ...scrubbedEnvironment(place.environment), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: place.timeoutMs ?? TIMEOUT_MS,
    windowsHide: true,
  });
  // Without a process there is no output at all, only the error.
  return { code: status ?? -1, stdout: stdout ?? Buffer.alloc(0), stderr: `${stderr ?? ''}${error ?? ''}` };
}

/** The same questions as `GitPort.ask`. */
export const askGitSync = (place: GitPlace, question: Question, where: Where): GitResult => startGitSync(place, asked(question), where);

/** Makes a repository of a directory, with one commit of all that is in it; gives back the first step that fails, and its result. */
export function createRepository(place: GitPlace, directory: string, { name, email, message }: FirstCommit) {
  const person = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  const where = { cwd: directory, environment: { ...NO_OUTER_CONFIGURATION, ...person } };
  const steps = [
    ['init', '--quiet', '--initial-branch=main', '--template='],
    ['add', '--all'],
    ['commit', '--quiet', '--no-gpg-sign', '-m', message],
  ];
  for (const args of steps) {
    const result = startGitSync(place, args, where);
    if (result.code !== 0) return { args, result };
  }
  return undefined;
}

export interface FirstCommit {
  readonly name: string;
  readonly email: string;
  readonly message: string;
}
