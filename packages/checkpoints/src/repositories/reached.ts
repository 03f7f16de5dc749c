import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FILLED_IN, type NamedPath, namedPaths, type Standpoint } from './named-paths.ts';
import type { Watched } from './watched.ts';

/** A command that names a folder with more repositories in it is not meant for each of them. */
const MOST_BENEATH = 8;
const MOST_FILLED_IN = 32;

/** The watched repositories, other than the one it is made in, that a tool call names: in them it may change something. */
export function reachedRepositories(input: unknown, where: Omit<Standpoint, 'holdsOthers'>, watched: Watched): readonly string[] {
  const reached = new Set<string>();
  const others = watched.roots().filter((root) => root !== where.root);
  const from = { ...where, holdsOthers: others.some((root) => root.startsWith(`${where.cwd}/`)) };
  const rootAt = rootFinder(where.root);
  const near = new Set([where.cwd, where.home, ...others].map(topOf));
  for (const named of namedPaths(input, from)) {
    const root = named.open || !near.has(topOf(named.path)) ? null : rootAt(named.path);
    if (root !== null && root !== where.root && !reached.has(root) && watched.has(root)) reached.add(root);
    const beneath = others.filter((each) => (named.open ? isFilledIn(named, each) : each.startsWith(`${named.path}/`)));
    if (beneath.length <= (named.open ? MOST_FILLED_IN : MOST_BENEATH)) for (const each of beneath) reached.add(each);
  }
  return [...reached];
}

/** Where nobody works nothing is looked at: a look into a network that is gone would hold up every agent. */
const topOf = (path: string): string => path.split('/', 2).join('/');

/** Of places that we may not look at, and of names that no file can have, nobody can tell. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The root of the repository around what is there; a link counts for what it leads to. Most words name nothing, and most others what is here. */
function rootFinder(here: string | null): (path: string) => string | null {
  const roots = new Map<string, string | null>();
  const around = (directory: string): string | null => {
    let root = directory === here ? here : roots.get(directory);
    if (root === undefined) {
      const above = dirname(directory);
      root = exists(join(directory, '.git')) ? directory : above === directory ? null : around(above);
      roots.set(directory, root);
    }
    return root;
  };
  return (path) => {
    try {
      // A file that is to be made lies where its folder does.
      const there = exists(path) ? path : dirname(path);
      return exists(there) ? around(realpathSync.native(there)) : null;
    } catch {
      return null;
    }
  };
}

/** `../*` is each repository beside this one. */
function isFilledIn({ path }: NamedPath, root: string): boolean {
  const [pattern, segments] = [path.split('/'), root.split('/')];
  return pattern.length >= segments.length && segments.every((segment, at) => fits(pattern[at] ?? '', segment));
}

const ANY_FILLED_IN = new RegExp(`(?:${FILLED_IN.source})+`);

export function fits(pattern: string, segment: string): boolean {
  const parts = pattern.split(ANY_FILLED_IN);
  if (parts.length === 1) return pattern === segment;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === parts.length - 1 ? segment.length - part.length : segment.indexOf(part, at);
    if (found < at || (index === 0 && found !== 0) || !segment.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return true;
}
