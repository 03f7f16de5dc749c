import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GIT_HOOKS } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { hookManagers } from '../../../scripts/hook-managers.mjs';
import { lefthookHooks, withLefthookCommands, withoutLefthookBlocks } from '../src/git-hooks/lefthook.ts';
import { installGitHooks, missingGitHooks, planGitHooks, uninstallGitHooks } from '../src/git-hooks/repository-hooks.ts';
import { Scratch, scratch } from './scratch.ts';

const COMMAND = ["$HOME/.it's/piton-forward", '--git'];

describe("lefthook's configuration", () => {
  const COMMIT = `post-commit:
  parallel: true
  # what runs
  commands:
    # first
    theirs: # a comment
      run: echo hi
`;
  it.each<[string, string, RegExp]>([
    ['has no hook of that name', '# mine\npre-commit:\n  jobs:\n    - run: true\n', /\n {2}commands:\n {4}piton:\n/],
    ['has commands in it', COMMIT, /# first\n {4}# >>> piton >>>.*\n {4}piton:\n/],
    ['has jobs in it', 'post-commit:\n  jobs:\n  - name: a\n    run: echo a\n', /post-commit:\n {2}# >>> .*\n {2}commands:\n {4}piton:/],
    ['is indented by four', 'post-commit:\n    commands:\n        theirs:\n            run: x\n', /\n {8}piton:\n {10}run: \|/],
    ['has nothing in the hook', 'post-commit:\ncolors: false\n', /post-commit:\n {2}# >>>/],
    ['has nothing in its commands', 'post-commit:\n  commands:\ncolors: false\n', /commands:\n {4}# >>>/],
    ['does not end with a line break', 'colors: false', /colors: false\n# >>> piton >>>/],
    ['has Windows line ends', 'post-commit:\r\n  commands:\r\n    theirs:\r\n      run: x\r\n', /piton:\r\n/],
    ['is not all in ASCII', '# \u00e4 \u2713\npost-commit:\n  commands:\n    "\u2713":\n      run: x\n', /piton:/],
    ['begins with the mark of a document', '---\npost-commit:\n  commands:\n    theirs: { run: x }\n', /piton:/],
    ['has a quoted key', '"post-commit":\n  commands:\n    theirs: { run: x }\n', /piton:/],
    [
      'has lines that look like a hook',
      'pre-commit:\n  commands:\n    a:\n      run: |\n        post-commit:\n          commands:\n',
      /piton:/,
    ],
  ])('that %s gets a command in place, once, and is given back byte for byte', (_, written, expected) => {
    const text = Buffer.from(written).toString('latin1');
    const edited = withLefthookCommands(text, ['post-commit'], COMMAND);
    expect(edited).toMatch(expected);
    expect(withLefthookCommands(edited ?? '', ['post-commit'], COMMAND)).toBe(edited);
    expect(withoutLefthookBlocks(edited ?? '')).toBe(text);
    const all = withLefthookCommands(text, GIT_HOOKS, COMMAND);
    expect(withoutLefthookBlocks(all ?? '')).toBe(text);
  });

  it.each([
    ['is in another form', 'post-commit: {commands: {theirs: {run: x}}}\n'],
    ['uses one map for two hooks', 'commit-msg: &all\n  commands:\n    a: { run: x }\npost-commit: *all\n'],
    ['has a command of that name', 'post-commit:\n  commands:\n    piton:\n      run: mine\n'],
    ['cannot be read', 'post-commit: [\n'],
    ['is no map', '- a\n'],
  ])('that %s is left alone', (_, text) => {
    expect(withLefthookCommands(text, ['commit-msg', 'post-commit'], COMMAND)).toBe(null);
  });

  it('runs those that it names and those that it has installed', () => {
    expect(lefthookHooks('commit-msg:\n  jobs: []\n', (hook) => hook === 'pre-push')).toEqual(
      GIT_HOOKS.filter((hook) => ['commit-msg', 'pre-push'].includes(hook)),
    );
  });
});

const managers = hookManagers();

/** Below the home of whoever commits: writes down each word that it was told, and what came in. */
function setup(user: Scratch, { asLink = false } = {}) {
  const words = 'for word in "$@"; do printf "[%s]" "$word"; done >> "$HOME/received"';
  const program = `#!/bin/sh\n${asLink ? 'printf %s "$(basename "$0")" >> "$HOME/received"\n' : ''}${words}\nprintf " %s\\n" "$(cat)" >> "$HOME/received"\n${asLink ? 'exit 0' : 'exit 3'}\n`;
  new Scratch(user.home, user.home).write(".it's/piton-forward", program, 0o755);
  const home = join(user.home, 'piton');
  mkdirSync(home);
  return { context: { git: user.runner(), home, userHome: user.home }, command: [join(user.home, ".it's", 'piton-forward'), '--git'] };
}

const received = (user: Scratch): string[] =>
  existsSync(join(user.home, 'received')) ? readFileSync(join(user.home, 'received'), 'utf8').trim().split('\n') : [];

describe.skipIf(managers === null)('the real lefthook', () => {
  const run = (user: Scratch, line: string) => user.shell(`PATH="${managers}:$PATH"; ${line}`);
  const CONFIG = `# ours
output: false
commit-msg:
  commands:
    check: # must be good
      run: grep -q good {1}
post-commit:
  jobs:
    - name: theirs
      run: echo theirs >> "$HOME/theirs"
pre-push:
  commands:
    theirs:
      run: "true"
post-rewrite:
prepare-commit-msg:
`;

  it('runs our commands, once each, also after it has installed itself again; its file is given back byte for byte', async () => {
    const user = scratch();
    user.write('lefthook.yml', CONFIG);
    run(user, 'lefthook install >/dev/null 2>&1');
    user.commit('good');
    const { context, command } = setup(user);
    // Before anybody asked for more: parts in scripts that lefthook writes anew.
    await installGitHooks(context, user.root, command);
    expect(user.read('lefthook.yml')).toBe(CONFIG);
    const plan = await planGitHooks(context, user.root, command, { shared: true });
    expect(plan).toMatchObject({ managed: { file: user.path('lefthook.yml'), before: CONFIG, hooks: GIT_HOOKS } });
    expect(user.read('lefthook.yml')).toBe(CONFIG);
    expect(await installGitHooks(context, user.root, command, { shared: true })).toEqual({ written: [...GIT_HOOKS], failed: [] });
    expect(user.read('lefthook.yml')).not.toContain(user.home);
    for (let time = 0; time < 2; time++) {
      expect(await missingGitHooks(context, user.root, command)).toEqual([]);
      expect(() => run(user, 'git commit --quiet --allow-empty -m bad >/dev/null 2>&1')).toThrow();
      user.remove('../received');
      run(user, 'git commit --quiet --allow-empty -m "good $(echo x) \'y" >/dev/null 2>&1');
      const heard = received(user).map((line) => line.trim());
      expect(heard.filter((line) => line.startsWith('[--git][prepare-commit-msg]'))).toEqual([
        '[--git][prepare-commit-msg][.git/COMMIT_EDITMSG][message]',
      ]);
      expect(heard.filter((line) => line.startsWith('[--git][commit-msg]'))).toEqual(['[--git][commit-msg][.git/COMMIT_EDITMSG]']);
      expect(heard.filter((line) => line.startsWith('[--git][post-commit]'))).toEqual(['[--git][post-commit]']);
      run(user, 'git commit --quiet --amend --allow-empty -m "good again" >/dev/null 2>&1');
      expect(received(user).filter((line) => /^\[--git\]\[post-rewrite\]\[amend\] [0-9a-f]{40} [0-9a-f]{40}/.test(line))).toHaveLength(1);
      run(user, 'lefthook install --force >/dev/null 2>&1');
    }
    expect(readFileSync(join(user.home, 'theirs'), 'utf8').split('\n').length).toBeGreaterThan(2);
    await uninstallGitHooks(context, user.root);
    expect(user.read('lefthook.yml')).toBe(CONFIG);
    user.remove('../received');
    run(user, 'lefthook install --force >/dev/null 2>&1; git commit --quiet --allow-empty -m good >/dev/null 2>&1');
    expect(received(user)).toEqual([]);
  });

  it.each(['before', 'after'])('a hook that lefthook runs and has not installed yet runs ours once, %s it does', async (when) => {
    const user = scratch();
    user.write('lefthook.yml', 'output: false\npost-commit:\n  commands:\n    theirs:\n      run: "true"\n');
    // A link is the program itself, which knows the hook by its own name, and never fails.
    const { context, command } = setup(user, { asLink: true });
    await installGitHooks(context, user.root, command, { shared: true });
    expect(user.read('lefthook.yml')).toContain('piton');
    if (when === 'after') run(user, 'lefthook install --force >/dev/null 2>&1');
    expect(await missingGitHooks(context, user.root, command)).toEqual([]);
    run(user, 'git commit --quiet --allow-empty -m good >/dev/null 2>&1');
    for (const hook of ['prepare-commit-msg', 'post-commit']) expect(received(user).filter((line) => line.includes(hook))).toHaveLength(1);
  });

  it('says nothing and fails nothing for people without Piton', async () => {
    const user = scratch();
    user.write('lefthook.yml', CONFIG);
    const { context, command } = setup(user);
    await installGitHooks(context, user.root, command, { shared: true });
    run(user, 'lefthook install >/dev/null 2>&1');
    user.remove("../.it's");
    run(user, 'git commit --quiet --allow-empty -m good');
    expect(received(user)).toEqual([]);
  });
});
