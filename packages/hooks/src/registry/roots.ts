import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TrustIndex } from '../trust/index-file.ts';
import { linkStatOf, type StatOf, watched } from './watched.ts';

interface Level {
  readonly real: string;
  readonly piton: 'directory' | 'link' | 'none';
  readonly git: boolean;
}

export interface Roots {
  /** Outermost first. */
  find(cwd: string, trusted: TrustIndex): string[];
  /** What was trusted at or above a directory, by name: also where it was renamed since, or replaced. */
  named(directory: string, trusted: TrustIndex): string[];
  /** A `.piton` that is a link is not followed. */
  links(cwd: string): string[];
  forget(): void;
}

/** Finds the project directories that count for a working directory: those with `.piton/` up to the repository's root. */
export function createRoots(stat: StatOf): Roots {
  const level = watched<Level | undefined>(undefined, readLevel, stat);
  const climb = (cwd: string, visit: (found: Level) => void): { repository: boolean; levels: Level[]; deleted: boolean } => {
    const levels: Level[] = [];
    let deleted = false;
    for (const directory of ancestors(cwd)) {
      const found = level(directory); // undefined where it was deleted: its parents still count
      if (found === undefined) {
        deleted ||= directory === cwd;
        continue;
      }
      levels.push(found);
      visit(found);
      if (found.git) return { repository: true, levels, deleted };
    }
    return { repository: false, levels, deleted };
  };
  return {
    find(cwd, trusted) {
      const seen: string[] = [];
      // What was trusted stays in force when an agent removes `.piton/` or `.git`.
      const { repository, levels, deleted } = climb(cwd, ({ real }) => {
        if (Object.hasOwn(trusted.roots, real)) seen.push(real);
      });
      // Outside a repository only the working directory itself counts: a `.piton` in /tmp is nobody's project.
      const counted = repository ? levels : deleted ? [] : levels.slice(0, 1);
      const inForce = new Set([...counted.filter(({ piton }) => piton === 'directory').map(({ real }) => real), ...seen]);
      return levels
        .map(({ real }) => real)
        .filter((real) => inForce.has(real))
        .reverse();
    },
    named(directory, trusted) {
      if (Object.keys(trusted.roots).length === 0) return [];
      const names = new Set<string>();
      let real = '/';
      for (const place of [...ancestors(directory)].reverse()) {
        // Where a link led follows from what is left above it.
        const byName = join(real, basename(place));
        real = level(place)?.real ?? byName;
        for (const name of [place, byName, real]) names.add(name);
      }
      return [...names].filter((name) => Object.hasOwn(trusted.roots, name));
    },
    links(cwd) {
      return climb(cwd, () => {})
        .levels.filter(({ piton }) => piton === 'link')
        .map(({ real }) => join(real, '.piton'));
    },
    forget: level.forget,
  };
}

/** The directory itself first. */
function* ancestors(directory: string): Generator<string> {
  for (let at = directory; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

function readLevel(directory: string): Level | undefined {
  try {
    const piton = linkStatOf(join(directory, '.piton'));
    return {
      real: realpathSync(directory),
      piton: piton?.isDirectory() ? 'directory' : piton?.isSymbolicLink() ? 'link' : 'none',
      git: linkStatOf(join(directory, '.git')) !== undefined,
    };
  } catch {
    return undefined;
  }
}
