export { createGit, type Git, GitError, type GitOptions, type GitResult, gitOutput } from './git.ts';
export { createGitSync } from './git-sync.ts';
