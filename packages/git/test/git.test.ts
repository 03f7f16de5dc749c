import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGitSync } from '../src/git-sync.ts';
import {
  askGitSync,
  createGit,
  createRepository,
  GitError,
  type GitOptions,
  type GitPlace,
  type GitResult,
  gitOutput,
} from '../src/index.ts';
import { gitStarter } from '../src/process.ts';

interface Scratch {
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function directory(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'piton-git-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const PERSON = { name: 'A', email: 'a@b', message: 'one' };

function scratch(): Scratch {
  const home = directory();
  const environment = { PATH: process.env['PATH'], HOME: home };
  const root = join(home, 'repository');
  mkdirSync(root);
  writeFileSync(join(root, 'file'), 'one\n');
  expect(createRepository({ environment }, root, PERSON)).toBeUndefined();
  return { root, environment };
}

function program(path: string, text: string): string {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

type Either = (args: readonly string[], options: GitOptions) => GitResult | Promise<GitResult>;

describe.each<[string, (place: GitPlace) => Either]>([
  ['awaited', gitStarter],
  ['at once', (place) => (args, options) => startGitSync(place, args, options)],
])('git, %s', (_name, create) => {
  it('leaves out the GIT_ variables of its caller, and takes those it is given', async () => {
    const { root, environment } = scratch();
    const git = create({ environment: { ...environment, GIT_DIR: '/nowhere', SSH_ASKPASS: '/bin/false' } });
    expect((await git(['rev-parse', '--show-toplevel'], { cwd: root })).stdout.toString()).toBe(`${root}\n`);
    expect((await git(['rev-parse', '--show-toplevel'], { cwd: root, environment: { GIT_DIR: '/nowhere' } })).code).toBe(128);
  });

  it('has code -1 and the reason where git cannot be started', async () => {
    const { root, environment } = scratch();
    const git = create({ program: join(root, 'no-git'), environment });
    const result = await git(['version'], { cwd: root });
    expect(result).toMatchObject({ code: -1, stdout: Buffer.alloc(0) });
    expect(result.stderr).toContain('ENOENT');
  });

  it('has code -1 in a directory that is gone', async () => {
    const { root, environment } = scratch();
    expect((await create({ environment })(['version'], { cwd: join(root, 'gone') })).code).toBe(-1);
  });

  it('kills a git that takes too long', async () => {
    const { root, environment } = scratch();
    const git = create({ program: program(join(root, 'slow'), 'exec sleep 60'), environment, timeoutMs: 100 });
    expect((await git([], { cwd: root })).code).toBe(-1);
  });

  it('is not one that lies in a working tree, whatever PATH says', async () => {
    const { root, environment } = scratch();
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
    program(join(root, 'node_modules/.bin/git'), `touch ${join(root, 'ran')}`);
    const PATH = `${join(root, 'node_modules/.bin')}::bin:${environment['PATH']}`;
    const { code } = await create({ environment: { ...environment, PATH } })(['version'], { cwd: root });
    expect([code, existsSync(join(root, 'ran'))]).toEqual([0, false]);
  });
});

it('keeps so much of the output as is asked for', async () => {
  const { root, environment } = scratch();
  const git = gitStarter({ program: program(join(root, 'loud'), 'exec yes'), environment });
  const { code, stdout } = await git([], { cwd: root, mostOutput: 1000 });
  expect({ code, length: stdout.length }).toEqual({ code: -1, length: 1000 });
});

it('rejects when it is aborted, and kills git', async () => {
  const { root, environment } = scratch();
  const git = gitStarter({ program: program(join(root, 'slow'), 'exec sleep 60'), environment });
  await expect(git([], { cwd: root, signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/);
});

/** As git's own children are: they hear nothing of its end but that nobody reads any more, and write on. */
const withChild = (child: string) => `(trap '' TERM; ${child}) & touch started; wait`;

it('rejects an abort only when nothing that git started writes any more', async () => {
  const { root, environment } = scratch();
  const git = gitStarter({ program: program(join(root, 'parent'), withChild('sleep 0.5; touch written')), environment });
  const over = new AbortController();
  const call = git([], { cwd: root, signal: over.signal });
  await expect.poll(() => existsSync(join(root, 'started'))).toBe(true);
  over.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(existsSync(join(root, 'written'))).toBe(true);
});

it('waits no longer for what git started than git itself has', async () => {
  const { root, environment } = scratch();
  const child = 'echo $$ > child; exec sleep 600';
  const git = gitStarter({ program: program(join(root, 'parent'), `sh -c '${child}' & wait`), environment, timeoutMs: 1000 });
  const result = await git([], { cwd: root });
  const pid = Number(readFileSync(join(root, 'child'), 'utf8'));
  onTestFinished(() => void process.kill(pid));
  expect(result.code).toBe(-1);
});

it('starts no git for who has given up before', async () => {
  const { root, environment } = scratch();
  const git = gitStarter({ program: program(join(root, 'marking'), 'touch started'), environment });
  await expect(git([], { cwd: root, signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  expect(existsSync(join(root, 'started'))).toBe(false);
});

it('feeds input in parts, and hands back what git made of it', async () => {
  const { root, environment } = scratch();
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one\n');
    yield Buffer.from('two\n');
  }
  const out = await gitOutput(gitStarter({ environment }), ['hash-object', '--stdin'], { cwd: root, input: parts() });
  expect(out.toString()).toBe('814f4a422927b82f5f8a43f8fab6d3839e3983f2\n');
});

it('throws for a git that must succeed', async () => {
  const { root, environment } = scratch();
  await expect(gitOutput(createGit({ environment }).ask, ['rev-parse', 'nothing'], { cwd: root })).rejects.toThrow(GitError);
});

it('asks nothing of a repository but what starts no program', async () => {
  const { root, environment } = scratch();
  const status = ['status'] as unknown as Parameters<typeof askGitSync>[1];
  expect(() => askGitSync({ environment }, status, { cwd: root })).toThrow('git status');
  expect(() => createGit({ environment }).ask(status, { cwd: root })).toThrow('git status');
});

it('says which step of making a repository failed', () => {
  const { root, environment } = scratch();
  expect(createRepository({ environment, program: join(root, 'no-git') }, root, PERSON)).toMatchObject({ result: { code: -1 } });
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('one\n');
});

it('a git that reads slowly is waited for without a listener for each wait', async () => {
  const { root, environment } = scratch();
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const slow = join(directory(), 'git');
  writeFileSync(slow, '#!/bin/sh\nsleep 0.2\nexec cat >/dev/null\n', { mode: 0o755 });
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 60; at++) yield Buffer.alloc(256 * 1024);
  }
  const result = await gitStarter({ environment, program: slow })(['hash-object'], { cwd: root, input: parts() });
  expect(result.code).toBe(0);
  // Node reports it after the tick in which the listener was added.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
