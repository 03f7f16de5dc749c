import { directoryEnvironment, type GitLayout, isPrepared, prepareDirectory } from './git-directory.ts';
import { type GitOptions, type GitPlace, type GitResult, gitStarter, type StartGit } from './process.ts';

/** Git in one repository. It reads a configuration of ours: no program that the repository names can run. */
export type Git = StartGit;

/** These read settings, and start nothing whatever they say; `config` writes them too. */
const ASKING = ['rev-parse', 'config', 'version'] as const;
export type Question = readonly [(typeof ASKING)[number], ...string[]];

/** Git with all that is configured, for the few questions that are about just that: where a repository lies, and what it is set to. */
export type AskGit = (question: Question, options: GitOptions) => Promise<GitResult>;

/** The one way to start git. */
export interface GitPort {
  readonly ask: AskGit;
  /** Git in this repository, through a directory of ours that is made when it is needed: see `prepareDirectory`. */
  within(layout: GitLayout, directory: string): Git;
}

export class GitError extends Error {
  constructor(args: readonly string[], result: GitResult) {
    const command = args.find((arg, at) => arg !== '-c' && args[at - 1] !== '-c');
    super(`git ${command ?? ''} failed (${result.code}): ${result.stderr.trim().slice(0, 500)}`);
    this.name = 'GitError';
  }
}

export function createGit(place: GitPlace): GitPort {
  const start = gitStarter(place);
  return {
    ask: (question, options) => start(asked(question), options),
    within: (layout, directory) => {
      const base = directoryEnvironment(directory, layout);
      let first = true;
      return async (args, { environment, ...options }) => {
        if (first || !isPrepared(directory)) prepareDirectory(directory, layout);
        first = false;
        return start(args, { ...options, environment: { ...base, ...environment } });
      };
    },
  };
}

/** Types are gone at run time, and so much hangs on this. */
export function asked(question: Question): Question {
  if (!ASKING.includes(question[0])) throw new Error(`git ${question[0]} needs a repository of ours: use within()`);
  return question;
}

/** The output of a git that must succeed. */
export async function gitOutput(git: Git | AskGit, args: readonly string[], options: GitOptions): Promise<Buffer> {
  const result = await (git as Git)(args, options);
  if (result.code !== 0) throw new GitError(args, result);
  return result.stdout;
}
