import { rmSync } from 'node:fs';
import type { Git } from '@piton/git';
import { expect, it } from 'vitest';
import { rewind } from '../src/rewind/rewind.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { scratch } from './scratch.ts';

const TURN = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;

/** Somebody does something once, right after or before a git command of ours has run. */
function meanwhile(worktree: Worktree, command: string, when: 'before' | 'after', act: () => void): Worktree {
  let done = false;
  const git: Git = async (args, options) => {
    const isIt = !done && args.includes(command);
    if (isIt) done = true;
    if (isIt && when === 'before') act();
    const result = await worktree.git(args, options);
    if (isIt && when === 'after') act();
    return result;
  };
  return { ...worktree, git };
}

it('attributes that were taken away while git was asked are not remembered', async () => {
  const user = scratch();
  user.write('.gitattributes', '*.txt text eol=crlf\n');
  user.write('a.txt', 'one\n');
  user.commit('with attributes');
  const worktree = await user.worktree();
  await take(worktree, TURN);
  await new Promise((resolve) => setTimeout(resolve, 150));
  user.write('a.txt', 'two\n');
  await take(
    meanwhile(worktree, 'check-attr', 'after', () => rmSync(user.path('.gitattributes'))),
    { ...TURN, touched: [user.path('a.txt')] },
  );
  user.write('a.txt', 'three\n');
  const taken = await take(worktree, { ...TURN, touched: [user.path('a.txt')] });
  expect(taken).toMatchObject({ result: 'made', checkpoint: { verbatim: false } });
});

it('a commit between the looks at HEAD and at the files: the checkpoint has what was committed', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  await take(worktree, TURN);
  // Then git is asked where HEAD is.
  user.git('pack-refs', '--all');
  user.write('src/main.ts', 'agent\n');
  const taken = await take(
    meanwhile(worktree, 'rev-parse', 'after', () => user.commit('by another process')),
    TURN,
  );
  expect(taken.result).toBe('made');
  expect(user.git('show', `${taken.result === 'made' ? taken.checkpoint.commit : ''}:src/main.ts`).trim()).toBe('agent');
});

it('attributes that the agent changed do not spoil what comes back', async () => {
  const user = scratch();
  user.write('.gitattributes', '# none\n');
  user.write('z.txt', 'one\n');
  user.commit('with attributes');
  user.write('z.txt', 'mine\n');
  const worktree = await user.worktree();
  const before = await take(worktree, { ...TURN, kind: 'prompt', by: 'human' });
  user.write('.gitattributes', '*.txt text eol=crlf\n');
  user.write('z.txt', 'agent\n');
  await take(worktree, TURN);
  await rewind(worktree, before.result === 'made' ? before.checkpoint.id : '', { everything: true });
  expect([user.read('.gitattributes'), user.read('z.txt')]).toEqual(['# none\n', 'mine\n']);
});
