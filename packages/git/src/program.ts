import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** What lies in a working tree came with a clone, or an agent wrote it. */
function isInWorkingTree(directory: string): boolean {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}

/** A `PATH` without what a repository may fill: entries inside of working trees, and those that depend on the working directory. */
export const trustedPath = (path: string): string => trustedEntries(path).join(delimiter);

const trustedEntries = (path: string): string[] => path.split(delimiter).filter((entry) => isAbsolute(entry) && !isInWorkingTree(entry));

/**
 * The first git on such a `PATH`. Where there is none, as with a package manager whose own directory is a clone, the first that lies
 * outside of `here`, the place where a person runs us: never one that just came with the repository they stand in.
 */
export function findGit(path: string, here?: string): string | undefined {
  const found = firstIn(trustedEntries(path));
  if (found !== undefined || here === undefined) return found;
  const root = treeAround(here);
  return firstIn(path.split(delimiter).filter((entry) => isAbsolute(entry) && !`${entry}/`.startsWith(`${root}/`)));
}

const firstIn = (entries: readonly string[]): string | undefined => entries.map((entry) => join(entry, 'git')).find(isProgram);

function treeAround(directory: string): string {
  for (let at = directory; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return directory;
}
