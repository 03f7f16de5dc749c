import type { Tool } from '@piton/contracts';
import { type RawPath, rawPath } from '../raw-path.ts';
import { namedPaths, type Standpoint } from '../repositories/named-paths.ts';
import { fits } from '../repositories/reached.ts';

/** The files that a call names, absolute; `patterns` with something that a shell fills in. */
export interface NamedFiles {
  readonly files: readonly string[];
  readonly patterns: readonly string[];
}

/** What a shell makes of a variable nobody knows: that names no file. */
const IS_UNKNOWN = /\$/;

/** A folder is no file: what else is in it, somebody else may have changed. */
export function filesNamedIn(input: unknown, from: Omit<Standpoint, 'holdsOthers'>): NamedFiles {
  const named = namedPaths(input, { ...from, holdsOthers: true }).filter(({ path }) => !IS_UNKNOWN.test(path));
  return {
    files: named.filter(({ open }) => !open).map(({ path }) => path),
    patterns: named.filter(({ open }) => open).map(({ path }) => path),
  };
}

/** A path from the root fits a pattern from the root, segment by segment; `**` stands for any number of them. */
export function fitsPattern(path: RawPath, pattern: string): boolean {
  const segments = path.split('/');
  // Which beginnings of the pattern fit what was read so far.
  const parts = rawPath(pattern).split('/');
  let reached = new Set(skipped(parts, 0));
  for (const segment of segments) {
    const next = new Set<number>();
    for (const at of reached) {
      if (parts[at] === '**') for (const each of skipped(parts, at)) next.add(each);
      else if (at < parts.length && fits(parts[at] ?? '', segment)) for (const each of skipped(parts, at + 1)) next.add(each);
    }
    reached = next;
  }
  return reached.has(parts.length);
}

/** This place, and those behind any `**` that begins there. */
function skipped(parts: readonly string[], at: number): number[] {
  const found = [at];
  for (let next = at; parts[next] === '**'; next++) found.push(next + 1);
  return found;
}

/** It goes on when its end is reported: in the background, by the agent or by the shell. */
export function leavesRunning({ input, command = '' }: Pick<Tool, 'input' | 'command'>): boolean {
  if (input['run_in_background'] === true || input['background'] === true) return true;
  const bare = command.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, '');
  return /(?:^|[^&<>|])&(?![&>])/.test(bare) || /\b(?:nohup|setsid|disown)\b/.test(bare);
}
