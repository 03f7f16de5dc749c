import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Said, type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
  mkdirSync(join(box.home, '.claude'));
});
afterEach(() => box.end());

const launcher = (): string => join(box.state, 'runtime', 'current', 'piton');

/** Runs a program as a shell would, with nothing of the clone around it. */
function run(program: string, args: readonly string[], cwd = box.home, env: NodeJS.ProcessEnv = {}): Said {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: { ...box.env, ...env }, encoding: 'utf8', input: '' });
  return { code: status, stdout, stderr };
}

describe('the command that init lays into the runtime', () => {
  it('does everything from any directory, without the clone', async () => {
    await box.piton(['init']);
    const repository = box.repository();
    box.write(join(repository, '.piton/hooks/pre-tool-use/10-guard'), '#!/bin/sh\nexit 0\n', 0o755);
    expect(run(launcher(), ['trust', '--all', '--yes'], repository)).toMatchObject({ code: 0, stderr: '' });
    expect(run(launcher(), ['status'], repository)).toMatchObject({ code: 0, stderr: '' });
    expect(run(launcher(), ['doctor'], repository).stdout).toContain('No problems found');
    expect(run(launcher(), ['events', '--canaries']).stdout).toContain('canary');
    expect(run(launcher(), ['sessions']).code).toBe(0);
    expect(run(launcher(), ['settings']).code).toBe(0);
    expect(run(launcher(), ['init']).stdout).toMatch(/nothing to do/i);
    expect(run(launcher(), ['demo']).stdout).toContain('rm -rf is not allowed here');
    expect(run(launcher(), ['uninstall', '--purge', '--yes'])).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(box.state)).toBe(false);
  });

  it('can be called through links, and with a Node that is only recorded', async () => {
    await box.piton(['init']);
    mkdirSync(join(box.home, 'bin'));
    symlinkSync(launcher(), join(box.home, 'bin', 'first'));
    symlinkSync('first', join(box.home, 'bin', 'piton'));
    expect(run(join(box.home, 'bin', 'piton'), ['--version'], '/', { PATH: '/usr/bin:/bin' })).toMatchObject({ code: 0, stderr: '' });
  });

  it('is found by a relative path too, where the shell of the person has a CDPATH', async () => {
    await box.piton(['init']);
    const runtime = join(box.state, 'runtime');
    const said = run('sh', ['current/piton', '--version'], runtime, { CDPATH: `${runtime}:${box.home}` });
    expect(said).toMatchObject({ code: 0, stderr: '' });
  });

  it('is named in what init and trust say, as it can be typed', async () => {
    mkdirSync(join(box.home, '.local/bin'), { recursive: true });
    const said = await box.piton(['init']);
    expect(said.stdout).toContain('~/.local/state/piton/runtime/current/piton status');
    const typed = /^ +(\S+ init --link)$/m.exec(said.stdout)?.[1] as string;
    expect(run('sh', ['-c', typed]).code).toBe(0);
    const onPath = { PATH: `${join(box.home, '.local/bin')}:${box.env.PATH}` };
    expect(run('piton', ['--version'], box.home, onPath).code).toBe(0);
    const again = await box.piton(['status'], { env: { ...onPath, HOME: box.home } });
    expect(again.stdout).not.toContain('runtime/current/piton');
  });
});

it('is called in a clone as npm runs it there, and said so once', async () => {
  const clone = join(import.meta.dirname, '../..');
  const { stdout } = await box.piton([], { cwd: clone });
  expect(stdout).toMatch(/^next +npx piton demo /m);
  expect(stdout).toMatch(/^ +npx piton help /m);
});

describe('piton init --link', () => {
  it('puts the command where shells look, and uninstall takes it away again', async () => {
    const link = join(box.home, '.local/bin/piton');
    expect((await box.piton(['init', '--link'])).code).toBe(0);
    expect(readlinkSync(link)).toBe(launcher());
    expect((await box.piton(['init', '--link'])).stdout).toMatch(/nothing to do/i);
    expect((await box.piton(['uninstall', '--yes'])).code).toBe(0);
    expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('says which directory is not on PATH, and makes no second link of what it linked', async () => {
    const { stdout } = await box.piton(['init', '--link']);
    expect(stdout).not.toContain('ln -s');
    const [, line = ''] = /^ {2}(export PATH=.+)$/m.exec(stdout) ?? [];
    const asked = execFileSync('sh', ['-c', `${line}; command -v piton`], { env: box.env, encoding: 'utf8' });
    expect(asked.trim()).toBe(join(box.home, '.local/bin/piton'));
  });

  it('never touches a command of that name that is somebody else’s', async () => {
    const other = box.write('.local/bin/piton', '#!/bin/sh\n', 0o755);
    const said = await box.piton(['init', '--link']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(other);
    expect(existsSync(box.settings)).toBe(false);
    await box.piton(['init']);
    await box.piton(['uninstall', '--yes']);
    expect(box.read(other)).toBe('#!/bin/sh\n');
  });

  it('is not done unasked', async () => {
    mkdirSync(join(box.home, '.local/bin'), { recursive: true });
    await box.piton(['init']);
    expect(existsSync(join(box.home, '.local/bin/piton'))).toBe(false);
  });
});
