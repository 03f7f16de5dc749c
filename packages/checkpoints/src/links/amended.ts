import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Git } from '@piton/git';
import { type Repository, readHead } from '../repositories/repository.ts';

/** Whether a commit replaces HEAD. Where its command line cannot be read: the author's date that git gave to its hook, which an amend takes over. */
export type Amends = boolean | { readonly authorDate: string; readonly seconds: number };

/** What the forwarder found in git's command line, or else what git itself gave to its hook. */
export function amendsOf(variables: Readonly<Record<string, string | undefined>>, now = Date.now()): Amends {
  const { PITON_AMEND: found, GIT_AUTHOR_DATE: authorDate } = variables;
  if (found !== undefined) return found === '1';
  return authorDate === undefined ? false : { authorDate, seconds: Math.floor(now / 1000) };
}

/** The commit that an amend replaces, as git keeps it; null where there is none, or this is no amend. */
export async function replacedCommit(git: Git, repository: Repository, amends: Amends): Promise<string | null> {
  if (amends === false) return null;
  const { commit } = await readHead(git, repository);
  const text = commit === null ? null : await readCommit(git, repository, commit);
  if (text === null || amends === true) return text;
  const [, date = '', zone = ''] = /^author .*> (\d+) ([-+]\d{4})$/m.exec(text) ?? [];
  // Two commits of one second have one date: then nobody knows.
  return amends.authorDate === `@${date} ${zone}` && amends.seconds - Number(date) > 2 ? text : null;
}

/** Of a commit as git keeps it. */
export const messageOf = (commit: string): string => commit.slice(commit.indexOf('\n\n') + 2);

/** A commit as git keeps it: header, blank line, message. One that was just made lies in a file of its own, which takes no process. */
export async function readCommit(git: Git, { commonDir, root }: Repository, commit: string): Promise<string | null> {
  try {
    const object = inflateSync(readFileSync(join(commonDir, 'objects', commit.slice(0, 2), commit.slice(2))));
    if (object.subarray(0, 7).toString() === 'commit ') return object.subarray(object.indexOf(0) + 1).toString();
  } catch {}
  const { code, stdout } = await git(['cat-file', 'commit', commit], { cwd: root });
  return code === 0 ? stdout.toString() : null;
}
