import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GIT_HOOKS } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { hookManagers } from '../../../scripts/hook-managers.mjs';
import { installGitHooks, missingGitHooks, planGitHooks, uninstallGitHooks } from '../src/git-hooks/repository-hooks.ts';
import { Scratch, scratch } from './scratch.ts';

/** Below the home of whoever commits: writes down what it was told. */
function setup(user: Scratch) {
  new Scratch(user.home, user.home).write(".it's/piton-forward", '#!/bin/sh\necho "$@" >> "$HOME/received"\nexit 3\n', 0o755);
  const home = join(user.home, 'piton');
  mkdirSync(home);
  return { context: { git: user.runner(), home, userHome: user.home }, command: [join(user.home, ".it's", 'piton-forward'), '--git'] };
}

const received = (user: Scratch): string[] =>
  existsSync(join(user.home, 'received')) ? readFileSync(join(user.home, 'received'), 'utf8').trim().split('\n') : [];

/** Every file below a directory, with its mode and bytes. */
const snapshot = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => [name, lstatSync(join(directory, name))] as const)
      .filter(([, stat]) => stat.isFile())
      .map(([name, stat]) => [name, `${stat.mode.toString(8)} ${readFileSync(join(directory, name), 'latin1')}`]),
  );

describe('a directory of hooks that is part of the project', () => {
  function project(): Scratch {
    const user = scratch();
    user.write('.githooks/commit-msg', '#!/bin/sh\ngrep -q good "$1"\n', 0o755);
    user.commit('hooks');
    user.git('config', 'core.hooksPath', '.githooks');
    return user;
  }

  it('is written to where that was asked for, without anybody’s home in it, known from then on, and given back byte for byte', async () => {
    const user = project();
    const before = snapshot(user.path('.githooks'));
    const { context, command } = setup(user);
    expect(await installGitHooks(context, user.root, command)).toMatchObject({ why: 'part-of-the-project' });
    const planned = await planGitHooks(context, user.root, command, { shared: true });
    expect(planned).toMatchObject({ files: GIT_HOOKS.map((hook) => ({ hook, file: user.path(`.githooks/${hook}`), link: null })) });
    expect(snapshot(user.path('.githooks'))).toEqual(before);
    expect(await installGitHooks(context, user.root, command, { shared: true })).toEqual({ written: [...GIT_HOOKS], failed: [] });
    for (const hook of GIT_HOOKS) expect(user.read(`.githooks/${hook}`)).not.toContain(user.home);
    expect(() => user.shell('git commit --quiet --allow-empty -m bad 2>/dev/null')).toThrow();
    expect(user.shell('git commit --quiet --allow-empty -m good 2>&1')).toBe('');
    expect(received(user)).toContain('--git post-commit');
    expect(await missingGitHooks(context, user.root, command)).toEqual([]);
    user.remove('.githooks/post-commit');
    expect(await missingGitHooks(context, user.root, command)).toEqual(['post-commit']);
    expect(await installGitHooks(context, user.root, command)).toEqual({ written: ['post-commit'], failed: [] });
    await uninstallGitHooks(context, user.root);
    expect(snapshot(user.path('.githooks'))).toEqual(before);
  });

  it('says nothing to people without Piton', async () => {
    const user = project();
    const { context, command } = setup(user);
    await installGitHooks(context, user.root, command, { shared: true });
    const HOME = join(user.home, 'elsewhere');
    mkdirSync(HOME);
    const env = { ...user.environment(), HOME };
    expect(execFileSync('sh', ['-c', 'git commit --quiet --allow-empty -m good 2>&1'], { cwd: user.root, env }).toString()).toBe('');
    expect(received(user)).toEqual([]);
  });
});

const managers = hookManagers();

describe("husky's own files", () => {
  it.each([
    ['empty', ''],
    ['one line break', '\n'],
    ['a command', 'npm test\n'],
    ['a script', '#!/bin/sh\n'],
    ['no line break at its end', 'npm test'],
  ])('are given back byte for byte, also where one is %s', async (_, text) => {
    const user = scratch();
    user.write('.husky/_/h', '#!/bin/sh\n');
    user.write('.husky/post-commit', text);
    user.write('.husky/pre-push', text, 0o755);
    user.git('config', 'core.hooksPath', '.husky/_');
    const before = snapshot(user.path('.husky'));
    const { context, command } = setup(user);
    for (let time = 0; time < 2; time++) await installGitHooks(context, user.root, command, { shared: true });
    expect(user.read('.husky/post-commit')).toContain('piton');
    expect(await missingGitHooks(context, user.root, command)).toEqual([]);
    await uninstallGitHooks(context, user.root);
    expect(snapshot(user.path('.husky'))).toEqual(before);
  });
});

describe.skipIf(managers === null)('the real husky', () => {
  it('keeps our lines in its own files when it installs itself again, runs them once, and gets its files back byte for byte', async () => {
    const user = scratch();
    const husky = () => user.shell(`PATH="${managers}:$PATH"; husky`);
    user.write('package.json', '{}\n');
    user.write('.husky/commit-msg', 'grep -q good "$1"');
    husky();
    user.commit('good');
    const before = snapshot(user.path('.husky'));
    const { context, command } = setup(user);
    // Where nobody asked for more, what husky keeps out of git is written to, and husky writes that anew.
    await installGitHooks(context, user.root, command);
    expect(snapshot(user.path('.husky'))).not.toEqual(before);
    expect(await installGitHooks(context, user.root, command, { shared: true })).toEqual({ written: [...GIT_HOOKS], failed: [] });
    husky();
    expect(await missingGitHooks(context, user.root, command)).toEqual([]);
    expect(() => user.shell('git commit --quiet --allow-empty -m bad 2>/dev/null')).toThrow();
    expect(user.shell('git commit --quiet --allow-empty -m good 2>&1')).toBe('');
    expect(received(user).filter((line) => line === '--git post-commit')).toHaveLength(1);
    await uninstallGitHooks(context, user.root);
    expect(snapshot(user.path('.husky'))).toEqual(before);
  });
});
