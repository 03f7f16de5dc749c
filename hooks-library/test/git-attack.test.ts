import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Canaries, configure } from '@piton/testing/git-attack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import commitGuard from '../scan-secrets-before-commit/guard.ts';

const TOKEN = `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
const script = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

let home: string;
let root: string;
let canaries: Canaries;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-library-')));
  root = join(home, 'work');
  canaries = new Canaries(join(home, 'canaries'));
  mkdirSync(root);
  git(root, 'init', '-q', '-b', 'main');
  put('data.dat', 'one\n');
  put('.piton/test-command', 'true\n');
  put('.gitattributes', canaries.attributes().text);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'Begin');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' });
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Sam', '-c', 'user.email=s@example.com', '-c', 'protocol.file.allow=always', ...args], {
    cwd,
    env: environment(),
    encoding: 'utf8',
  });
function put(name: string, text: string): void {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
}

const strike = (gitDir: string): void => configure(gitDir, home, 'repository', [...canaries.settings(), ...canaries.attributes().settings]);

const guard = (command: string) =>
  commitGuard(
    { cwd: root, tool_input: { command }, piton: { repo: root, tool: { kind: 'shell', files: [] } } },
    { signal: new AbortController().signal },
  );

const run = (path: string, more: NodeJS.ProcessEnv = {}) =>
  spawnSync('sh', [script(path)], { cwd: root, env: { ...environment(), PITON_CWD: root, ...more }, input: '{}', encoding: 'utf8' });

const USES: readonly (readonly [string, () => unknown])[] = [
  ['scan-secrets-before-commit', () => guard('git commit -am x')],
  ['project-context', () => run('project-context/scripts/context.sh')],
  ['run-tests-at-stop', () => run('run-tests-at-stop/scripts/run-tests.sh')],
];

describe.each(USES)('%s', (_, use) => {
  it('runs nothing that a repository’s configuration names', async () => {
    put('data.dat', 'two\n');
    strike(join(root, '.git'));
    await use();
    expect(canaries.ran()).toEqual([]);
    spawnSync('git', ['status'], { cwd: root, env: environment() });
    expect(canaries.ran()).not.toEqual([]);
  });

  it('runs nothing that a submodule’s configuration names', async () => {
    execFileSync('git', ['clone', '-q', root, join(home, 'other')], { env: environment() });
    git(root, 'submodule', '--quiet', 'add', join(home, 'other'), 'sub');
    git(root, 'commit', '-qm', 'Add');
    strike(join(root, '.git/modules/sub'));
    put('sub/data.dat', 'two\n');
    await use();
    expect(canaries.ran()).toEqual([]);
    spawnSync('git', ['status'], { cwd: root, env: environment() });
    expect(canaries.ran()).not.toEqual([]);
  });
});

describe('a bare repository among the files', () => {
  beforeEach(() => {
    git(root, 'clone', '-q', '--bare', '.', 'docs/fixture');
    const at = join(root, 'docs/fixture');
    writeFileSync(join(at, 'config'), '[core]\n\tbare = false\n\tworktree = .\n\trepositoryformatversion = 0\n');
    strike(at);
  });

  it('runs nothing when somebody is about to commit in it, and is searched all the same', async () => {
    writeFileSync(join(root, 'docs/fixture/key.txt'), `${TOKEN}\n`);
    expect((await guard('git -C docs/fixture commit -am x -- .'))?.decision).toBe('deny');
    expect(canaries.ran()).toEqual([]);
    spawnSync('git', ['-C', 'docs/fixture', 'status'], { cwd: root, env: environment() });
    expect(canaries.ran()).not.toEqual([]);
  });
});

describe('the scripts still tell what they told', () => {
  it('of a branch, changes and commits', () => {
    put('new.txt', 'x\n');
    appendFileSync(join(root, 'data.dat'), 'more\n');
    const { stdout } = run('project-context/scripts/context.sh');
    expect(stdout).toContain('Branch: main\n');
    expect(stdout).toContain('M data.dat\n?? new.txt');
    expect(stdout).toMatch(/Last commits:\n[0-9a-f]{7} Begin/);
  });

  it('of failing tests, and only after a change', () => {
    put('.piton/test-command', 'echo "no <$GIT_DIR>"; exit 1\n');
    git(root, 'commit', '-qam', 'Fail');
    expect(run('run-tests-at-stop/scripts/run-tests.sh').status).toBe(0);
    put('data.dat', 'two\n');
    const { status, stderr } = run('run-tests-at-stop/scripts/run-tests.sh');
    expect([status, stderr]).toEqual([2, expect.stringContaining('no <>\n')]);
    expect(run('run-tests-at-stop/scripts/run-tests.sh').status).toBe(0);
    expect(readdirSync(join(home, '.cache/piton'))).toEqual(['run-tests-at-stop']);
  });

  it('outside a repository: only what the files say', () => {
    rmSync(join(root, '.git'), { recursive: true });
    put('TODO.md', '- [ ] one\n');
    expect(run('project-context/scripts/context.sh').stdout).toBe('Open in TODO.md:\n- [ ] one\n');
    expect(run('run-tests-at-stop/scripts/run-tests.sh').status).toBe(0);
  });

  it('with no git of the repository’s own on PATH', () => {
    put('node_modules/.bin/git', `#!/bin/sh\necho ran >> '${canaries.log}'\n`);
    execFileSync('chmod', ['755', join(root, 'node_modules/.bin/git')]);
    const PATH = `${join(root, 'node_modules/.bin')}:.:${process.env['PATH']}`;
    expect(run('project-context/scripts/context.sh', { PATH }).stdout).toContain('Branch: main');
    expect(run('run-tests-at-stop/scripts/run-tests.sh', { PATH }).status).toBe(0);
    expect(canaries.ran()).toEqual([]);
  });
});
