import { statSync } from 'node:fs';
import { ownDirectory } from './listed.ts';

/** Tells a git directory from another that is made in its place; null where there is none. */
export function birthOf(gitDir: string | null): string | null {
  const stat = gitDir === null ? undefined : statSync(gitDir, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino} ${stat.birthtimeMs}`;
}

/** Of the working tree that lies there now. */
export function birthAt(root: string): string | null {
  try {
    return birthOf(ownDirectory(root));
  } catch {
    return null;
  }
}

/** Was it made after an event that happened there? A clock that was set back says nothing: then it lies ahead. */
export function isBornAfter(birth: string | null, eventMs: number, nowMs: number): boolean {
  const bornMs = Number(birth?.split(' ')[1]);
  return bornMs > eventMs && bornMs <= nowMs;
}
