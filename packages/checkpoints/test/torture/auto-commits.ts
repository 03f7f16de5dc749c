import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { autoCommit } from '../../src/auto-commit/auto-commit.ts';
import { findCheckpoint } from '../../src/history/listing.ts';
import { endTurn } from '../../src/turns/turn-file.ts';
import type { Tree } from './tree.ts';

const IDENTITY = { name: 'Piton', email: 'piton@localhost' };

/** A turn under the strategy `auto-commit`: what must be in the commit, and what must not, the plain knows. */
export async function autoCommitTurn(tree: Tree, session: string): Promise<void> {
  const { pair, worktree } = tree;
  await tree.begin(session);
  const before = truthBefore(tree);
  await tree.work(session);
  const taken = await tree.close('stop', session);
  const end =
    taken.result === 'made'
      ? taken.checkpoint
      : taken.result === 'unchanged' && (await findCheckpoint(worktree.git, worktree.repository, taken.id));
  if (end && end.session === session) {
    const done = await autoCommit(worktree, { end, subject: `work of ${session}`, identity: IDENTITY, trailer: 'agent-work' });
    if (done.result === 'skipped') expect([done.why, pair.succeeds('diff', '--cached', '--quiet')]).toEqual(['staged', false]);
    else await compareCommit(tree, before, done.result === 'committed');
  }
  await endTurn(worktree, session);
}

export interface TruthBefore {
  readonly files: ReadonlyMap<string, string>;
  /** As the last commit had them. */
  readonly clean: ReadonlySet<string>;
  /** Of which a person has written lines that no commit has. */
  readonly persons: ReadonlySet<string>;
}

export function truthBefore({ pair }: Tree): TruthBefore {
  const files = pair.visible();
  const dirty = new Set(changedPaths(pair.plain.git('diff', '--name-only', '--no-renames', '-z', 'HEAD')));
  const untracked = new Set(changedPaths(pair.plain.git('ls-files', '--others', '--exclude-standard', '-z')));
  const persons = [...files].filter(([path, content]) => {
    const known = new Set(pair.inHead(path).split('\n'));
    return content.split('\n').some((line) => /^([-x] )?me \d/.test(line) && !known.has(line.replace(/^[-x] /, '')));
  });
  return {
    files,
    clean: new Set([...files.keys()].filter((path) => !dirty.has(path) && !untracked.has(path))),
    persons: new Set(persons.map(([path]) => path)),
  };
}

const changedPaths = (output: string): string[] => output.split('\0').filter(Boolean);

/** The plain commits the same files by itself: index and refs must come out alike. */
export async function compareCommit(tree: Tree, before: TruthBefore, committed: boolean): Promise<void> {
  const { user, plain } = tree.pair;
  const paths = committed ? changedPaths(user.git('diff-tree', '-r', '--no-commit-id', '--name-only', '-z', 'HEAD')) : [];
  for (const path of paths) expect(before.persons, `${path} held changes of a person's`).not.toContain(path);
  const now = tree.pair.visible();
  const differs = new Set(changedPaths(plain.git('diff', '--name-only', '--no-renames', '-z', 'HEAD')));
  for (const path of new Set([...before.files.keys(), ...now.keys()])) {
    const isNew = !before.files.has(path) && !plain.git('ls-files', '--', path);
    const wasClean = before.clean.has(path) && differs.has(path);
    if ((wasClean || isNew) && before.files.get(path) !== now.get(path)) expect(paths, `${path} is the agent's`).toContain(path);
  }
  if (!committed) return;
  const [name, email, date, ...message] = user.git('log', '-1', '--date=raw', '--format=%an%n%ae%n%ad%n%B').split('\n');
  plain.date = date;
  writeFileSync(join(plain.home, 'message'), `${message.join('\n').trim()}\n`);
  const identity = ['AUTHOR', 'COMMITTER'].map((who) => `GIT_${who}_NAME='${name}' GIT_${who}_EMAIL='${email}'`);
  plain.git('add', '-A', '--', ...paths);
  plain.shell(`${identity.join(' ')} git commit -q --cleanup=verbatim -F "$HOME/message"`);
  await tree.link();
}
