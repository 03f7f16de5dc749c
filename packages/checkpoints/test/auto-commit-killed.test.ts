import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { recoverAutoCommit } from '../src/auto-commit/publish.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import { commitOf, work } from './auto-commit-setup.ts';
import { groupEnded } from './left-behind.ts';
import { scratch } from './scratch.ts';

describe('an auto-commit, after a crash in the middle', () => {
  let program: string;
  beforeAll(async () => {
    const made = await build({
      entryPoints: [join(import.meta.dirname, 'programs/auto-commit-child.ts')],
      ...{ bundle: true, platform: 'node', format: 'esm', write: false },
    });
    program = made.outputFiles[0]?.text ?? '';
  });
  const crashed = async (step: string) => {
    const user = scratch();
    const worktree = await user.worktree();
    const end = await work(worktree, () => user.write('src/main.ts', 'agent\n'));
    const head = user.git('rev-parse', 'HEAD');
    const child = join(user.home, 'child.mjs');
    writeFileSync(child, program);
    const args = [child, user.root, join(user.home, 'state'), end.id, step];
    const ended = spawnSync(process.execPath, args, { env: user.environment(), encoding: 'utf8' });
    expect({ signal: ended.signal, stderr: ended.stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
    expect(existsSync(user.path('.git/index.lock'))).toBe(true);
    return { user, worktree, end, head };
  };

  it('before the branch moved: all is as before, the lock is gone, and the next try commits', async () => {
    const { user, worktree, end, head } = await crashed('locked');
    await recoverAutoCommit(worktree);
    expect(existsSync(user.path('.git/index.lock'))).toBe(false);
    expect([user.git('rev-parse', 'HEAD'), user.git('status', '--porcelain')]).toEqual([head, 'M src/main.ts']);
    expect(await commitOf(worktree, end)).toMatchObject({ result: 'committed' });
  });

  it('after the branch moved: the index follows, nothing is staged', async () => {
    const { user, worktree, head } = await crashed('moved');
    await recoverAutoCommit(worktree);
    expect(existsSync(user.path('.git/index.lock'))).toBe(false);
    expect([user.git('rev-parse', 'HEAD^'), user.git('status', '--porcelain')]).toEqual([head, '']);
    user.git('fsck', '--strict');
  });

  it('and after the person took our lock away, the index follows as well', async () => {
    const { user, worktree } = await crashed('moved');
    rmSync(user.path('.git/index.lock'));
    expect(user.git('status', '--porcelain')).toBe('MM src/main.ts');
    await recoverAutoCommit(worktree);
    expect(user.git('status', '--porcelain')).toBe('');
  });

  it('when a git that was left alone moves the branch after all, the index follows at the next look', async () => {
    const { user, worktree, end } = await crashed('locked');
    await recoverAutoCommit(worktree);
    const made = user.git('commit-tree', `${end.commit}^{tree}`, '-p', 'HEAD', '-m', 'late');
    const note = join(worktree.state, 'auto-commit.json');
    writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, 'utf8')), to: made }));
    user.git('update-ref', 'refs/heads/main', made);
    await recoverAutoCommit(worktree);
    expect([user.git('status', '--porcelain'), existsSync(note)]).toEqual(['', false]);
  });

  it('at any moment: the commit is there whole or not at all, and so is its index', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const child = join(user.home, 'child.mjs');
    writeFileSync(child, program);
    for (let round = 0; round < 9; round++) {
      const text = `agent ${round}\n`;
      const end = await work(worktree, () => user.write('src/main.ts', text), `t${round}`);
      const head = user.git('rev-parse', 'HEAD');
      const args = [child, user.root, join(user.home, 'state'), end.id, 'never'];
      const running = spawn(process.execPath, args, { env: user.environment(), detached: true });
      const over = once(running, 'close');
      // From before it has begun to after it is done.
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 40 + round * 30))]);
      running.kill('SIGKILL');
      await over;
      await groupEnded(running.pid);
      await recoverAutoCommit(worktree);
      expect(existsSync(user.path('.git/index.lock'))).toBe(false);
      const committed = user.git('rev-parse', 'HEAD') !== head;
      expect([round, user.git('status', '--porcelain')]).toEqual([round, committed ? '' : 'M src/main.ts']);
      expect([user.read('src/main.ts'), user.git('show', 'HEAD:src/main.ts') === text.trim()]).toEqual([text, committed]);
      await endTurn(worktree, 's1');
    }
    user.git('fsck', '--strict');
  });

  it('a lock of somebody else’s stays', async () => {
    const { user, worktree } = await crashed('locked');
    writeFileSync(user.path('.git/index.lock'), 'theirs');
    await recoverAutoCommit(worktree);
    expect(existsSync(user.path('.git/index.lock'))).toBe(true);
  });
});
