import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gitOutput } from '@piton/git';
import type { Worktree } from '../worktree.ts';

export interface BlameOptions {
  /** A line that differs in white space only is the same line, as for `git blame -w`. */
  readonly ignoreSpace?: boolean;
  /** Changes of these commits do not count: what they changed is whose it was before. */
  readonly ignoreRevs?: readonly string[];
  /** A list of more of them; left out: `.git-blame-ignore-revs`, if there is one. False: none. */
  readonly ignoreRevsFile?: string | false;
}

export class UnknownCommit extends Error {
  readonly rev: string;

  constructor(rev: string) {
    super(`no such commit: ${rev}`);
    this.rev = rev;
  }
}

export class UnreadableList extends Error {
  readonly file: string;

  constructor(file: string) {
    super(`cannot be read: ${file}`);
    this.file = file;
  }
}

/** Where forges look for it. */
const USUAL_FILE = '.git-blame-ignore-revs';

/** The ids of all commits that are to be passed over. One that is named must be there; of a list, what is not here is left out. */
export async function ignoredCommits(worktree: Worktree, { ignoreRevs = [], ignoreRevsFile }: BlameOptions): Promise<readonly string[]> {
  const { git, repository } = worktree;
  const cwd = repository.root;
  const found = new Set<string>();
  for (const rev of ignoreRevs) {
    const { code, stdout } = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${rev}^{commit}`], { cwd });
    if (code !== 0) throw new UnknownCommit(rev);
    found.add(stdout.toString().trim());
  }
  if (ignoreRevsFile === false) return [...found];
  const text = await readFile(resolve(cwd, ignoreRevsFile ?? USUAL_FILE), 'utf8').catch(() => {
    if (ignoreRevsFile !== undefined) throw new UnreadableList(ignoreRevsFile);
    return '';
  });
  const listed = text.split('\n').flatMap((line) => /^\s*([0-9a-f]{40}|[0-9a-f]{64})\s*(?:#.*)?$/.exec(line)?.[1] ?? []);
  if (listed.length === 0) return [...found];
  const checked = await gitOutput(git, ['cat-file', '--batch-check'], { cwd, input: Buffer.from(`${listed.join('\n')}\n`) });
  for (const [, oid = ''] of checked.toString().matchAll(/^([0-9a-f]+) commit \d+$/gm)) found.add(oid);
  return [...found];
}
