export { carriedConfiguration, parseConfigList, type Setting } from './carried-settings.ts';
export { type Fetched, type FetchedCommit, type FetchedEntry, type FetchRequest, withFetchedCommit } from './fetch.ts';
export { type AskGit, createGit, type Git, GitError, type GitPort, gitOutput } from './git.ts';
export type { GitLayout } from './git-directory.ts';
export { askGitSync, createRepository } from './git-sync.ts';
export type { GitOptions, GitPlace, GitResult } from './process.ts';
export { visitRepository } from './visit.ts';
