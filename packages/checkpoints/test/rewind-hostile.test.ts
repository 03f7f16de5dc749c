import { chmodSync, existsSync, lstatSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rewind } from '../src/rewind/rewind.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import type { Worktree } from '../src/worktree.ts';
import { agentTurn } from './agent-turn.ts';
import { emptyScratch, Scratch, scratch } from './scratch.ts';

/** There and back again: after the rewind all is as before the turn, after the undo as after it. */
async function thereAndBack(user: Scratch, worktree: Worktree, work: () => unknown): Promise<void> {
  const before = user.everything();
  const id = await agentTurn(worktree, work);
  const after = user.everything();
  expect(after).not.toEqual(before);
  const result = await rewind(worktree, id);
  expect(result).toMatchObject({ result: 'rewound', failed: [] });
  expect(user.everything()).toEqual(before);
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  expect(user.everything()).toEqual(after);
}

describe('a rewind gives back, and its undoing takes back', () => {
  const COMMANDS: Readonly<Record<string, string>> = {
    'a renamed file, by its letters’ case alone': 'git mv README.md readme.md; mv src Src',
    'a link that leads elsewhere now, one that became what it led to, and one that leads nowhere':
      'ln -sfn elsewhere link; rm folder-link; cp -r src folder-link; rm broken; echo x > broken',
    'a file that was emptied, and an empty one that was filled': ': > src/main.ts; echo x > empty.txt',
    'a directory in the place of a file, deep, and a file in the place of a directory':
      'rm -rf src/main.ts; mkdir -p src/main.ts/a/b; echo x > src/main.ts/a/b/c; rm -rf src/deep; echo x > src/deep',
    'execute bits alone': 'chmod +x README.md empty.txt; chmod -x run.sh',
    'a file without a right to write': 'rm -f locked.txt; echo agent > locked.txt; chmod 444 locked.txt src/main.ts',
    'a thousand files': 'i=0; while [ $i -lt 1000 ]; do echo $i > many-$i.txt; i=$((i+1)); done; rm -rf src',
    'names with stars, brackets, colons and spaces at their ends': 'rm -f -- "*" ":(top)x" "[a]" "-n" " blank "; echo x > "?"',
  };
  for (const [name, command] of Object.entries(COMMANDS))
    it(name, async () => {
      const user = scratch();
      user.write('empty.txt', '');
      user.write('locked.txt', 'locked\n', 0o444);
      for (const odd of ['*', ':(top)x', '[a]', '-n', ' blank ']) user.write(odd, `${odd}\n`);
      symlinkSync('src/main.ts', user.path('link'));
      symlinkSync('src', user.path('folder-link'));
      symlinkSync('nowhere', user.path('broken'));
      await thereAndBack(user, await user.worktree(), () => user.shell(command));
    });

  it('what a person had, though what lies there now is too large or looks like a secret', async () => {
    const user = scratch();
    user.write('notes.txt', 'my notes\n');
    user.write('settings.txt', 'plain\n');
    const worktree = await user.worktree({ limits: { ...(await user.worktree()).limits, fileBytes: 1000 } });
    await thereAndBack(user, worktree, () => {
      user.write('notes.txt', 'x'.repeat(5000));
      user.write('settings.txt', '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq\n-----END RSA PRIVATE KEY-----\n');
    });
    expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
    expect([user.read('notes.txt'), user.read('settings.txt')]).toEqual(['my notes\n', 'plain\n']);
    // Not by way of git: neither the size nor the secret goes there.
    expect(user.git('cat-file', '--batch-all-objects', '--batch-check', '--unordered')).not.toMatch(/ 5000$/m);
    expect(user.git('log', '--all', '-p', '--format=')).not.toContain('PRIVATE KEY');
  });

  it('a file that was too large and became small, as it was before the next turn', async () => {
    const user = scratch();
    user.write('notes.txt', 'x'.repeat(5000));
    const worktree = await user.worktree({ limits: { ...(await user.worktree()).limits, fileBytes: 1000 } });
    await agentTurn(worktree, () => user.write('notes.txt', 'small\n'));
    await thereAndBack(user, worktree, () => user.remove('notes.txt'));
  });

  it('also before the first commit, on a detached HEAD and in a linked worktree', async () => {
    const empty = emptyScratch();
    empty.write('first.txt', 'first\n');
    await thereAndBack(empty, await empty.worktree(), () => empty.shell('rm first.txt; echo x > second.txt'));
    const user = scratch();
    user.git('checkout', '--quiet', '--detach');
    await thereAndBack(user, await user.worktree(), () => user.shell('rm -rf src'));
    user.git('worktree', 'add', '--quiet', '../second', '-b', 'second');
    const second = new Scratch(user.home, `${user.home}/second`);
    const main = user.everything();
    await thereAndBack(second, await second.worktree(), () => second.shell('rm -rf src; echo x > new.txt'));
    expect(user.everything()).toEqual(main);
  });

  it('in a sparse checkout, and what is not checked out stays so', async () => {
    const user = scratch();
    user.git('sparse-checkout', 'set', '--no-cone', '/README.md', '/run.sh');
    await thereAndBack(user, await user.worktree(), () => user.shell('echo agent > README.md; rm run.sh'));
    expect(existsSync(user.path('src'))).toBe(false);
  });
});

describe('where a filter refuses to give a file out', () => {
  /** As Git LFS is set up; the commands are what is there of it. */
  const filtered = (command: string): Scratch => {
    const user = scratch();
    for (const way of ['clean', 'smudge']) user.git('config', `filter.lfs.${way}`, command);
    user.git('config', 'filter.lfs.required', 'true');
    user.write('.gitattributes', '*.bin filter=lfs\n');
    user.commit('attributes');
    return user;
  };

  it('all come back, since the bytes of what it did not take in are kept', async () => {
    const user = filtered('false');
    user.write('README.md', 'mine\n');
    for (const name of ['a.bin', 'between.txt', 'm.bin', 'z.txt']) user.write(name, `${name}\n`);
    const line = 'rm *.bin z.txt; ln -s README.md m.bin; echo x > between.txt; git checkout -q README.md';
    await thereAndBack(user, await user.worktree(), () => user.shell(line));
  });

  it('all come back, though what it makes of the bytes has changed since', async () => {
    const user = filtered('cat');
    const names = ['README.md', 'large.bin', 'src/main.ts'];
    const writeAll = (text: string) => names.forEach((name) => void user.write(name, text));
    writeAll('mine\n');
    const id = await agentTurn(await user.worktree(), () => writeAll('agent\n'));
    user.git('config', 'filter.lfs.smudge', 'false');
    expect(await rewind(await user.worktree(), id)).toMatchObject({ written: names, failed: [] });
    expect(names.map((name) => user.read(name))).toEqual(['mine\n', 'mine\n', 'mine\n']);
  });
});

it('is refused while a revert or patches from a mailbox are open', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const id = await agentTurn(worktree, () => user.write('README.md', 'agent\n'));
  user.commit('agent');
  user.write('README.md', 'later\n');
  user.commit('later');
  user.shell('git revert HEAD~1 >/dev/null 2>&1 || true');
  expect(await rewind(worktree, id)).toEqual({ result: 'refused', reason: 'operation-open', operation: 'revert' });
  user.shell('git revert --abort; git format-patch -1 HEAD~1 --stdout > "$HOME/patch"; git am "$HOME/patch" >/dev/null 2>&1 || true');
  expect(await rewind(worktree, id)).toEqual({ result: 'refused', reason: 'operation-open', operation: 'rebase' });
  user.shell('git am --abort');
  expect((await rewind(worktree, id)).result).toBe('rewound');
});

it('by path: a name with a star is that name, a folder that is gone comes back, and the root is everything', async () => {
  const user = scratch();
  user.write('*', 'star\n');
  const worktree = await user.worktree();
  const id = await agentTurn(worktree, () => user.shell('echo agent > "*"; echo agent > README.md; rm -rf src; ln -sfn nowhere link'));
  await rewind(worktree, id, { paths: ['*'] });
  expect([user.read('*'), user.read('README.md'), existsSync(user.path('src'))]).toEqual(['star\n', 'agent\n', false]);
  await rewind(worktree, id, { paths: ['src'] });
  expect([user.read('src/deep/er/leaf.ts'), user.read('README.md')]).toEqual(['leaf\n', 'agent\n']);
  await rewind(worktree, id, { paths: [''] });
  expect([user.read('README.md'), lstatSync(user.path('link'), { throwIfNoEntry: false })]).toEqual(['read me\n', undefined]);
});

it('with a dirty index: what is staged stays staged, whatever comes back beneath it', async () => {
  const user = scratch();
  user.write('src/main.ts', 'staged\n');
  user.git('add', 'src/main.ts');
  user.git('rm', '--quiet', '--cached', 'README.md');
  const worktree = await user.worktree();
  const staged = user.git('ls-files', '--stage');
  const id = await agentTurn(worktree, () => user.shell('echo agent > src/main.ts; rm README.md'));
  await rewind(worktree, id);
  expect([user.read('src/main.ts'), user.read('README.md'), user.git('ls-files', '--stage')]).toEqual(['staged\n', 'read me\n', staged]);
});

it('leaves a link of the person’s in place of a folder alone, and what it leads to', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const id = await agentTurn(worktree, () => user.write('src/new.ts', 'agent\n'));
  user.shell('mv src "$HOME/elsewhere"; ln -s "$HOME/elsewhere" src');
  await rewind(worktree, id);
  expect(readlinkSync(user.path('src'))).toBe(`${user.home}/elsewhere`);
  expect(user.shell('cat "$HOME/elsewhere/new.ts" "$HOME/elsewhere/main.ts"')).toBe('agent\none\ntwo\nthree\n');
});

it('keeps a file’s rights when it was deleted and comes back as far as git knows them', async () => {
  const user = scratch();
  user.write('tool', '#!/bin/sh\n', 0o755);
  const worktree = await user.worktree();
  chmodSync(user.path('README.md'), 0o640);
  const id = await agentTurn(worktree, () => user.shell('echo x > README.md; rm tool'));
  await rewind(worktree, id);
  expect([statSync(user.path('README.md')).mode & 0o777, statSync(user.path('tool')).mode & 0o111]).toEqual([0o640, 0o111]);
});
