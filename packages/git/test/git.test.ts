import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGit, createGitSync, GitError, type GitOptions, type GitResult, gitOutput } from '../src/index.ts';

interface Scratch {
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function scratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-git-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const environment = { PATH: process.env['PATH'], HOME: root };
  expect(createGitSync({ environment })(['init', '-q', '-b', 'main'], { cwd: root }).code).toBe(0);
  return { root, environment };
}

function program(path: string, text: string): string {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

type Either = (args: readonly string[], options: GitOptions) => GitResult | Promise<GitResult>;
type Place = Parameters<typeof createGit>[0];

describe.each<[string, (place: Place) => Either]>([
  ['awaited', createGit],
  ['at once', createGitSync],
])('git, %s', (_name, create) => {
  it('runs no program that the configuration names', async () => {
    const { root, environment } = scratch();
    const ran = join(root, 'ran');
    const hooks = join(root, 'hooks');
    createGitSync({ environment })(['init', '-q', '--bare', hooks], { cwd: root });
    program(join(hooks, 'reference-transaction'), `touch ${ran}`);
    const monitor = program(join(root, 'monitor'), `touch ${ran}`);
    const set = createGitSync({ environment });
    set(['config', 'core.hooksPath', hooks], { cwd: root });
    set(['config', 'core.fsmonitor', monitor], { cwd: root });
    const git = create({ environment });
    expect((await git(['status', '--porcelain'], { cwd: root })).code).toBe(0);
    const tree = (await git(['write-tree'], { cwd: root })).stdout.toString().trim();
    const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
    const commit = (await git(['commit-tree', '-m', 'one', tree], { cwd: root, environment: who })).stdout.toString().trim();
    expect((await git(['update-ref', 'refs/piton/one', commit], { cwd: root })).code).toBe(0);
    expect(existsSync(ran)).toBe(false);
  });

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
});

it('keeps so much of the output as is asked for', async () => {
  const { root, environment } = scratch();
  const git = createGit({ program: program(join(root, 'loud'), 'exec yes'), environment });
  const { code, stdout } = await git([], { cwd: root, mostOutput: 1000 });
  expect({ code, length: stdout.length }).toEqual({ code: -1, length: 1000 });
});

it('rejects when it is aborted, and kills git', async () => {
  const { root, environment } = scratch();
  const git = createGit({ program: program(join(root, 'slow'), 'exec sleep 60'), environment });
  await expect(git([], { cwd: root, signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/);
});

it('feeds input in parts, and hands back what git made of it', async () => {
  const { root, environment } = scratch();
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one\n');
    yield Buffer.from('two\n');
  }
  const out = await gitOutput(createGit({ environment }), ['hash-object', '--stdin'], { cwd: root, input: parts() });
  expect(out.toString()).toBe('814f4a422927b82f5f8a43f8fab6d3839e3983f2\n');
});

it('throws for a git that must succeed', async () => {
  const { root, environment } = scratch();
  await expect(gitOutput(createGit({ environment }), ['rev-parse', 'nothing'], { cwd: root })).rejects.toThrow(GitError);
});
