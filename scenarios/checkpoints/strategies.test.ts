import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeScene, environment, fire, git, openWatchedScene, piton } from './setup.ts';

let root: string;
let work: string;

const set = (key: string, value: string, scope = 'user') => expect(piton('settings', 'set', key, value, '--scope', scope).status).toBe(0);
const message = (rev = 'HEAD'): string => git('log', '-1', '--format=%B', rev);
const count = (): number => Number(git('rev-list', '--count', 'HEAD'));
const checkpoints = (): { id: string; kind: string; name: string; linked: string | null; by: string; session: string | null }[] =>
  JSON.parse(piton('checkpoints', 'list', '--json').stdout);

beforeEach(() => {
  ({ root, work } = openWatchedScene());
});
afterEach(closeScene);

async function agentWrites(name: string, text: string): Promise<void> {
  const input = { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: join(work, name), content: text } };
  fire('UserPromptSubmit', { prompt: `write ${name}\nand nothing else` });
  fire('PreToolUse', input);
  writeFileSync(join(work, name), text);
  fire('PostToolUse', { ...input, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  await eventually(() => checkpoints().some((each) => each.kind === 'stop' && each.name.startsWith(`write ${name}`)));
}

/** Commits with an editor that does this to the message file. */
const commitWith = (editor: string, ...args: string[]): void => {
  writeFileSync(join(root, 'editor'), `#!/bin/sh\n${editor}\n`, { mode: 0o755 });
  execFileSync('git', ['-c', `core.editor=${join(root, 'editor')}`, 'commit', '-q', ...args], {
    cwd: work,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

describe('the trailer', () => {
  it('never: no line, and the commit is linked all the same', async () => {
    set('checkpoints.trailer', 'never');
    await agentWrites('b.txt', 'agent\n');
    git('add', '-A');
    git('commit', '-qm', 'Add it');
    expect(message()).toBe('Add it\n\n');
    await eventually(() => checkpoints().some(({ kind }) => kind === 'commit'));
    expect(JSON.parse(piton('explain', 'HEAD', '--json').stdout).checkpoints).toHaveLength(1);
  });

  it('always: also on a commit of a person’s, whose checkpoint has no session', async () => {
    set('checkpoints.trailer', 'always', 'project');
    writeFileSync(join(work, 'mine.txt'), 'mine\n');
    git('add', 'mine.txt');
    git('commit', '-qm', 'By hand');
    const [, id] = /^Piton-Checkpoint: ([0-9A-Z]{26})$/m.exec(message()) ?? [];
    await eventually(() => checkpoints().some((each) => each.id === id));
    expect(checkpoints().find((each) => each.id === id)).toMatchObject({ kind: 'commit', by: 'human', session: null });
  });

  it('ask: a comment in the editor, which counts once its sign is taken away', async () => {
    set('checkpoints.trailer', 'never', 'user');
    set('checkpoints.trailer', 'ask', 'local');
    await agentWrites('b.txt', 'agent\n');
    git('add', 'b.txt');
    commitWith('cp "$1" "$1.seen"; sed -i -e "s/^# Piton-/Piton-/" -e "1i Add it" "$1"');
    const [, id = ''] = /^Piton-Checkpoint: ([0-9A-Z]{26})$/m.exec(message()) ?? [];
    expect(message()).toBe(`Add it\n\nPiton-Checkpoint: ${id}\n\n`);
    await eventually(() => checkpoints().some((each) => each.id === id && each.kind === 'commit'));
  });

  it('ask: left alone, or with -m, there is no line; an empty message is still none', async () => {
    set('checkpoints.trailer', 'ask');
    await agentWrites('b.txt', 'agent\n');
    git('add', 'b.txt');
    expect(() => commitWith(':')).toThrow(/empty commit message/);
    commitWith('sed -i "1i Add it" "$1"');
    expect(message()).toBe('Add it\n\n');
    await agentWrites('c.txt', 'agent\n');
    git('add', 'c.txt');
    git('commit', '-qm', 'More');
    expect(message()).toBe('More\n\n');
  });

  it('ask: puts nothing into a message whose comments git would keep', async () => {
    set('checkpoints.trailer', 'ask');
    git('config', 'commit.cleanup', 'whitespace');
    await agentWrites('b.txt', 'agent\n');
    git('add', 'b.txt');
    commitWith('echo "Add it" > "$1.new"; grep Piton "$1" >> "$1.new"; mv "$1.new" "$1"');
    expect(message()).toBe('Add it\n\n');
  });
});

describe('auto-commit', () => {
  it('commits each turn on the branch in its own name, linked; the person’s other files stay', async () => {
    set('checkpoints.strategy', 'auto-commit', 'local');
    set('checkpoints.identity', 'Robot <robot@example.org>');
    writeFileSync(join(work, '.gitignore'), '.piton/settings.local.json\n');
    git('add', '-A');
    git('commit', '-qm', 'Ignore what is mine alone');
    writeFileSync(join(work, 'mine.txt'), 'mine\n');
    await agentWrites('b.txt', 'agent\n');
    await eventually(() => count() === 3);
    expect(git('log', '-1', '--format=%an <%ae>|%s').trim()).toBe('Robot <robot@example.org>|write b.txt');
    expect(git('show', '--name-only', '--format=').trim()).toBe('b.txt');
    expect(git('status', '--porcelain')).toBe('?? mine.txt\n');
    await eventually(
      () => checkpoints().some(({ kind, linked }) => kind === 'commit' && linked === git('rev-parse', 'HEAD').trim()),
      20_000,
    );
    await agentWrites('b.txt', 'agent again\n');
    await eventually(() => count() === 4);
    expect(piton('explain', 'HEAD').stdout).toMatch(/by agents 1 \(100 %\)/);
    expect(piton('rewind', '--yes').status).toBe(0);
    expect(git('diff', '--numstat')).toBe('1\t1\tb.txt\n');
    expect(git('fsck', '--no-dangling')).toBe('');
  });

  it('stands back where you have staged changes, and says so', async () => {
    set('checkpoints.strategy', 'auto-commit');
    writeFileSync(join(work, 'mine.txt'), 'mine\n');
    git('add', 'mine.txt');
    await agentWrites('b.txt', 'agent\n');
    await eventually(() => /you have staged changes/.test(piton('doctor').stdout));
    expect([count(), git('status', '--porcelain', '--', 'b.txt', 'mine.txt')]).toEqual([1, 'A  mine.txt\n?? b.txt\n']);
    // The server goes when it has been idle; the person may ask the day after.
    expect(piton('server', 'stop').status).toBe(0);
    expect(piton('doctor').stdout).toMatch(/you have staged changes/);
  });

  it('stands back at the end of a turn that it has not seen all of, and says so', async () => {
    set('checkpoints.strategy', 'auto-commit');
    fire('UserPromptSubmit', { prompt: 'write b.txt' });
    fire('PreToolUse', { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: join(work, 'b.txt'), content: 'x\n' } });
    expect(piton('server', 'stop').status).toBe(0);
    writeFileSync(join(work, 'b.txt'), 'x\n');
    fire('Stop', { stop_hook_active: false });
    expect(await eventually(() => /before the turn is unknown/.test(piton('doctor').stdout))).toBe(true);
    expect([count(), git('status', '--porcelain', '--', 'b.txt')]).toEqual([1, '?? b.txt\n']);
  });

  it('is off unless it is asked for', async () => {
    await agentWrites('b.txt', 'agent\n');
    await agentWrites('c.txt', 'agent\n');
    expect(count()).toBe(1);
  });

  it('is not switched on by what comes with a repository, and doctor says so', async () => {
    const said = piton('settings', 'set', 'checkpoints.strategy', 'auto-commit', '--scope', 'project');
    expect([said.status, said.stderr]).toEqual([1, expect.stringContaining('--scope local')]);
    mkdirSync(join(work, '.piton'));
    const theirs = JSON.stringify({ checkpoints: { strategy: 'auto-commit', identity: 'You <you@example.org>' } });
    for (const name of ['settings.json', 'settings.local.json']) writeFileSync(join(work, '.piton', name), theirs);
    git('add', '-A');
    git('commit', '-qm', 'Ours');
    await agentWrites('b.txt', 'agent\n');
    await agentWrites('c.txt', 'agent\n');
    expect(count()).toBe(2);
    expect(piton('doctor').stdout).toContain('checkpoints.strategy does not work in the project settings');
  });

  it.each([
    [
      'a link',
      (theirs: string) => {
        mkdirSync(join(work, 'tools'));
        writeFileSync(join(work, 'tools', 'settings.local.json'), theirs);
        symlinkSync('tools', join(work, '.piton'));
      },
    ],
    [
      'a submodule',
      (theirs: string) => {
        const module = join(root, 'module');
        mkdirSync(module);
        writeFileSync(join(module, 'settings.local.json'), theirs);
        writeFileSync(join(module, '.gitignore'), 'local/\n');
        const git = (...args: string[]) => execFileSync('git', args, { cwd: module, env: environment() });
        git('init', '-q');
        git('add', '-A');
        git('commit', '-qm', 'Settings');
        execFileSync('git', ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module, '.piton'], {
          cwd: work,
          env: environment(),
        });
      },
    ],
    [
      'not ignored, and not committed yet',
      (theirs: string) => {
        mkdirSync(join(work, '.piton'));
        writeFileSync(join(work, '.piton', 'settings.local.json'), theirs);
      },
    ],
  ])('is not switched on by local settings that are %s', async (_how, lay) => {
    lay(JSON.stringify({ checkpoints: { strategy: 'auto-commit', identity: 'You <you@example.org>' } }));
    if (_how !== 'not ignored, and not committed yet') {
      git('add', '-A');
      git('commit', '-qm', 'Theirs');
    }
    const before = count();
    await agentWrites('b.txt', 'agent\n');
    await agentWrites('c.txt', 'agent\n');
    expect(count()).toBe(before);
    expect(piton('doctor').stdout).toContain('git does not ignore this file');
  });

  it('refuses a strategy that there is not', () => {
    const said = piton('settings', 'set', 'checkpoints.strategy', 'auto');
    expect([said.status, said.stderr]).toEqual([1, expect.stringContaining('checkpoints.strategy')]);
    expect(piton('settings', 'get', 'checkpoints.strategy').stdout).toBe('manual-commit\n');
  });
});
