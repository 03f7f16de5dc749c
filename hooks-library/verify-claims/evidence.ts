import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Evidence } from './contradictions.ts';
import type { Ledger } from './ledger.ts';

/** What the disk says beside the ledger: a tool of an MCP server, or a person, may have done it. */
export function evidenceOf({ facts, startedUs }: Ledger, cwd: string, repo: string | null): Evidence {
  const startedMs = startedUs / 1000;
  const roots = [...new Set([cwd, ...(repo === null ? [] : [repo])])];
  return {
    facts,
    fileAt(path) {
      const found = (isAbsolute(path) ? [path] : roots.map((root) => resolve(root, path))).flatMap((file) => statOf(file) ?? []);
      if (found.length === 0) return 'missing';
      return found.some(({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs) >= startedMs) ? 'changed' : 'older';
    },
    headMoved: repo !== null && lastMove(repo) * 1000 >= startedMs,
  };
}

const statOf = (file: string) => statSync(file, { throwIfNoEntry: false });

/** When HEAD moved last, in seconds, by git's own log of it. Without one, it may have been now. */
function lastMove(repo: string): number {
  try {
    const lines = readFileSync(join(gitDirectory(repo), 'logs', 'HEAD'), 'utf8')
      .trimEnd()
      .split('\n');
    return Number(/ (\d+) [+-]\d{4}(?:\t|$)/.exec(lines.at(-1) ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** A linked worktree has a file that names it. */
function gitDirectory(repo: string): string {
  const place = join(repo, '.git');
  if (statSync(place).isDirectory()) return place;
  return resolve(repo, /^gitdir: (.*)$/m.exec(readFileSync(place, 'utf8'))?.[1] ?? '.git');
}
