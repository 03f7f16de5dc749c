import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { renameSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listCheckpoints } from '../src/history/listing.ts';
import { findRepository } from '../src/repositories/repository.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import { directory, Scratch, scratch } from './scratch.ts';

const STOP = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: null, turn: null } as const;

async function refOf(worktree: Worktree, request: Partial<Parameters<typeof take>[1]> = {}): Promise<string> {
  const taken = await take(worktree, { ...STOP, ...request });
  if (taken.result !== 'made') throw new Error(JSON.stringify(taken));
  return taken.checkpoint.ref;
}

it('row 5, ref races: checkpoints at the same moment are all there, and whole', async () => {
  const user = scratch();
  const worktrees = await Promise.all(Array.from({ length: 6 }, () => user.worktree()));
  user.write('README.md', 'changed\n');
  const refs = await Promise.all(worktrees.map((worktree, at) => refOf(worktree, { session: `s${at}`, always: true })));
  expect(new Set(refs).size).toBe(6);
  for (const ref of refs) expect(user.git('show', `${ref}:README.md`)).toBe('changed');
  expect(user.git('fsck', '--full', '--strict')).toBe('');
});

it('row 13, GIT_* environment: what a git hook is given does not reach our git', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const outcome = await worktree.git(['rev-parse', '--git-dir'], { cwd: user.root });
  expect(outcome.stdout.toString().trim()).toBe(user.path('.git'));
});

it('row 16, no repository', async () => {
  expect(await findRepository(scratch().runner(), directory())).toBe(null);
});

it('row 14, nested repositories: a file belongs to the innermost', async () => {
  const user = scratch();
  user.shell('git init -q inner && mkdir inner/deep');
  const found = await findRepository(user.runner(), user.path('inner/deep/not/yet/there'));
  expect(found?.root).toBe(user.path('inner'));
});

it('row 23, commit.gpgsign: a checkpoint is never signed, and never asks', async () => {
  const user = scratch();
  user.git('config', 'commit.gpgSign', 'true');
  user.git('config', 'gpg.program', 'false');
  user.write('README.md', 'changed\n');
  expect(user.git('cat-file', 'commit', await refOf(await user.worktree()))).not.toContain('gpgsig');
});

it('hooks of the repository do not run for a checkpoint or a rewind', async () => {
  const user = scratch();
  for (const hook of ['reference-transaction', 'post-checkout', 'pre-auto-gc', 'post-index-change']) {
    user.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> "$HOME/ran"\n`, 0o755);
  }
  const worktree = await user.worktree();
  const { done } = beginTurn(worktree, { name: '', session: 's1', agent: null, turn: null });
  const begun = await done;
  user.write('README.md', 'changed\n');
  await refOf(worktree);
  await endTurn(worktree, 's1');
  await rewind(worktree, begun.result === 'made' ? begun.checkpoint.id : '');
  expect(user.read('README.md')).toBe('read me\n');
  expect(user.shell('cat "$HOME/ran" 2>/dev/null || true')).toBe('');
});

it('row 17, worktrees: a repository that was moved keeps its checkpoints', async () => {
  const user = scratch();
  const ref = await refOf(await user.worktree());
  renameSync(user.root, join(user.home, 'moved'));
  const moved = new Scratch(user.home, join(user.home, 'moved'));
  const worktree = await moved.worktree();
  expect((await listCheckpoints(worktree.git, worktree.repository, { here: true })).map((one) => one.ref)).toEqual([ref]);
  moved.write('README.md', 'changed\n');
  const result = await rewind(worktree, ref.split('/').pop() ?? '', { everything: true });
  expect([result.result, moved.read('README.md')]).toEqual(['rewound', 'read me\n']);
});

it('row 30, symlinks, modes: a file where HEAD has a symlink, on a file system without modes, is a file', async () => {
  const user = scratch();
  symlinkSync('README.md', user.path('link'));
  user.commit('a link');
  user.git('config', 'core.fileMode', 'false');
  user.remove('link');
  user.write('link', 'a file now\n');
  const ref = await refOf(await user.worktree());
  user.git('add', '-A');
  expect(user.git('rev-parse', `${ref}^{tree}`)).toBe(user.git('write-tree'));
});

it('row 48, alternates', async () => {
  const origin = scratch();
  const user = new Scratch(origin.home, join(origin.home, 'borrower'));
  origin.git('clone', '--quiet', '--shared', origin.root, user.root);
  user.write('README.md', 'changed\n');
  const ref = await refOf(await user.worktree());
  expect(user.git('show', `${ref}:README.md`)).toBe('changed');
  expect(origin.git('for-each-ref', 'refs/piton')).toBe('');
});

it('row 35, branch side effects: no branch, no tag, nothing that a push or a clone takes along', async () => {
  const user = scratch();
  await refOf(await user.worktree());
  user.git('init', '--quiet', '--bare', '../origin.git');
  user.git('push', '--quiet', '--all', '../origin.git');
  user.git('push', '--quiet', '--tags', '../origin.git');
  expect(user.git('ls-remote', '../origin.git')).not.toContain('piton');
  user.git('clone', '--quiet', user.root, '../clone');
  expect(new Scratch(user.home, join(user.home, 'clone')).git('for-each-ref')).not.toContain('piton');
});

describe('row 27, LFS', () => {
  const CONTENT = 'x'.repeat(2_000_000);
  const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
  const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${SHA256}\nsize 2000000`;

  /** As `git lfs install` and `git lfs track` set it up; the program itself need not be there. */
  function withLfs(): Scratch {
    const user = scratch();
    user.git('config', 'filter.lfs.clean', 'git-lfs clean -- %f');
    user.git('config', 'filter.lfs.smudge', 'git-lfs smudge -- %f');
    user.git('config', 'filter.lfs.process', 'git-lfs filter-process');
    user.git('config', 'filter.lfs.required', 'true');
    user.write('.gitattributes', '*.psd filter=lfs diff=lfs merge=lfs -text\n');
    user.commit('attributes');
    return user;
  }

  const stored = `.git/lfs/objects/${SHA256.slice(0, 2)}/${SHA256.slice(2, 4)}/${SHA256}`;
  const idOf = (ref: string): string => ref.split('/').pop() ?? '';

  it('the pointer, as git would store it, and the bytes, which nobody else has', async () => {
    const user = withLfs();
    const worktree = await user.worktree();
    user.write('large.psd', CONTENT);
    const ref = await refOf(worktree);
    expect(user.git('show', `${ref}:large.psd`)).toBe(POINTER);
    user.remove('large.psd');
    await rewind(worktree, idOf(ref), { everything: true });
    expect(user.read('large.psd')).toBe(CONTENT);
  });

  it('only the pointer, where LFS has the bytes, from where they come back', async () => {
    const user = withLfs();
    const worktree = await user.worktree();
    user.write(stored, CONTENT);
    user.write('run.psd', CONTENT, 0o755);
    const ref = await refOf(worktree);
    expect(user.git('for-each-ref', 'refs/piton/verbatim')).not.toBe('');
    expect(user.shell(`git cat-file blob refs/piton/verbatim/${idOf(ref)}:run.psd`)).toBe('lfs');
    user.write('run.psd', 'agent');
    await rewind(worktree, idOf(ref), { everything: true });
    expect(user.everything().get('run.psd')).toBe(`x ${CONTENT}`);
    // As long, but something else.
    user.write(stored, 'y'.repeat(2_000_000));
    user.write('run.psd', 'again');
    expect(await rewind(await user.worktree(), idOf(ref), { everything: true })).toMatchObject({
      plan: { unavailable: [{ path: 'run.psd', why: expect.stringContaining('git lfs fetch') }] },
    });
    expect(user.read('run.psd')).toBe('again');
  });

  it('a pointer that was never fetched, an empty file, and one from before it was tracked stay as they are', async () => {
    const user = withLfs();
    const worktree = await user.worktree();
    user.write('pointer.psd', `${POINTER}\n`);
    user.write('empty.psd', '');
    const ref = await refOf(worktree);
    expect(user.git('ls-tree', '-r', ref, 'empty.psd', 'pointer.psd')).toBe(
      `100644 blob ${user.git('hash-object', '--no-filters', 'empty.psd')}\tempty.psd\n100644 blob ${user.git('hash-object', '--no-filters', 'pointer.psd')}\tpointer.psd`,
    );
    user.write('empty.psd', 'agent');
    await rewind(worktree, idOf(ref), { everything: true });
    expect(user.read('empty.psd')).toBe('');
  });

  it.skipIf(!hasLfs())('is what the real git-lfs stores, and finds unchanged what it has checked out', async () => {
    const user = withLfs();
    user.write('large.psd', CONTENT);
    user.commit('large');
    expect(user.git('show', 'HEAD:large.psd')).toBe(POINTER);
    const worktree = await user.worktree();
    const ref = await refOf(worktree);
    expect(user.git('rev-parse', `${ref}^{tree}`)).toBe(user.git('rev-parse', 'HEAD^{tree}'));
    user.shell('touch large.psd');
    expect(await take(worktree, STOP)).toMatchObject({ result: 'unchanged' });
    user.write('large.psd', 'agent');
    const changed = await refOf(worktree);
    expect(user.git('rev-parse', `${changed}:large.psd`)).toBe(user.git('hash-object', 'large.psd'));
    await rewind(worktree, idOf(ref));
    expect(user.read('large.psd')).toBe(CONTENT);
  });
});

/** Also what `scripts/git-lfs.mjs` has unpacked. */
function hasLfs(): boolean {
  const unpacked = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'piton', 'git-lfs', 'usr', 'bin');
  const before = process.env['PATH'];
  process.env['PATH'] = `${before}:${unpacked}`;
  afterAll(() => {
    process.env['PATH'] = before;
  });
  return spawnSync('git', ['lfs', 'version']).status === 0;
}
