import { describe, expect, it } from 'vitest';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { scratch } from './scratch.ts';

const TURN = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;

async function made(worktree: Worktree, request: Partial<Parameters<typeof take>[1]> = {}) {
  const taken = await take(worktree, { ...TURN, ...request });
  if (taken.result !== 'made') throw new Error(JSON.stringify(taken));
  return taken;
}

describe('what is written while git looks', () => {
  /** Somebody writes right behind git's look, before ours. */
  const behindStatus = (worktree: Worktree, ...writes: (() => void)[]): Worktree => ({
    ...worktree,
    git: async (...call) => {
      const result = await worktree.git(...call);
      if (call[0].includes('status')) writes.shift()?.();
      return result;
    },
  });

  it('is a change, and not what git takes for unchanged', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const first = await made(
      behindStatus(worktree, () => user.write('README.md', 'mine\n')),
      { kind: 'prompt', by: 'human', session: null },
    );
    expect(user.git('show', `${first.checkpoint.ref}:README.md`)).toBe('mine');
    user.write('README.md', 'mine\nfrom the call\n');
    const second = await made(worktree);
    expect(second.changes.map(({ path }) => path)).toEqual(['README.md']);
    expect(user.git('diff', first.checkpoint.ref, second.checkpoint.ref, '--', 'README.md')).toContain('\n mine\n+from the call');
  });

  it('is one also in a later look, and however often it is written', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await made(worktree, { kind: 'prompt', by: 'human', session: null });
    user.write('README.md', 'committed\n');
    user.commit('Changes the index');
    const rewrites = ['mine\n', 'mine again\n'].map((text) => () => user.write('README.md', text));
    const { checkpoint, changes } = await made(behindStatus(worktree, ...rewrites));
    expect(user.git('show', `${checkpoint.ref}:README.md`)).toBe('mine again');
    expect(changes).toEqual([{ change: 'modified', path: 'README.md' }]);
    expect(await take(worktree, TURN)).toMatchObject({ result: 'unchanged' });
  });

  it('leaves alone what git does take for unchanged', async () => {
    const user = scratch();
    user.write('.gitattributes', '*.win text eol=crlf\n');
    user.write('a.win', 'one\r\ntwo\r\n');
    user.commit('Windows');
    const worktree = await user.worktree();
    const { checkpoint, changes } = await made(
      behindStatus(worktree, () => user.write('README.md', 'mine\n')),
      { kind: 'prompt', by: 'human', session: null },
    );
    expect(user.git('show', `${checkpoint.ref}:a.win`)).toBe('one\ntwo');
    expect([checkpoint.verbatim, changes]).toEqual([true, []]);
  });
});
