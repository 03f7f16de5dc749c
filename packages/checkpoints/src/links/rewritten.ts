import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree } from '../worktree.ts';

/** What git said, or a repair found out, about commits that took the place of others: new → old. A commit that stands for itself was linked when it was made. */
export type Rewritten = ReadonlyMap<string, readonly string[]>;

const file = (worktree: Pick<Worktree, 'state'>) => join(worktree.state, 'rewritten');

const OID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** The standard input of `post-rewrite`, or what was noted of it: `old new` in each line. */
export const parseRewritten = (lines: string): (readonly [before: string, after: string])[] =>
  lines.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' ');
    return OID.test(before) && OID.test(after) ? [[before, after] as const] : [];
  });

/** A line is one append: two processes do not mix. */
export async function noteRewritten(worktree: Worktree, lines: string): Promise<number> {
  const pairs = parseRewritten(lines).map(([before, after]) => `${before} ${after}\n`);
  if (pairs.length === 0) return 0;
  await mkdir(worktree.state, { recursive: true, mode: 0o700 });
  await appendFile(file(worktree), pairs.join(''), { mode: 0o600 });
  return pairs.length;
}

export async function readRewritten(worktree: Pick<Worktree, 'state'>): Promise<Rewritten> {
  const text = await readFile(file(worktree), 'utf8').catch(() => '');
  const found = new Map<string, string[]>();
  for (const [before, after] of parseRewritten(text)) found.set(after, [...(found.get(after) ?? []), before]);
  return found;
}

/** A commit and all that it came from. */
export function ancestry(rewritten: Rewritten, commit: string): string[] {
  const seen = new Set<string>();
  const next = [commit];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    next.push(...(rewritten.get(at) ?? []));
  }
  return [...seen];
}
