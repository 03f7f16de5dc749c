import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHome } from '@piton/testing';
import { describe, expect, it } from 'vitest';
import { piton, write } from '../hooks-test/setup.ts';
import { commit, folderOf, git, hooksRepository, isAdded, newHome, writeGuard } from './setup.ts';

interface Key {
  readonly file: string;
  readonly public: string;
}

function newKey(home: TestHome, name: string): Key {
  const file = join(home.root, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file]);
  return { file, public: readFileSync(`${file}.pub`, 'utf8').trim() };
}

const knows = (home: TestHome, who: string, key: Key, options = ''): string =>
  write(join(home.places.config, 'allowed_signers'), `${who} ${options}${key.public}\n`);

const sign = (home: TestHome, folder: string, { file }: Key) => piton(home, ['hooks', 'sign', folder, '--key', file]);
const add = (home: TestHome, source: string, ...more: readonly string[]) =>
  piton(home, ['hooks', 'add', source, '--yes', '--json', ...more]);

interface Signed {
  readonly signature: { readonly state: string; readonly who?: string; readonly key?: string; readonly of?: string };
}
const signatureIn = (stdout: string): Signed['signature'] | undefined => (JSON.parse(stdout) as Signed[])[0]?.signature;

describe('hooks sign', () => {
  it('signs a hook as ssh-keygen itself verifies it', async () => {
    const home = newHome();
    const folder = writeGuard(join(home.root, 'mine'));
    const key = newKey(home, 'sam');
    const { code, stdout } = await sign(home, folder, key);
    expect([code, stdout]).toEqual([0, expect.stringContaining('mine is signed')]);
    const digest = /sha256:[0-9a-f]{64}/.exec(stdout)?.[0];
    const signers = write(join(home.root, 'signers'), `sam@example.com namespaces="piton-hook" ${key.public}\n`);
    const args = ['-Y', 'verify', '-n', 'piton-hook', '-f', signers, '-I', 'sam@example.com', '-s', join(folder, 'ARTIFACT.md.sig')];
    const input = `piton hook 1\nname mine\ndigest ${digest}\n`;
    expect(execFileSync('ssh-keygen', args, { input, encoding: 'utf8' })).toContain('Good "piton-hook" signature');
  });

  it('takes the key that git signs with', async () => {
    const home = newHome();
    const folder = writeGuard(join(home.root, 'mine'));
    const key = newKey(home, 'sam');
    expect((await piton(home, ['hooks', 'sign', folder])).code).toBe(2);
    write(join(home.root, '.gitconfig'), `[user]\n\tsigningKey = ${key.file}\n`);
    expect((await piton(home, ['hooks', 'sign', folder])).code).toBe(0);
  });

  it('is for a person: no agent signs in their name', async () => {
    const home = newHome();
    const folder = writeGuard(join(home.root, 'mine'));
    const { file } = newKey(home, 'sam');
    const env = { PITON_ALLOW_UNDER_AGENT: '', CLAUDECODE: '1' };
    const { code, stderr } = await piton(home, ['hooks', 'sign', folder, '--key', file], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('under an agent')]);
    expect(existsSync(join(folder, 'ARTIFACT.md.sig'))).toBe(false);
  });

  it('says why it could not', async () => {
    const home = newHome();
    const folder = writeGuard(join(home.root, 'mine'));
    const { code, stderr } = await piton(home, ['hooks', 'sign', folder, '--key', join(home.root, 'no-such-key')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('ssh-keygen could not sign')]);
  });
});

describe('the signature on a hook', () => {
  it('names who signed it, if they are in the list of signers, and otherwise the key', async () => {
    const home = newHome();
    const folder = writeGuard(join(home.root, 'mine'));
    const key = newKey(home, 'sam');
    await sign(home, folder, key);
    expect(signatureIn((await add(home, folder)).stdout)).toMatchObject({
      state: 'unknown',
      of: 'hook',
      key: expect.stringContaining('SHA256:'),
    });
    await piton(home, ['hooks', 'remove', 'mine', '--yes']);
    knows(home, 'sam@example.com', key);
    expect(signatureIn((await add(home, folder)).stdout)).toMatchObject({ state: 'known', of: 'hook', who: 'sam@example.com' });
  });

  it("is looked for in git's own list of signers", async () => {
    const home = newHome();
    const folder = writeGuard(join(home.root, 'mine'));
    const key = newKey(home, 'sam');
    await sign(home, folder, key);
    const signers = write(join(home.root, 'signers'), `sam@example.com ${key.public}\n`);
    write(join(home.root, '.gitconfig'), `[gpg "ssh"]\n\tallowedSignersFile = ${signers}\n`);
    expect(signatureIn((await add(home, folder)).stdout)).toMatchObject({ state: 'known', who: 'sam@example.com' });
  });

  it('is not looked for in a list that the project brings', async () => {
    const home = newHome();
    const folder = writeGuard(join(home.root, 'mine'));
    const key = newKey(home, 'evil');
    await sign(home, folder, key);
    const signers = write(join(home.work, 'signers'), `you@example.com ${key.public}\n`);
    git(home.work, 'config', 'gpg.ssh.allowedSignersFile', signers);
    expect(signatureIn((await add(home, folder)).stdout)).toMatchObject({ state: 'unknown' });
  });

  it.each([
    ['a file of it was changed', (folder: string) => write(join(folder, 'scripts', 'guard.sh'), '#!/bin/sh\necho evil\n', 0o755)],
    ['a file was added', (folder: string) => write(join(folder, 'scripts', 'more.sh'), '#!/bin/sh\n', 0o755)],
    [
      'a file may run that could not',
      (folder: string) => write(join(folder, 'tests', 'denies.json'), readFileSync(join(folder, 'tests', 'denies.json'), 'utf8'), 0o755),
    ],
    [
      'it is no signature',
      (folder: string) => write(join(folder, 'ARTIFACT.md.sig'), '-----BEGIN SSH SIGNATURE-----\nx\n-----END SSH SIGNATURE-----\n'),
    ],
  ])('keeps the hook out where %s', async (_, spoil) => {
    const home = newHome();
    const folder = writeGuard(join(home.root, 'mine'));
    const key = newKey(home, 'sam');
    knows(home, 'sam@example.com', key);
    await sign(home, folder, key);
    spoil(folder);
    const { code, stderr } = await add(home, folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the signature on its files is not of these bytes')]);
    expect(isAdded(home, 'mine')).toBe(false);
  });

  it.each([
    ['whole', (signature: string) => signature],
    ['with lines of a program behind it', (signature: string) => `${signature}touch ran\n`],
    ['replaced by a program', () => '#!/bin/sh\ntouch ran\n'],
  ])('is not copied, %s: no digest holds what stands in its file, so no hook may run or read it', async (_, spoil) => {
    const home = newHome();
    const trace = join(home.root, 'ran');
    const folder = writeGuard(join(home.root, 'mine'), { first: `test ! -e "$(dirname "$0")/../ARTIFACT.md.sig" || touch '${trace}'\n` });
    const key = newKey(home, 'sam');
    knows(home, 'sam@example.com', key);
    await sign(home, folder, key);
    const file = join(folder, 'ARTIFACT.md.sig');
    write(file, spoil(readFileSync(file, 'utf8')));
    expect((await add(home, folder)).code).toBe(0);
    expect(isAdded(home, 'mine')).toBe(true);
    expect([join(folderOf(home, 'mine'), 'ARTIFACT.md.sig'), trace].filter((path) => existsSync(path))).toEqual([]);
  });

  it('is of its name: nobody passes one signed hook off as another', async () => {
    const home = newHome();
    const key = newKey(home, 'sam');
    knows(home, 'sam@example.com', key);
    const folder = writeGuard(join(home.root, 'mine'));
    await sign(home, folder, key);
    execFileSync('cp', ['-r', folder, join(home.root, 'other')]);
    expect((await add(home, join(home.root, 'other'))).code).toBe(1);
  });

  it('for something else is none for hooks', async () => {
    const home = newHome();
    const key = newKey(home, 'sam');
    const folder = writeGuard(join(home.root, 'mine'));
    await sign(home, folder, key);
    knows(home, 'sam@example.com', key, 'namespaces="git" ');
    expect(signatureIn((await add(home, folder)).stdout)).toMatchObject({ state: 'unknown' });
  });
});

describe('signatures of git', () => {
  const signing = (key: Key): string[] => ['-c', 'gpg.format=ssh', '-c', `user.signingKey=${key.file}`];

  it.each(['commit', 'tag'] as const)('on a %s count for the hooks in it', async (of) => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    const key = newKey(home, 'sam');
    knows(home, 'sam@example.com', key);
    if (of === 'commit') git(path, ...signing(key), 'commit', '-q', '-S', '--allow-empty', '-m', 'Signed');
    else git(path, ...signing(key), 'tag', '-s', '-m', 'Signed', 'v2');
    const { stdout } = await add(home, of === 'tag' ? `${url}#v2` : url, '--hook', 'no-force');
    expect(signatureIn(stdout)).toMatchObject({ state: 'known', of, who: 'sam@example.com' });
  });

  it('keep the hooks out where the commit is not the one that was signed', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    const key = newKey(home, 'sam');
    git(path, ...signing(key), 'commit', '-q', '-S', '--allow-empty', '-m', 'Signed');
    const forged = git(path, 'cat-file', 'commit', 'HEAD').replace('\n\nSigned', '\n\nForged');
    const file = write(join(home.root, 'forged'), `${forged}\n`);
    git(path, 'update-ref', 'HEAD', git(path, 'hash-object', '-t', 'commit', '-w', file));
    const { code, stderr } = await add(home, url, '--hook', 'no-force');
    expect([code, stderr]).toEqual([1, expect.stringContaining('the signature on its commit is not of these bytes')]);
  });
});

it('a hook that somebody signed takes no newer version that they did not', async () => {
  const home = newHome();
  const { path, url } = hooksRepository(home);
  const key = newKey(home, 'sam');
  knows(home, 'sam@example.com', key);
  const folder = join(path, 'hooks', 'no-force');
  await sign(home, folder, key);
  commit(path, 'Signed');
  expect((await add(home, url, '--hook', 'no-force')).code).toBe(0);
  writeGuard(folder, { version: '2.0.0', denies: '--mirror' });
  execFileSync('rm', [join(folder, 'ARTIFACT.md.sig')]);
  commit(path, 'Not signed');
  const { code, stderr } = await piton(home, ['hooks', 'update', 'no-force', '--yes']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('was signed by sam@example.com, and what is there now is not')]);
  await sign(home, folder, key);
  commit(path, 'Signed again');
  expect((await piton(home, ['hooks', 'update', 'no-force', '--yes'])).code).toBe(0);
});

it('a hook that somebody signed does not go back to an older version, though they had signed that too', async () => {
  const home = newHome();
  const { path, url } = hooksRepository(home);
  const key = newKey(home, 'sam');
  knows(home, 'sam@example.com', key);
  const folder = join(path, 'hooks', 'no-force');
  await sign(home, folder, key);
  const first = commit(path, 'Signed');
  writeGuard(folder, { version: '1.10.0', denies: '--mirror' });
  await sign(home, folder, key);
  commit(path, 'Newer, signed');
  expect((await add(home, url, '--hook', 'no-force')).code).toBe(0);
  // Who has the repository, but not the key.
  git(path, 'reset', '-q', '--hard', first);
  const { code, stderr } = await piton(home, ['hooks', 'update', 'no-force', '--yes']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('1.10.0 is here, and 1.0.0 is older')]);
  expect(readFileSync(join(folderOf(home, 'no-force'), 'ARTIFACT.md'), 'utf8')).toContain('1.10.0');
  // For whoever wants just that.
  expect((await piton(home, ['hooks', 'remove', 'no-force', '--yes'])).code).toBe(0);
  expect((await add(home, url, '--hook', 'no-force')).code).toBe(0);
});
