import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { GIT_HOOKS } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { hookManagers, preCommit } from '../../../scripts/hook-managers.mjs';
import { hooksDirectory, installHookFiles, planHookFiles, uninstallHookFiles } from '../src/git-hooks/hook-files.ts';
import { Scratch, scratch } from './scratch.ts';

const missingHookFiles = async (directory: string, command: readonly string[]) =>
  (await planHookFiles(directory, command)).map(({ hook }) => hook);

/**
 * Stands where the forwarder will: writes down what it was told, by a line in a script or by git itself, through a link of the hook's
 * name. Then it is silent, and its code is 0. The apostrophe is for the quoting.
 */
function forwarder(user: Scratch): string[] {
  const program = join(user.home, "it's here", 'piton-forward');
  mkdirSync(join(program, '..'), { recursive: true });
  new Scratch(user.home, user.home).write(
    "it's here/piton-forward",
    `#!/bin/sh
name=\${0##*/}
if [ "$name" != piton-forward ]; then set -- --git "\${name%%.*}" "$@"; fi
echo "$@" >> "$HOME/heard"
case $2 in post-rewrite|pre-push) cat >> "$HOME/heard";; esac
if [ "$name" = piton-forward ]; then echo noise; echo noise >&2; exit 3; fi
`,
    0o755,
  );
  return [program, '--git'];
}

const received = (user: Scratch) =>
  existsSync(join(user.home, 'heard')) ? readFileSync(join(user.home, 'heard'), 'utf8').trim().split('\n') : [];

/** Every file of a directory: mode, and bytes or target. */
const snapshot = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory).map((name) => {
      const stat = lstatSync(join(directory, name));
      const content = stat.isSymbolicLink()
        ? readlinkSync(join(directory, name))
        : stat.isFile()
          ? readFileSync(join(directory, name), 'latin1')
          : '';
      return [name, `${stat.mode.toString(8)} ${content}`];
    }),
  );

async function hooked(user: Scratch): Promise<{ directory: string; command: string[] }> {
  const worktree = await hooksDirectory((await user.worktree()).git, await user.repository());
  const command = forwarder(user);
  return { directory: worktree.directory, command };
}

describe('git hooks', () => {
  it('hear every commit, rewrite and push, with arguments and input, and never fail it', async () => {
    const user = scratch();
    const { directory, command } = await hooked(user);
    expect(await installHookFiles(directory, command)).toEqual({ written: [...GIT_HOOKS], failed: [] });
    for (const hook of GIT_HOOKS) expect(readlinkSync(join(directory, hook))).toBe(command[0]);
    user.write('README.md', 'changed\n');
    expect(user.shell('git commit --quiet -am "a message" 2>&1')).toBe('');
    const old = user.git('rev-parse', 'HEAD');
    user.git('commit', '--quiet', '--amend', '-m', 'another');
    user.git('init', '--quiet', '--bare', '../origin.git');
    user.git('push', '--quiet', '../origin.git', 'main');
    const all = received(user);
    expect(all.slice(0, 3)).toEqual([
      '--git prepare-commit-msg .git/COMMIT_EDITMSG message',
      '--git commit-msg .git/COMMIT_EDITMSG',
      '--git post-commit',
    ]);
    const head = user.git('rev-parse', 'HEAD');
    expect(all).toEqual(
      expect.arrayContaining(['--git post-rewrite amend', `${old} ${head}`, '--git pre-push ../origin.git ../origin.git']),
    );
    expect(all.at(-1)).toBe(`refs/heads/main ${head} refs/heads/main ${'0'.repeat(40)}`);
  });

  it('pass on what is said after a commit to whoever commits, and nothing else', async () => {
    const user = scratch();
    const { directory, command } = await hooked(user);
    await installHookFiles(directory, command);
    writeFileSync(command[0] ?? '', '#!/bin/sh\necho "$2 said this"; echo noise >&2\n', { mode: 0o755 });
    // In a script of somebody else's: what a link says goes to git as it is.
    for (const hook of GIT_HOOKS) {
      rmSync(join(directory, hook), { force: true });
      writeFileSync(join(directory, hook), '#!/bin/sh\n', { mode: 0o755 });
    }
    await installHookFiles(directory, command);
    user.write('README.md', 'changed\n');
    expect(user.shell('git commit --quiet -am "a message" 2>&1 >/dev/null')).toBe('post-commit said this\n');
    user.git('init', '--quiet', '--bare', '../origin.git');
    expect(user.shell('git push --quiet ../origin.git main 2>&1')).toBe('');
  });

  it('are written once: the second time there is nothing to do', async () => {
    const user = scratch();
    const { directory, command } = await hooked(user);
    expect(await missingHookFiles(directory, command)).toEqual(GIT_HOOKS);
    await installHookFiles(directory, command);
    expect((await installHookFiles(directory, command)).written).toEqual([]);
    expect(await missingHookFiles(directory, command)).toEqual([]);
    expect(await missingHookFiles(directory, ['/elsewhere/piton-forward'])).toEqual(GIT_HOOKS);
    expect((await installHookFiles(directory, ['/elsewhere/piton-forward'])).written).toEqual(GIT_HOOKS);
  });

  it('row 40, missing binary: silence, and exit 0', async () => {
    const user = scratch();
    const { directory } = await hooked(user);
    await installHookFiles(directory, ['/nowhere/piton-forward']);
    user.write('README.md', 'changed\n');
    expect(user.shell('git commit --quiet -am message 2>&1')).toBe('');
  });

  it('row 10, clobbering by us: what was there still runs, with arguments, input and exit code, and comes back byte for byte', async () => {
    const user = scratch();
    const { directory, command } = await hooked(user);
    const other = new Scratch(user.home, directory);
    other.write('commit-msg', '#!/bin/sh -eu\n# no line feed at the end\ngrep -q good "$1"', 0o755);
    other.write('post-rewrite', '#!/usr/bin/env bash\necho "theirs $*" >> "$HOME/theirs"; cat >> "$HOME/theirs"\n', 0o700);
    other.write(
      'post-commit',
      `#!${process.execPath}\nrequire('fs').appendFileSync(process.env.HOME + '/theirs', 'node ' + __filename + '\\n');\n`,
      0o755,
    );
    other.write('prepare-commit-msg', '#!/bin/sh\necho not to be run; exit 1\n', 0o644);
    other.write('real-pre-push', '#!/bin/sh\ncat >> "$HOME/theirs"; exit 7\n', 0o755);
    symlinkSync('real-pre-push', join(directory, 'pre-push'));
    const before = snapshot(directory);
    expect((await installHookFiles(directory, command)).failed).toEqual([]);
    user.write('README.md', 'changed\n');
    expect(() => user.shell('git commit --quiet -am bad 2>/dev/null')).toThrow();
    user.git('commit', '--quiet', '-am', 'good');
    const old = user.git('rev-parse', 'HEAD');
    user.git('commit', '--quiet', '--amend', '-m', 'good again');
    user.git('init', '--quiet', '--bare', '../origin.git');
    expect(() => user.shell('git push --quiet ../origin.git main 2>/dev/null')).toThrow();
    const theirs = readFileSync(join(user.home, 'theirs'), 'utf8');
    expect(theirs).toContain(`theirs amend\n${old} ${user.git('rev-parse', 'HEAD')}`);
    expect(theirs).toContain('node ');
    expect(theirs).toContain('refs/heads/main');
    expect(
      received(user)
        .filter((line) => line.startsWith('--git'))
        .map((line) => line.split(' ')[1]),
    ).toEqual([
      'prepare-commit-msg',
      'commit-msg',
      'prepare-commit-msg',
      'commit-msg',
      'post-commit',
      'prepare-commit-msg',
      'commit-msg',
      'post-commit',
      'post-rewrite',
      'pre-push',
    ]);
    expect(await uninstallHookFiles(directory)).toHaveLength(5);
    expect(snapshot(directory)).toEqual(before);
  });

  it('row 10, clobbering by us: two foreign hooks of one name are both kept', async () => {
    const user = scratch();
    const { directory, command } = await hooked(user);
    const other = new Scratch(user.home, directory);
    other.write('post-commit', 'no shell script\n', 0o755);
    await installHookFiles(directory, command);
    other.remove('post-commit');
    other.write('post-commit', 'another\n', 0o755);
    const { failed } = await installHookFiles(directory, command);
    expect(failed).toEqual([{ hook: 'post-commit', error: expect.stringContaining('already holds an older hook') }]);
    expect([other.read('post-commit'), other.read('post-commit.before-piton')]).toEqual(['another\n', 'no shell script\n']);
  });

  it('row 11, clobbering by others: found out, and taken out also where another moved them', async () => {
    const user = scratch();
    const { directory, command } = await hooked(user);
    await installHookFiles(directory, command);
    renameSync(join(directory, 'post-commit'), join(directory, 'post-commit.old'));
    expect(await missingHookFiles(directory, command)).toEqual(['post-commit']);
    await installHookFiles(directory, command);
    await uninstallHookFiles(directory);
    expect(readdirSync(directory).filter((name) => !name.endsWith('.sample'))).toEqual([]);
  });

  it('row 12, core.hooksPath: found, and not written to without consent where others share it', async () => {
    const user = scratch();
    const where = async () => hooksDirectory((await user.worktree()).git, await user.repository());
    expect(await where()).toEqual({ kind: 'own', directory: user.path('.git/hooks') });
    user.git('config', 'core.hooksPath', '.githooks');
    expect(await where()).toEqual({ kind: 'shared', directory: user.path('.githooks'), why: 'part-of-the-project' });
    user.git('config', 'core.hooksPath', 'ignored/hooks');
    expect(await where()).toEqual({ kind: 'own', directory: user.path('ignored/hooks') });
    user.git('config', '--unset', 'core.hooksPath');
    user.git('config', '--global', 'core.hooksPath', '~/hooks');
    expect(await where()).toEqual({ kind: 'shared', directory: join(user.home, 'hooks'), why: 'outside-the-repository' });
    user.git('config', 'core.hooksPath', '/dev/null');
    expect(await where()).toEqual({ kind: 'disabled', directory: '/dev/null' });
  });

  it('row 17, worktrees: one place for all of them', async () => {
    const user = scratch();
    user.git('worktree', 'add', '--quiet', '../second', '-b', 'second');
    const second = new Scratch(user.home, join(user.home, 'second'));
    const { directory, command } = await hooked(second);
    expect(directory).toBe(user.path('.git/hooks'));
    await installHookFiles(directory, command);
    second.write('README.md', 'second\n');
    second.git('commit', '--quiet', '-am', 'second');
    expect(received(user)).toContain('--git post-commit');
  });
});

const managers = hookManagers();
const python = preCommit();

describe.skipIf(python === null)('beside the real pre-commit', () => {
  const CONFIG = `repos:
  - repo: local
    hooks:
      - id: theirs
        name: theirs
        language: system
        entry: sh -c 'echo pre-commit >> "$HOME/theirs"'
        always_run: true
        pass_filenames: false
        stages: [post-commit]
`;

  for (const first of ['pre-commit', 'Piton']) {
    it(`both run, where ${first} was there first`, async () => {
      const user = scratch();
      user.write('.pre-commit-config.yaml', CONFIG);
      user.commit('pre-commit');
      const { directory, command } = await hooked(user);
      const run = (line: string) => user.shell(`PYTHONPATH="${python}"; export PYTHONPATH; ${line}`);
      const install = [
        () => run('python3 -m pre_commit install --hook-type post-commit >/dev/null'),
        async () => expect((await installHookFiles(directory, command)).failed).toEqual([]),
      ];
      for (const step of first === 'Piton' ? install.reverse() : install) await step();
      run('git commit --quiet --allow-empty -m one >/dev/null 2>&1');
      expect(readFileSync(join(user.home, 'theirs'), 'utf8')).toBe('pre-commit\n');
      expect(received(user)).toContain('--git post-commit');
      await uninstallHookFiles(directory);
      run('git commit --quiet --allow-empty -m two >/dev/null 2>&1');
      expect(readFileSync(join(user.home, 'theirs'), 'utf8')).toBe('pre-commit\npre-commit\n');
      expect(received(user).filter((line) => line === '--git post-commit')).toHaveLength(1);
    });
  }
});

describe.skipIf(python === null)('the real pre-commit, of all hooks', () => {
  it('runs ours once also after it has installed itself again, and leaves them when it goes; uninstall gives all back', async () => {
    const user = scratch();
    const theirs = (hook: string) =>
      `      - {id: ${hook}, name: theirs, language: system, entry: "true", always_run: true, pass_filenames: false, stages: [${hook}]}\n`;
    user.write('.pre-commit-config.yaml', `repos:\n  - repo: local\n    hooks:\n${GIT_HOOKS.map(theirs).join('')}`);
    user.commit('pre-commit');
    const { directory, command } = await hooked(user);
    const run = (line: string) => user.shell(`PYTHONPATH="${python}"; export PYTHONPATH; ${line}`);
    const types = GIT_HOOKS.map((hook) => `--hook-type ${hook}`).join(' ');
    run(`python3 -m pre_commit install ${types} >/dev/null`);
    const before = snapshot(directory);
    expect((await installHookFiles(directory, command)).failed).toEqual([]);
    run(`python3 -m pre_commit install ${types} >/dev/null`);
    expect(await missingHookFiles(directory, command)).toEqual(['post-rewrite']);
    run('git commit --quiet --allow-empty -m one >/dev/null 2>&1');
    for (const hook of ['prepare-commit-msg', 'commit-msg', 'post-commit'])
      expect(received(user).filter((line) => line.startsWith(`--git ${hook}`) || line.startsWith(hook))).toHaveLength(1);
    await uninstallHookFiles(directory);
    expect(snapshot(directory)).toEqual(before);
    await installHookFiles(directory, command);
    run(`python3 -m pre_commit uninstall ${types} >/dev/null`);
    expect(await missingHookFiles(directory, command)).toEqual(['post-rewrite']);
  });
});

describe.skipIf(managers === null)('beside the real hook managers', () => {
  const run = (user: Scratch, command: string) => user.shell(`PATH="${managers}:$PATH"; ${command}`);

  it('Husky: both run, before and after it installs itself again', async () => {
    const user = scratch();
    user.write('package.json', '{}\n');
    user.write('.husky/post-commit', 'echo husky >> "$HOME/theirs"\n');
    user.write('.husky/commit-msg', 'grep -q good "$1"\n');
    run(user, 'husky');
    user.commit('good');
    const before = snapshot(user.path('.husky/_'));
    const { directory, command } = await hooked(user);
    expect(await hooksDirectory((await user.worktree()).git, await user.repository())).toEqual({
      kind: 'own',
      directory: user.path('.husky/_'),
    });
    await installHookFiles(directory, command);
    expect(user.git('status', '--porcelain')).toBe('');
    user.git('commit', '--quiet', '--allow-empty', '-m', 'good too');
    expect(() => user.shell('git commit --quiet --allow-empty -m bad 2>/dev/null')).toThrow();
    expect(readFileSync(join(user.home, 'theirs'), 'utf8')).toBe('husky\nhusky\n');
    expect(received(user)).toContain('--git post-commit');
    run(user, 'husky');
    expect(await missingHookFiles(directory, command)).toEqual(GIT_HOOKS);
    await installHookFiles(directory, command);
    await uninstallHookFiles(directory);
    expect(snapshot(directory)).toEqual(before);
  });

  it('lefthook: both run, before and after it installs itself again', async () => {
    const user = scratch();
    user.write('lefthook.yml', 'post-commit:\n  commands:\n    theirs:\n      run: echo lefthook >> "$HOME/theirs"\n');
    user.commit('lefthook');
    const { directory, command } = await hooked(user);
    run(user, 'lefthook install --force >/dev/null 2>&1');
    const before = snapshot(directory);
    await installHookFiles(directory, command);
    run(user, 'git commit --quiet --allow-empty -m one >/dev/null 2>&1');
    expect(readFileSync(join(user.home, 'theirs'), 'utf8')).toBe('lefthook\n');
    expect(received(user)).toContain('--git post-commit');
    run(user, 'lefthook install --force >/dev/null 2>&1');
    await installHookFiles(directory, command);
    run(user, 'git commit --quiet --allow-empty -m two >/dev/null 2>&1');
    expect(readFileSync(join(user.home, 'theirs'), 'utf8')).toBe('lefthook\nlefthook\n');
    expect(received(user).filter((line) => line === '--git post-commit')).toHaveLength(2);
    await uninstallHookFiles(directory);
    expect(Object.keys(snapshot(directory)).filter((name) => name.includes('piton'))).toEqual([]);
    expect(snapshot(directory)['post-commit']).toBe(before['post-commit']);
  });
});
