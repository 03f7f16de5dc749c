import { lstatSync, type Stats, statSync } from 'node:fs';

/** File times move in steps of some milliseconds: what is younger than this may change without showing it. */
const STABLE_MS = 50;
/** Bounds what a server that sees very many directories holds. */
const MOST_HELD = 10_000;

interface Held<T> {
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
  readonly stable: boolean;
  readonly value: T;
}

export type StatOf = (path: string) => Stats | undefined;

/** Remembers what was read from a path for as long as a stat of it stays the same. */
export function watched<T>(absent: T, read: (path: string) => T, stats: StatOf = statOf): ((path: string) => T) & { forget(): void } {
  const held = new Map<string, Held<T>>();
  const readThrough = (path: string): T => {
    const now = Date.now();
    const stat = stats(path);
    if (stat === undefined) {
      held.delete(path);
      return absent;
    }
    const known = held.get(path);
    if (known?.stable && known.ctimeMs === stat.ctimeMs && known.size === stat.size && known.ino === stat.ino) return known.value;
    if (held.size >= MOST_HELD) held.clear();
    const value = read(path);
    held.set(path, { ctimeMs: stat.ctimeMs, size: stat.size, ino: stat.ino, stable: now - stat.ctimeMs > STABLE_MS, value });
    return value;
  };
  return Object.assign(readThrough, { forget: () => held.clear() });
}

export const isStable = (newestMs: number, now = Date.now()): boolean => now - newestMs > STABLE_MS;

export const statOf: StatOf = (path) => tried(statSync, path);
/** Of the link itself, where it is one. */
export const linkStatOf: StatOf = (path) => tried(lstatSync, path);

function tried(stat: typeof statSync, path: string): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // a file where a directory was expected, a link to itself, or no right to read it
  }
}
