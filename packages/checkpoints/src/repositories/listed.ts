import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The repositories in which checkpoints are taken: where `piton init` ran. One path a line; one with a line break in it as JSON. */
export const repositoriesFile = (home: string): string => join(home, 'repositories');

export function readRepositories(home: string): string[] {
  try {
    return readFileSync(repositoriesFile(home), 'utf8').split('\n').flatMap(rootIn);
  } catch {
    return [];
  }
}

/** A path is absolute, so a quote at the beginning is none of its own. */
export const repositoryLine = (root: string): string => (root.includes('\n') ? JSON.stringify(root) : root);

function rootIn(line: string): string[] {
  if (!line.startsWith('"')) return line === '' ? [] : [line];
  try {
    const root: unknown = JSON.parse(line);
    return typeof root === 'string' ? [root] : [];
  } catch {
    return [];
  }
}

/** For who asks once, and changes nothing: a repository that was moved is found by the server. */
export function isListed(home: string, root: string): boolean {
  const roots = readRepositories(home);
  const shared = sharedDirectory(root);
  return roots.includes(root) || (shared !== null && roots.some((each) => sharedDirectory(each) === shared));
}

/** The git directory that all working trees of a repository share; null where there is none. */
export function sharedDirectory(root: string): string | null {
  try {
    const own = ownDirectory(root);
    return own === join(root, '.git') ? own : resolve(own, withoutLineEnd(readFileSync(join(own, 'commondir'), 'utf8')));
  } catch {
    return null;
  }
}

/** The git directory of this working tree alone: in a linked one `.git` is a file that names it. Fails where there is none. */
export function ownDirectory(root: string): string {
  const entry = join(root, '.git');
  if (statSync(entry).isDirectory()) return entry;
  const named = readFileSync(entry, 'utf8').replace(/^gitdir: /, '');
  return resolve(root, withoutLineEnd(named));
}

/** Git ends it with one; a name may end with white space of its own. */
const withoutLineEnd = (text: string): string => text.replace(/\n$/, '');
