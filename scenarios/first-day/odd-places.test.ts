import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { CLI, type Sandbox, sandbox } from './sandbox.ts';

// A folder may be called anything. What init does in it works there, and all of it goes again.
let box: Sandbox;
beforeEach(() => {
  box = sandbox();
  box.write('.claude/settings.json', '{}');
});
afterEach(() => box.end());

const ODD: Readonly<Record<string, string>> = {
  'everything that means something to a shell, a terminal or git': `a\nb\rc\u001b[31md "e" 'f' $HOME $(touch ran) \`touch ran\` \\n\t\u202e:;#&|<>*?[a]{b}~!`,
  'a line break that looks like another repository': 'a\n/etc',
  'a line break at the end': 'a\n',
  'a carriage return at the end': 'a\r',
  'a space at the end': 'a ',
  'a quote at the beginning': '"a"',
  'a dash at the beginning': '-rf',
};

const hooksIn = (work: string): string[] => readdirSync(join(work, '.git/hooks')).filter((name) => !name.endsWith('.sample'));
const refsIn = (work: string): string =>
  execFileSync('git', ['for-each-ref', '--format=%(refname)', 'refs/piton'], { cwd: work, env: box.env, encoding: 'utf8' });

describe.each(Object.entries(ODD))('in a repository whose path has %s', (_what, name) => {
  it('a turn has a checkpoint that can be gone back to, a commit is linked, and uninstall leaves nothing', async () => {
    const work = box.repository(name);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@n', ...args], { cwd: work, env: box.env, encoding: 'utf8' });
    box.write(join(work, 'file.txt'), 'before\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    const said = await box.piton(['init', '--yes'], { cwd: work });
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(hooksIn(work)).toHaveLength(5);

    await fire(box, claude.prompt('one', work, 'change it'));
    await fire(box, claude.shell('one', work, 'echo after > file.txt'));
    writeFileSync(join(work, 'file.txt'), 'after\n');
    await fire(box, claude.stop('one', work));
    await eventually(async () => (await box.json<unknown[]>(['checkpoints'], { cwd: work })).length >= 2);
    git('commit', '--quiet', '-am', 'second');
    await eventually(async () => (await box.piton(['explain', 'HEAD'], { cwd: work })).stdout.includes('change it'));
    expect(await box.piton(['rewind', '--yes'], { cwd: work })).toMatchObject({ code: 0 });
    expect(readFileSync(join(work, 'file.txt'), 'utf8')).toBe('before\n');
    expect((await box.piton(['doctor'], { cwd: work })).stdout).toContain('No problems found');

    const ended = await box.piton(['uninstall', '--purge', '--yes'], { cwd: work });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(hooksIn(work)).toEqual([]);
    expect(refsIn(work)).toBe('');
    expect(existsSync(join(box.home, '.local'))).toBe(false);
    expect(execFileSync('find', ['.git', '-name', '*piton*'], { cwd: work, encoding: 'utf8' })).toBe('');
    expect(existsSync(join(work, 'ran'))).toBe(false);
  });
});

describe('in a directory whose path is not valid UTF-8', () => {
  /** Node cannot name it: a shell goes there. */
  const there = (...args: string[]) =>
    spawnSync('/bin/sh', ['-c', `cd "$(printf 'odd\\377')" && exec "$@"`, 'sh', process.execPath, CLI, ...args], {
      ...{ cwd: box.home, env: box.env, encoding: 'utf8' as const },
    });
  beforeEach(() => void execFileSync('/bin/sh', ['-c', `git init --quiet "$(printf 'odd\\377')"`], { cwd: box.home, env: box.env }));

  it('init refuses before it changes anything', () => {
    const { status, stderr } = there('init', '--yes');
    expect([status, stderr]).toEqual([1, expect.stringContaining('the path of this directory is not valid UTF-8')]);
    expect(existsSync(box.state)).toBe(false);
    expect(box.read('.claude/settings.json')).toBe('{}');
  });

  it('without checkpoints init goes on, the test event arrives, and status and doctor say what is missing', () => {
    expect(there('init', '--yes', '--no-git').status).toBe(0);
    const status = there('status');
    expect([status.status, status.stdout]).toEqual([0, expect.stringContaining('the path of this directory is not valid UTF-8')]);
    expect(status.stdout).toContain('canary');
    expect(there('doctor').stdout).toContain('the path of this directory is not valid UTF-8, so Piton takes no checkpoints here');
    expect(there('uninstall', '--purge', '--yes').status).toBe(0);
    expect(existsSync(box.state)).toBe(false);
  });
});
