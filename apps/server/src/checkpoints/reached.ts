import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type NamedPath, namedPaths, type Standpoint } from './named-paths.ts';
import type { Watched } from './repositories.ts';

/** A command that names a folder with more repositories in it is not meant for each of them. */
const MOST_BENEATH = 8;
const MOST_FILLED_IN = 32;

interface Ports {
  readonly watched: Watched;
  readonly rootOf: (directory: string) => string | null;
}

/** The watched repositories, other than the one it is made in, that a tool call names: in them it may change something. */
export function reachedRepositories(input: unknown, from: Standpoint, { watched, rootOf }: Ports): readonly string[] {
  const reached = new Set<string>();
  const others = watched.roots().filter((root) => root !== from.root);
  const rootAt = rootFinder(rootOf);
  for (const named of namedPaths(input, from)) {
    const root = named.open ? null : rootAt(named.path);
    if (root !== null && root !== from.root && !reached.has(root) && watched.has(root)) reached.add(root);
    const beneath = others.filter((each) => (named.open ? isFilledIn(named, each) : each.startsWith(`${named.path}/`)));
    if (beneath.length <= (named.open ? MOST_FILLED_IN : MOST_BENEATH)) for (const each of beneath) reached.add(each);
  }
  return [...reached];
}

/** Of what is there; a link counts for what it leads to. Most words name nothing. */
function rootFinder(rootOf: Ports['rootOf']): (path: string) => string | null {
  const known = new Map<string, string | null>();
  const look = (path: string): string | null => {
    try {
      return statSync(path, { throwIfNoEntry: false }) === undefined ? null : rootOf(realpathSync.native(path));
    } catch {
      return null;
    }
  };
  const find = (path: string): string | null => {
    const found = known.get(path);
    if (found !== undefined || known.has(path)) return found ?? null;
    const root = look(path);
    known.set(path, root);
    return root;
  };
  // A file that is to be made lies where its folder does.
  return (path) => find(path) ?? find(dirname(path));
}

/** `../*` is each repository beside this one. */
function isFilledIn({ path }: NamedPath, root: string): boolean {
  const [pattern, segments] = [path.split('/'), root.split('/')];
  return pattern.length >= segments.length && segments.every((segment, at) => fits(pattern[at] ?? '', segment));
}

function fits(pattern: string, segment: string): boolean {
  const parts = pattern.split(/(?:\$\{[^}]*\}|\$\w+|\{[^{}]*\}|\[[^\]]*\]|[*?])+/);
  if (parts.length === 1) return pattern === segment;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === parts.length - 1 ? segment.length - part.length : segment.indexOf(part, at);
    if (found < at || (index === 0 && found !== 0) || !segment.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return true;
}
