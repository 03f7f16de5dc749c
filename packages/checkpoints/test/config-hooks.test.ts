import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { GIT_HOOKS } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { configCommand, installConfigHooks, missingConfigHooks, uninstallConfigHooks } from '../src/git-hooks/config-hooks.ts';
import { type Scratch, scratch } from './scratch.ts';

const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(execFileSync('git', ['version'], { encoding: 'utf8' })) ?? [];
const RUNS = Number(major) > 2 || Number(minor) >= 54;

/** A program in a place that a shell could stumble over, which writes down how it was called. */
function witness(user: Scratch): string {
  const program = `${user.home}/it's here`;
  const log = `${user.home}/log`;
  execFileSync('sh', ['-c', 'cat > "$1"; chmod +x "$1"', 'sh', program], {
    input: `#!/bin/sh\necho "$*" >> '${log}'\n[ "$2" = pre-push ] && cat >> '${log}'\necho noise; echo noise >&2\nexit 7\n`,
  });
  return program;
}
const received = (user: Scratch): string[] =>
  existsSync(`${user.home}/log`) ? readFileSync(`${user.home}/log`, 'utf8').trim().split('\n') : [];

describe('hooks in git’s configuration', () => {
  it('are written once, seen as missing when they are of another place, and taken out byte for byte', async () => {
    const user = scratch();
    const repository = await user.repository();
    const git = user.runner().ask;
    const before = user.read('.git/config');
    expect(await installConfigHooks(git, repository, ['/p', 'word'])).toEqual([...GIT_HOOKS]);
    expect(await installConfigHooks(git, repository, ['/p', 'word'])).toEqual([]);
    expect(user.git('config', 'hook.piton-post-commit.event')).toBe('post-commit');
    expect(await missingConfigHooks(git, repository, ['/elsewhere'])).toEqual([...GIT_HOOKS]);
    expect(await installConfigHooks(git, repository, ['/elsewhere'])).toEqual([...GIT_HOOKS]);
    expect(user.git('config', '--get-all', 'hook.piton-post-commit.event')).toBe('post-commit');
    expect(await uninstallConfigHooks(git, repository)).toEqual([...GIT_HOOKS]);
    expect(user.read('.git/config')).toBe(before);
    expect(await uninstallConfigHooks(git, repository)).toEqual([]);
  });

  it('are commands behind which git can put arguments: silent, never a failure, and nothing without the program', () => {
    const user = scratch();
    const program = witness(user);
    const run = (text: string, ...args: string[]) => execFileSync('sh', ['-c', `${text} "$@" 2>&1`, text, ...args], { encoding: 'utf8' });
    expect(run(configCommand('commit-msg', [program, 'git']), 'a file', '$(x)')).toBe('');
    expect(received(user)).toEqual(['git commit-msg a file $(x)']);
    expect(run(configCommand('commit-msg', ['/gone', 'git']), 'file')).toBe('');
  });

  // Only where such a git is; in most places it is not yet.
  if (RUNS)
    it('are run by git beside the file in the hooks directory', async () => {
      const user = scratch();
      await installConfigHooks(user.runner().ask, await user.repository(), [witness(user), 'git']);
      user.write('.git/hooks/post-commit', `#!/bin/sh\necho own >> '${user.home}/log'\n`, 0o755);
      user.write('new', 'x\n');
      user.commit('Again');
      expect(received(user).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
        'git prepare-commit-msg',
        'git commit-msg',
        'git post-commit',
        'own',
      ]);
      user.git('init', '--quiet', '--bare', `${user.home}/remote`);
      user.git('push', '--quiet', `${user.home}/remote`, 'main');
      expect(received(user).slice(-2)).toEqual([
        `git pre-push ${user.home}/remote ${user.home}/remote`,
        expect.stringMatching(/^refs\/heads\/main /),
      ]);
    });

  if (RUNS)
    it('of the user’s do not run for what we do to refs and the index', async () => {
      const user = scratch();
      for (const event of ['reference-transaction', 'post-index-change']) {
        user.git('config', `hook.mine-${event}.event`, event);
        user.git('config', `hook.mine-${event}.command`, `echo ${event} >> '${user.home}/log'; :`);
      }
      const { git } = await user.worktree();
      await git(['update-ref', 'refs/piton/x', 'HEAD'], { cwd: user.root });
      await git(['update-index', '--refresh'], { cwd: user.root });
      expect(received(user)).toEqual([]);
      user.git('update-ref', 'refs/tags/x', 'HEAD');
      expect(received(user)).toContain('reference-transaction');
    });
});
