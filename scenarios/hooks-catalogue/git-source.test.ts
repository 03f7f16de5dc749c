import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runForwarder, type TestHome } from '@piton/testing';
import { describe, expect, it } from 'vitest';
import { piton, write } from '../hooks-test/setup.ts';
import { commit, folderOf, git, hooksRepository, isAdded, newHome, writeGuard } from './setup.ts';

interface AddedHook {
  readonly did: string;
  readonly digest: string;
  readonly origin: { readonly kind: string; readonly source: string; readonly path: string; readonly commit: string };
}

const bash = (home: TestHome, command: string) =>
  runForwarder(home, 'PreToolUse', {
    ...{ session_id: 's', cwd: home.work, hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: command },
  });

describe('hooks add of a git repository', () => {
  it('adds the hook of a tag, and says which commit and digest it was', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    const { code, stdout, stderr } = await piton(home, ['hooks', 'add', `${url}#v1`, '--hook', 'no-force', '--yes', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const [added] = JSON.parse(stdout) as AddedHook[];
    expect(added).toMatchObject({
      did: 'added',
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      origin: { kind: 'git', source: `${url}#v1`, path: 'hooks/no-force', commit: git(path, 'rev-parse', 'v1') },
    });
    expect((await bash(home, 'git push --force')).stdout).toContain('not here');
    expect((await bash(home, 'git push')).stdout).toBe('{}');
  });

  it('shows all of it, and adds nothing without a yes', async () => {
    const home = newHome();
    const { url } = hooksRepository(home);
    const { code, stdout, stderr } = await piton(home, ['hooks', 'add', url, '--hook', 'no-force']);
    expect(code).toBe(1);
    expect(stderr).toContain(`hooks add ${url} --hook no-force --yes`);
    for (const text of ['See the script.', 'echo', '"decision": "deny"', 'not signed', 'sha256:']) expect(stdout).toContain(text);
    expect(isAdded(home, 'no-force')).toBe(false);
  });

  it('names what there is where one is not named', async () => {
    const home = newHome();
    const { url } = hooksRepository(home);
    for (const more of [[], ['--hook', 'no-such']]) {
      const { code, stderr } = await piton(home, ['hooks', 'add', url, ...more, '--yes']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('no-force, no-reset')]);
    }
  });

  it('takes a hook that is the whole repository, by the name of that', async () => {
    const home = newHome();
    const path = writeGuard(join(home.root, 'whole-guard.git'));
    git(path, 'init', '-q', '-b', 'main');
    const id = commit(path, 'A guard');
    const { code, stdout } = await piton(home, ['hooks', 'add', `file://${path}#${id}`, '--yes', '--json']);
    expect([code, (JSON.parse(stdout) as AddedHook[])[0]?.origin.commit]).toEqual([0, id]);
    expect(readdirSync(folderOf(home, 'whole-guard')).sort()).toEqual(['ARTIFACT.md', 'scripts', 'tests']);
    // The clone itself is the same hook: what git keeps in it is none of it.
    const cloned = JSON.parse((await piton(home, ['hooks', 'add', path, '--yes', '--json'])).stdout) as AddedHook[];
    expect(cloned[0]?.digest).toBe((JSON.parse(stdout) as AddedHook[])[0]?.digest);
  });

  it('takes it only with the digest that was asked for', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    const add = (...more: readonly string[]) => piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--yes', '--json', ...more]);
    const [{ digest }] = JSON.parse((await add()).stdout) as [AddedHook];
    await piton(home, ['hooks', 'remove', 'no-force', '--yes']);
    expect((await add('--digest', digest)).code).toBe(0);
    await piton(home, ['hooks', 'remove', 'no-force', '--yes']);
    writeGuard(join(path, 'hooks', 'no-force'), { denies: '--other' });
    commit(path, 'Another');
    const { code, stderr } = await add('--digest', digest);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`not ${digest}`)]);
    expect(isAdded(home, 'no-force')).toBe(false);
  });

  it('runs nothing of it before the yes: no script, no test case, no program that the repository names', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    const trace = join(home.root, 'ran');
    writeGuard(join(path, 'hooks', 'no-force'), { first: `touch '${trace}'\n` });
    write(join(path, '.gitattributes'), '* filter=bad diff=bad merge=bad\n');
    write(join(path, 'hooks', 'no-force', '.gitattributes'), '* filter=bad\n');
    commit(path, 'A trace');
    const bad = write(join(home.root, 'bad'), `#!/bin/sh\ntouch '${trace}'\ncat\n`, 0o755);
    for (const name of ['filter.bad.smudge', 'filter.bad.process', 'core.fsmonitor', 'uploadpack.packObjectsHook', 'core.sshCommand'])
      git(path, 'config', name, bad);
    mkdirSync(join(path, '.git', 'hooks'), { recursive: true });
    for (const name of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-auto-gc'])
      write(join(path, '.git', 'hooks', name), `#!/bin/sh\ntouch '${trace}'\n`, 0o755);
    expect((await piton(home, ['hooks', 'add', url, '--hook', 'no-force'])).code).toBe(1);
    expect((await piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--dry-run'])).code).toBe(0);
    expect(existsSync(trace)).toBe(false);
    // After it the test case runs the script: the trace is one.
    expect((await piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--yes'])).code).toBe(0);
    expect(existsSync(trace)).toBe(true);
  });

  it('is not added if one of its test cases fails here, unless that is asked for', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    writeGuard(join(path, 'hooks', 'no-force'), { expect: 'ask' });
    commit(path, 'A case that fails');
    const args = ['hooks', 'add', url, '--hook', 'no-force', '--yes'];
    const { code, stderr } = await piton(home, args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 of its 1 test case failed here')]);
    expect(isAdded(home, 'no-force')).toBe(false);
    expect((await piton(home, [...args, '--no-cases'])).code).toBe(0);
    expect(isAdded(home, 'no-force')).toBe(true);
  });

  it('is linted, and kept out with its place there', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    const file = join(path, 'hooks', 'no-force', 'ARTIFACT.md');
    write(file, readFileSync(file, 'utf8').replace('pre_shell_execution', 'no_such_event'));
    commit(path, 'Broken');
    const { code, stderr } = await piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('no_such_event')]);
    expect(stderr).toContain(`${url} hooks/no-force/ARTIFACT.md:5`);
  });

  it('leaves nothing behind, whatever became of it', async () => {
    const home = newHome();
    const { url } = hooksRepository(home);
    const TMPDIR = join(home.root, 'tmp');
    mkdirSync(TMPDIR);
    for (const args of [[url], [url, '--hook', 'no-force'], [url, '--hook', 'no-force', '--yes'], ['file:///no/such'], ['git@']])
      await piton(home, ['hooks', 'add', ...args], { env: { TMPDIR } });
    expect(readdirSync(TMPDIR).filter((name) => !name.startsWith('node-compile-cache'))).toEqual([]);
  });
});

describe('hostile repositories', () => {
  it.each([
    ['a link', (folder: string) => symlinkSync('/etc/passwd', join(folder, 'scripts', 'more')), 'scripts/more (a symbolic link)'],
    ['a name with hidden characters', (folder: string) => writeFileSync(join(folder, 'a\u202eb'), ''), 'a<U+202E>b (a name with hidden'],
    [
      'a name that is no text',
      (folder: string) => writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), ''),
      'hidden characters',
    ],
    ['a line break in a name', (folder: string) => writeFileSync(join(folder, 'a\n  signed by you'), ''), 'a<LF> signed by you'],
    [
      'names that are one on some disks',
      (folder: string) => {
        for (const name of ['A', 'a']) writeFileSync(join(folder, name), '');
      },
      'two of its files have one name',
    ],
    ['more bytes than anybody reads', (folder: string) => writeFileSync(join(folder, 'blob'), Buffer.alloc(9 * 1024 * 1024)), '8 MB'],
  ])('%s in a hook keeps it out', async (_, spoil, said) => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    spoil(join(path, 'hooks', 'no-force'));
    commit(path, 'Spoilt');
    const { code, stderr } = await piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(isAdded(home, 'no-force')).toBe(false);
    // What lies elsewhere in the repository is nobody's business.
    expect((await piton(home, ['hooks', 'add', url, '--hook', 'no-reset', '--yes'])).code).toBe(0);
  });

  it('a submodule is neither fetched nor taken for a part of the hook', async () => {
    const home = newHome();
    const other = hooksRepository(home, 'other');
    const { path, url } = hooksRepository(home);
    git(path, 'submodule', '--quiet', 'add', other.url, 'hooks/no-force/more');
    commit(path, 'A submodule');
    const { code, stderr } = await piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('more (a submodule)')]);
  });

  it('a tree with a part that leads out of it is refused by git itself', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    // Objects as no git makes them: an entry that is named "..".
    const blob = git(path, 'rev-parse', 'HEAD:hooks/no-force/ARTIFACT.md');
    const raw = Buffer.concat([
      Buffer.from('100644 ..\0'),
      Buffer.from(blob, 'hex'),
      Buffer.from('100644 ARTIFACT.md\0'),
      Buffer.from(blob, 'hex'),
    ]);
    const file = join(home.root, 'tree');
    writeFileSync(file, raw);
    const tree = git(path, 'hash-object', '-t', 'tree', '-w', '--literally', file);
    const id = git(path, 'commit-tree', tree, '-m', 'x');
    git(path, 'update-ref', 'refs/heads/evil', id);
    const { code, stderr } = await piton(home, ['hooks', 'add', `${url}#evil`, '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('git could not get it')]);
    expect(existsSync(join(home.places.config, 'artifacts'))).toBe(false);
  });

  it('one whose objects are more than hooks need is given up', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    // Bytes that do not become fewer.
    for (let at = 0; at < 4; at++) writeFileSync(join(path, `noise-${at}`), noise(18 * 1024 * 1024, at));
    commit(path, 'Noise');
    const { code, stderr } = await piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('larger than 64 MB')]);
  });

  it.each([
    ['a program in place of a protocol', 'ext::sh -c touch% ran', 2, 'would start a program'],
    ['an option in place of a branch', 'URL#--upload-pack=touch ran', 2, 'not the name of a branch'],
    ['a refspec', 'URL#main:refs/heads/x', 2, 'not the name of a branch'],
    ['a host that is an option', 'ssh://-oProxyCommand=touch%20ran/x', 1, 'git could not get it'],
    ['http', 'http://127.0.0.1:1/x.git', 2, 'use https or ssh'],
    ['the protocol of git', 'git://127.0.0.1/x.git', 2, 'use https or ssh'],
    ['a password', 'https://sam:hunter2@127.0.0.1/x.git', 2, 'would be stored'],
    ['a token', 'https://ghp_token@127.0.0.1/x.git', 2, 'would be stored'],
    ['a query', 'https://127.0.0.1/x.git?token=1', 2, 'has no "?"'],
    ['control characters', 'https://127.0.0.1/x\u001b[2J.git', 2, 'control characters'],
    ['an abbreviated commit', 'URL#abcdef1', 1, 'give the whole commit id'],
  ])('refuses %s', async (_, source, code, said) => {
    const home = newHome();
    const { url } = hooksRepository(home);
    const result = await piton(home, ['hooks', 'add', source.replace('URL', url), '--yes']);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(said)]);
    expect(result.stderr).not.toMatch(/hunter2|ghp_token/);
    expect(existsSync(join(home.work, 'ran'))).toBe(false);
  });

  it('takes no protocol from the configuration of the person, and no program for one', async () => {
    const home = newHome();
    const trace = join(home.root, 'ran');
    write(
      join(home.root, '.gitconfig'),
      `[protocol]\n\tallow = always\n[url "ext::touch ${trace} "]\n\tinsteadOf = https://127.0.0.1:1/\n[core]\n\tsshCommand = touch ${trace}\n`,
    );
    expect((await piton(home, ['hooks', 'add', 'https://127.0.0.1:1/x.git', '--yes'])).code).toBe(1);
    expect(existsSync(trace)).toBe(false);
  });

  it('takes the git of the person, not one that the project put in front', async () => {
    const home = newHome();
    const { url } = hooksRepository(home);
    const bin = join(home.work, 'node_modules', '.bin');
    const trace = join(home.root, 'ran');
    for (const name of ['git', 'npm', 'ssh-keygen']) write(join(bin, name), `#!/bin/sh\ntouch '${trace}'\n`, 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}` };
    expect((await piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--yes'], { env })).code).toBe(0);
    expect(existsSync(trace)).toBe(false);
  });
});

function noise(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = 88172645463325252n + BigInt(seed);
  for (let at = 0; at + 8 <= size; at += 8) {
    state = BigInt.asUintN(64, state ^ (state << 13n));
    state ^= state >> 7n;
    state = BigInt.asUintN(64, state ^ (state << 17n));
    bytes.writeBigUInt64LE(state, at);
  }
  return bytes;
}
