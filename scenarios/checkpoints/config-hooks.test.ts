import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeHomeNow, runPitonSync } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(execFileSync('git', ['version'], { encoding: 'utf8' })) ?? [];
const KNOWN = Number(major) > 2 || Number(minor) >= 54;
let root: string;
let work: string;

const environment = () => ({
  ...{ PATH: process.env.PATH, HOME: root, PITON_HOME: join(root, 'piton'), NO_COLOR: '1', PITON_ALLOW_UNDER_AGENT: '1' },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@e', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@e' },
});
const git = (...args: string[]): string => execFileSync('git', args, { cwd: work, env: environment(), encoding: 'utf8' });
const piton = (...args: string[]) => runPitonSync(args, { cwd: work, env: environment() });
const files = () => readdirSync(join(work, '.git', 'hooks')).filter((name) => !name.endsWith('.sample'));
const config = () => readFileSync(join(work, '.git', 'config'), 'utf8');

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-config-hooks-')));
  work = join(root, 'work');
  execFileSync('git', ['init', '-q', '-b', 'main', work], { env: environment() });
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
});
afterEach(() => {
  removeHomeNow(root, join(root, 'piton', 'state'), join(root, 'piton', 'config'));
});

if (!KNOWN)
  it('init --git-config-hooks says that this git has none, and writes nothing of the kind', () => {
    const before = config();
    const said = piton('init', '--agent', 'claude', '--yes', '--git-config-hooks');
    expect([said.status, said.stdout]).toEqual([0, expect.stringContaining('older than 2.54')]);
    expect([config(), files()]).toEqual([before, []]);
  });

if (KNOWN)
  it('init --git-config-hooks takes the place of files, also beside core.hooksPath; uninstall gives everything back', () => {
    git('config', 'core.hooksPath', join(root, 'shared'));
    const before = config();
    expect(piton('init', '--agent', 'claude', '--yes').stdout).toContain('piton init --git-config-hooks');
    git('config', '--unset', 'core.hooksPath');
    expect(piton('init', '--agent', 'claude', '--yes').stdout).toContain('5 git hooks installed.');
    expect(piton('init', '--agent', 'claude', '--yes', '--git-config-hooks').stdout).toContain('5 git hooks installed.');
    expect(files()).toEqual([]);
    git('config', 'core.hooksPath', join(root, 'shared'));
    expect(piton('init', '--agent', 'claude', '--yes').stdout).toContain('Its git hooks are already installed.');
    expect(piton('settings', 'set', 'checkpoints.trailer', 'always').status).toBe(0);
    writeFileSync(join(work, 'a.txt'), 'a\n');
    git('add', 'a.txt');
    git('commit', '-qm', 'Mine');
    expect(git('log', '-1', '--format=%B')).toMatch(/^Piton-Checkpoint: /m);
    expect(piton('uninstall', '--yes').stdout).toContain('5 git hooks removed');
    expect(config()).toBe(before);
  });
