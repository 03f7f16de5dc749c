import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findCheckpoint, listCheckpoints } from '../src/history/listing.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { emptyScratch, type Scratch, scratch } from './scratch.ts';

const TURN = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;

async function made(worktree: Worktree, request: Partial<Parameters<typeof take>[1]> = {}) {
  const taken = await take(worktree, { ...TURN, ...request });
  if (taken.result !== 'made') throw new Error(JSON.stringify(taken));
  return taken;
}

const ADD_ALL =
  'cp -p .git/index "$HOME/other-index" 2>/dev/null; export GIT_INDEX_FILE="$HOME/other-index"; git add -A && git write-tree; rm -f "$HOME/other-index"';
/** What `git add -A` would make of the working tree, with an index of its own: git's word against ours. */
const treeByGit = (repository: Scratch): string => repository.shell(ADD_ALL).trim();

describe('a checkpoint', () => {
  it('has the working tree as its tree and HEAD as its only parent', async () => {
    const user = scratch();
    user.write('src/main.ts', 'one\n2\nthree\n');
    user.write('new.txt', 'new\n');
    user.write('nested/deep/new.bin', Buffer.from([0, 1, 2, 255]));
    user.remove('src/deep/er/leaf.ts');
    chmodSync(user.path('README.md'), 0o755);
    symlinkSync('README.md', user.path('link'));
    symlinkSync('/nowhere/at/all', user.path('dangling'));
    const { checkpoint } = await made(await user.worktree());
    expect(checkpoint.tree).toBe(treeByGit(user));
    expect(user.git('rev-list', '--parents', '-n1', checkpoint.ref)).toBe(`${checkpoint.commit} ${user.git('rev-parse', 'HEAD')}`);
    expect(user.git('rev-parse', `${checkpoint.ref}^{tree}`)).toBe(checkpoint.tree);
  });

  it('leaves index, branches and status of the user as they were', async () => {
    const user = scratch();
    user.write('staged.txt', 'staged\n');
    user.git('add', 'staged.txt');
    user.write('staged.txt', 'staged and changed\n');
    const before = [user.shell('cksum .git/index'), user.git('for-each-ref', 'refs/heads'), user.git('status', '--porcelain')];
    const index = user.shell('stat -c "%i %Y %Z" .git/index');
    await made(await user.worktree());
    expect(user.shell('stat -c "%i %Y %Z" .git/index')).toBe(index);
    expect([user.shell('cksum .git/index'), user.git('for-each-ref', 'refs/heads'), user.git('status', '--porcelain')]).toEqual(before);
    expect(user.git('branch', '--all')).toBe('* main');
  });

  it('is made only where files changed', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const first = await made(worktree, { kind: 'prompt' });
    expect(await take(worktree, TURN)).toEqual({ result: 'unchanged', id: first.checkpoint.id });
    user.write('README.md', 'changed\n');
    const second = await made(worktree);
    expect(second.changes).toEqual([{ change: 'modified', path: 'README.md' }]);
    expect(second.checkpoint.before).toBe(first.checkpoint.id);
    user.git('commit', '--quiet', '-am', 'the same files, another HEAD');
    expect((await take(worktree, TURN)).result).toBe('unchanged');
  });

  it('tells new, modified, deleted and renamed files apart', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await made(worktree);
    user.git('mv', 'README.md', 'READ.md');
    user.write('new.txt', 'new\n');
    user.write('src/main.ts', 'other\n');
    user.remove('run.sh');
    expect((await made(worktree)).changes).toEqual([
      { change: 'renamed', path: 'READ.md', from: 'README.md' },
      { change: 'new', path: 'new.txt' },
      { change: 'deleted', path: 'run.sh' },
      { change: 'modified', path: 'src/main.ts' },
    ]);
  });

  it('of touched files alone is the same as one of everything', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('already.txt', 'dirty before\n');
    await made(worktree);
    user.write('src/main.ts', 'touched\n');
    user.write('src/added.ts', 'added\n');
    user.remove('run.sh');
    const touched = ['src/main.ts', 'src/added.ts', 'run.sh'].map((name) => user.path(name));
    expect((await made(worktree, { touched })).checkpoint.tree).toBe(treeByGit(user));
    user.write('src/main.ts', 'again\n');
    user.remove('src/added.ts');
    expect((await made(worktree, { touched: [user.path('src/main.ts'), user.path('src/added.ts')] })).checkpoint.tree).toBe(
      treeByGit(user),
    );
  });

  it('sees a change within the same moment and of the same size', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await made(worktree);
    for (const text of ['aaaa', 'bbbb', 'cccc', 'dddd']) {
      user.write('quick.txt', text);
      const { checkpoint } = await made(worktree, { touched: [user.path('quick.txt')] });
      expect(user.git('show', `${checkpoint.ref}:quick.txt`)).toBe(text);
    }
  });

  it('can be found again with everything that was said about it', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const { checkpoint } = await made(worktree, { name: 'Set the password\nhunter2', kind: 'todo' });
    expect(checkpoint.name).toBe('Set the password\n[redacted]');
    const found = await findCheckpoint(worktree.git, worktree.repository, checkpoint.id);
    expect(found).toEqual({ ...checkpoint, name: 'Set the password [redacted]' });
    expect(await listCheckpoints(worktree.git, worktree.repository)).toEqual([found]);
    expect(user.git('cat-file', 'commit', checkpoint.ref)).not.toContain('hunter2');
  });
});

describe('what a checkpoint holds', () => {
  it('row 29, ignored files: never, even if a tool touched them; tracked ones that a pattern matches, always', async () => {
    const user = scratch();
    user.write('kept.log', 'tracked all the same\n');
    user.git('add', '-f', 'kept.log');
    user.git('commit', '--quiet', '-m', 'a tracked log');
    const worktree = await user.worktree();
    await made(worktree);
    user.write('ignored/secret.txt', 'x');
    user.write('debug.log', 'x');
    user.write('kept.log', 'changed\n');
    const touched = ['ignored/secret.txt', 'debug.log', 'kept.log'].map((name) => user.path(name));
    const { checkpoint } = await made(worktree, { touched });
    expect(user.git('ls-tree', '-r', '--name-only', checkpoint.ref).split('\n')).not.toContain('debug.log');
    expect(user.git('ls-tree', '-r', '--name-only', checkpoint.ref)).not.toContain('ignored/');
    expect(user.git('show', `${checkpoint.ref}:kept.log`)).toBe('changed');
  });

  it('row 26, huge untracked files: left out above the limits, and listed', async () => {
    const user = scratch();
    user.write('large.bin', Buffer.alloc(2000));
    for (const name of ['a', 'b', 'c']) user.write(`${name}.bin`, Buffer.alloc(900, name));
    user.write('README.md', Buffer.alloc(1500, 'r'));
    const worktree = await user.worktree({ limits: { fileBytes: 1000, totalBytes: 3500, untrackedFiles: 100 } });
    const { checkpoint } = await made(worktree);
    expect(checkpoint.skipped).toEqual([
      { path: 'c.bin', reason: 'total-too-large', bytes: 900 },
      { path: 'large.bin', reason: 'too-large', bytes: 2000 },
    ]);
    expect(user.git('ls-tree', '-r', '--name-only', checkpoint.ref).split('\n')).toEqual(
      expect.arrayContaining(['README.md', 'a.bin', 'b.bin']),
    );
    expect(user.git('log', '-1', '--format=%B', checkpoint.ref)).toContain('{"path":"large.bin","reason":"too-large","bytes":2000}');
    expect((await findCheckpoint(worktree.git, worktree.repository, checkpoint.id))?.skipped).toEqual(checkpoint.skipped);
  });

  it('row 31, secrets at rest: untracked files that look like secrets are left out and listed', async () => {
    const user = scratch();
    user.write('.env', 'TOKEN=1');
    user.write('.env.example', 'TOKEN=');
    user.write('notes.txt', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n');
    const { checkpoint } = await made(await user.worktree());
    expect(checkpoint.skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['.env', 'looks-secret'],
      ['notes.txt', 'looks-secret'],
    ]);
    expect(user.git('ls-tree', '-r', '--name-only', checkpoint.ref)).toContain('.env.example');
  });

  it('row 14, nested repositories: named, never entered', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await made(worktree);
    user.write('inner/file.txt', 'inner\n');
    user.shell('git init -q inner && git -C inner add . && git -C inner commit -qm inner');
    user.shell('git init -q unborn && echo x > unborn/file.txt');
    user.write('outer.txt', 'outer\n');
    const whole = await made(worktree);
    expect(whole.checkpoint.skipped.map(({ path }) => path)).toEqual(['inner', 'unborn']);
    expect(user.git('ls-tree', '-r', '--name-only', whole.checkpoint.ref)).not.toContain('inner');
    expect((await take(worktree, { ...TURN, touched: [user.path('inner/file.txt')] })).result).toBe('unchanged');
  });

  it('row 15, submodules: the gitlink', async () => {
    const library = scratch();
    const user = scratch();
    user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'library');
    user.commit('with a library');
    const worktree = await user.worktree();
    await made(worktree);
    user.write('library/README.md', 'dirty inside\n');
    // G7: the files are not in it, and it says so.
    const left = { path: 'library', reason: 'submodule-changes', bytes: 0 };
    expect((await made(worktree)).checkpoint.skipped).toEqual([left]);
    expect((await take(worktree, TURN)).result).toBe('unchanged');
    user.shell('cd library && git commit -qam inside');
    const { checkpoint } = await made(worktree);
    expect(user.git('ls-tree', checkpoint.ref, 'library')).toContain(`160000 commit ${user.shell('git -C library rev-parse HEAD').trim()}`);
  });

  it('row 17, worktrees: each has its own', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await made(worktree);
    user.git('worktree', 'add', '--quiet', '../second', '-b', 'second');
    const second = new (user.constructor as typeof Scratch)(user.home, `${user.home}/second`);
    const other = await second.worktree();
    expect([worktree.repository.worktree, other.repository.worktree]).toEqual(['main', 'second']);
    expect(other.state).not.toBe(worktree.state);
    second.write('README.md', 'second\n');
    const { checkpoint } = await made(other);
    expect([checkpoint.branch, checkpoint.worktree, checkpoint.before]).toEqual(['refs/heads/second', 'second', null]);
    expect((await take(worktree, TURN)).result).toBe('unchanged');
    expect((await listCheckpoints(other.git, other.repository, { here: true })).map(({ id }) => id)).toEqual([checkpoint.id]);
  });

  it('row 22, detached and unborn HEAD', async () => {
    const user = emptyScratch();
    user.write('first.txt', 'first\n');
    const worktree = await user.worktree();
    const unborn = (await made(worktree)).checkpoint;
    expect([unborn.base, unborn.branch]).toEqual([null, 'refs/heads/main']);
    expect(user.git('show', `${unborn.ref}:first.txt`)).toBe('first');
    user.commit('first');
    user.git('checkout', '--quiet', '--detach');
    user.write('first.txt', 'second\n');
    const detached = (await made(worktree)).checkpoint;
    expect([detached.base, detached.branch]).toEqual([user.git('rev-parse', 'HEAD'), null]);
  });

  it('row 27, conversions: what git would store, and the bytes besides where they are others', async () => {
    const user = scratch();
    user.git('config', 'filter.upper.clean', 'tr a-z A-Z');
    user.git('config', 'filter.upper.smudge', 'tr A-Z a-z');
    user.write(
      '.gitattributes',
      '*.up filter=upper\n*.id ident\n*.dos text eol=crlf\n*.auto text=auto\n*.enc working-tree-encoding=UTF-16LE\n',
    );
    user.commit('attributes');
    user.write('exact.up', 'lower\n');
    user.write('lossy.up', 'Mixed\n');
    user.write('version.id', '$Id: something$\n');
    user.write('unix.dos', 'a\nb\n');
    user.write('real.dos', 'a\r\nb\r\n');
    user.write('mixed.auto', 'a\r\nb\n');
    user.write('wide.enc', Buffer.from('wide\n', 'utf16le'));
    const worktree = await user.worktree();
    const whole = (await made(worktree)).checkpoint;
    // A filter of the repository's is not run: what is under one is stored as it is.
    user.git('config', '--remove-section', 'filter.upper');
    expect(whole.tree).toBe(treeByGit(user));
    user.write('bad.enc', 'odd');
    const bad = (await made(worktree)).checkpoint;
    expect(bad.skipped).toEqual([{ path: 'bad.enc', reason: 'filter-failed', bytes: 3 }]);
    const kept = user.git('ls-tree', '-r', '--name-only', `refs/piton/verbatim/${bad.id}`).split('\n');
    expect(kept).toEqual(['bad.enc', 'mixed.auto', 'real.dos', 'version.id', 'wide.enc']);
    expect(user.shell(`git cat-file blob refs/piton/verbatim/${bad.id}:mixed.auto`)).toBe('a\r\nb\n');
  });

  it('row 27, line endings: a file that has CRs in git keeps them', async () => {
    const user = scratch();
    user.write('dos.txt', 'a\r\nb\r\n');
    user.commit('with CRs');
    user.git('config', 'core.autocrlf', 'input');
    user.write('dos.txt', 'a\r\nb\r\nc\r\n');
    const { checkpoint } = await made(await user.worktree());
    expect(checkpoint.tree).toBe(treeByGit(user));
    expect(user.shell(`git cat-file blob ${checkpoint.ref}:dos.txt`)).toBe('a\r\nb\r\nc\r\n');
  });

  it('row 30, symlinks and modes: neither followed nor flattened', async () => {
    const user = scratch();
    const outside = `${user.home}/outside`;
    mkdirSync(outside);
    writeFileSync(`${outside}/file.txt`, 'outside\n');
    symlinkSync(outside, user.path('way-out'));
    const worktree = await user.worktree();
    const { checkpoint } = await made(worktree);
    expect(user.git('ls-tree', checkpoint.ref, 'way-out')).toMatch(/^120000 blob/);
    expect((await take(worktree, { ...TURN, touched: [user.path('way-out/file.txt')] })).result).toBe('unchanged');
  });

  it('row 48, SHA-256 repositories', async () => {
    const user = scratch('--object-format=sha256');
    user.write('README.md', 'changed\n');
    const { checkpoint } = await made(await user.worktree());
    expect(checkpoint.commit).toMatch(/^[0-9a-f]{64}$/);
    expect(checkpoint.tree).toBe(treeByGit(user));
  });

  it('row 48, sparse checkouts: what is not checked out is not deleted', async () => {
    const user = scratch();
    user.git('sparse-checkout', 'set', '--no-cone', '/README.md', '/run.sh');
    user.write('README.md', 'sparse\n');
    const worktree = await user.worktree();
    expect(worktree.repository.settings.sparse).toBe(true);
    const { checkpoint } = await made(worktree);
    expect(user.git('diff', '--name-status', 'HEAD', checkpoint.ref)).toBe('M\tREADME.md');
  });

  it('row 48, partial and shallow clones: nothing is fetched', async () => {
    const origin = scratch();
    origin.write('README.md', 'second\n');
    origin.commit('second');
    origin.git('config', 'uploadpack.allowFilter', 'true');
    const user = new (origin.constructor as typeof Scratch)(origin.home, `${origin.home}/clone`);
    origin.git('clone', '--quiet', '--filter=blob:none', '--depth=1', `file://${origin.root}`, user.root);
    origin.shell('mv "$HOME/repository" "$HOME/gone"');
    user.write('README.md', 'third\n');
    const worktree = await user.worktree();
    expect([worktree.repository.settings.partial, worktree.repository.shallow]).toEqual([true, true]);
    const { checkpoint } = await made(worktree);
    expect(user.git('show', `${checkpoint.ref}:README.md`)).toBe('third');
  });

  it('row 50, names that are not UTF-8, or hold line feeds, quotes, and dashes', async () => {
    const user = scratch();
    const odd = ['line\nfeed', '"quoted"', '-x', ' space ', 'tab\there', 'back\\slash', 'ünï', 'a:b'];
    for (const name of odd) user.write(name, `${name}\n`);
    writeFileSync(Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from([0x66, 0xff, 0xfe])]), 'bytes\n');
    const worktree = await user.worktree();
    const first = (await made(worktree)).checkpoint;
    expect(first.tree).toBe(treeByGit(user));
    for (const name of odd) user.remove(name);
    expect((await made(worktree)).checkpoint.tree).toBe(treeByGit(user));
  });

  it('files that became directories, and directories that became files', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await made(worktree);
    user.remove('README.md');
    user.write('README.md/now/a/directory', 'x\n');
    user.remove('src/deep');
    user.write('src/deep', 'now a file\n');
    expect((await made(worktree)).checkpoint.tree).toBe(treeByGit(user));
  });

  it('what is hidden from status: assume-unchanged and skip-worktree', async () => {
    const user = scratch();
    user.git('update-index', '--assume-unchanged', 'README.md');
    user.git('update-index', '--skip-worktree', 'run.sh');
    user.write('README.md', 'hidden\n');
    user.write('run.sh', 'hidden\n', 0o755);
    const { checkpoint } = await made(await user.worktree());
    expect(user.git('show', `${checkpoint.ref}:README.md`)).toBe('hidden');
    expect(user.git('show', `${checkpoint.ref}:run.sh`)).toBe('hidden');
    expect(user.git('ls-files', '-v', 'README.md', 'run.sh')).toBe('h README.md\nS run.sh');
  });

  it('a change of the same size within the same second as the index: git’s own doubt survives the copy', async () => {
    const user = scratch();
    user.git('config', 'core.trustctime', 'false');
    user.git('config', 'core.checkStat', 'minimal');
    const second = 1_700_000_000;
    utimesSync(user.path('README.md'), second, second);
    user.git('update-index', '--refresh');
    utimesSync(user.path('.git/index'), second, second);
    user.write('README.md', 'READ ME\n');
    utimesSync(user.path('README.md'), second, second);
    const { checkpoint } = await made(await user.worktree());
    expect(user.git('show', `${checkpoint.ref}:README.md`)).toBe('READ ME');
  });

  it('modes of a file system that has none', async () => {
    const user = scratch();
    user.git('config', 'core.fileMode', 'false');
    chmodSync(user.path('run.sh'), 0o644);
    user.write('run.sh', 'changed\n');
    const { checkpoint } = await made(await user.worktree());
    expect(user.git('ls-tree', checkpoint.ref, 'run.sh')).toMatch(/^100755/);
  });

  it('unresolved conflicts, as they lie there', async () => {
    const user = scratch();
    user.git('checkout', '--quiet', '-b', 'other');
    user.write('README.md', 'theirs\n');
    user.commit('theirs');
    user.git('checkout', '--quiet', 'main');
    user.write('README.md', 'ours\n');
    user.commit('ours');
    user.shell('git merge other || true');
    const { checkpoint } = await made(await user.worktree());
    expect(user.git('show', `${checkpoint.ref}:README.md`)).toContain('<<<<<<<');
  });

  it('survives a deleted checkpoint whose blobs are gone', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('one.txt', 'one\n');
    const first = (await made(worktree)).checkpoint;
    user.git('update-ref', '-d', first.ref);
    user.shell('rm -f .git/objects/pack/*.keep; git gc --quiet --prune=now');
    user.write('two.txt', 'two\n');
    expect((await made(worktree, { touched: [user.path('two.txt')] })).checkpoint.tree).toBe(treeByGit(user));
  });
});
