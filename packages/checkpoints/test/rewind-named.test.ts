import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { directory, Scratch, scratch } from './scratch.ts';
import { SharedTree } from './shared-tree.ts';

/** A turn of one command; then what a rewind of it plans, and does. */
async function rewound(user: Scratch, work: () => void) {
  const tree = new SharedTree(user);
  await tree.prompt('one');
  const call = await tree.begins('one', 'shell', { command: 'make everything' });
  const before = user.everything();
  work();
  await tree.ends('one', call);
  expect(tree.problems).toEqual([]);
  const checkpoints = await tree.checkpoints();
  const plan = await checkpoints.planRewind(call.stamp, { everything: true });
  if (plan.result !== 'plan') throw new Error(JSON.stringify(plan));
  expect(await checkpoints.rewind(call.stamp, { everything: true })).toMatchObject({ result: 'rewound', failed: [], kept: plan.kept });
  return { before, kept: plan.kept };
}

it.each(['.gitattributes', '.gitignore', 'src/.gitignore'])('%s comes back where a folder took its place', async (name) => {
  const user = scratch();
  user.write(name, '*.log\n');
  const { before, kept } = await rewound(user, () => {
    user.remove(name);
    user.write(`${name}/inside`, 'x\n');
  });
  expect([user.everything(), kept]).toEqual([before, []]);
});

it('what came since and is in no checkpoint is named, also where nothing else has changed', async () => {
  const user = scratch();
  const { kept } = await rewound(user, () => {
    user.write('key.txt', '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq\n-----END RSA PRIVATE KEY-----\n');
    user.git('init', '--quiet', 'inner');
  });
  expect(kept.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual(['inner not-recorded', 'key.txt not-recorded']);
});

it('what the patterns that come back ignore is named before, with what it is in the way of', async () => {
  const user = scratch();
  user.write('.gitignore', 'made/\n');
  user.write('file', 'a file\n');
  const { kept } = await rewound(user, () => {
    user.remove('.gitignore');
    user.write('made/a.txt', 'may have been there\n');
    user.remove('file');
    user.write('file/inside', 'cannot have been there\n');
  });
  expect(kept).toEqual([{ path: 'made/a.txt', reason: 'ignored' }]);
  expect(user.read('file')).toBe('a file\n');
});

/** Files that were committed although a pattern ignores them, and of which the agent made one file, without the pattern. */
async function ignoredAgain() {
  const user = scratch();
  user.write('.gitignore', 'made/\n');
  user.write('made/a.txt', 'a\n');
  user.write('made/b.txt', 'b\n');
  user.git('add', '--force', 'made');
  user.commit('Base');
  const { before } = await rewound(user, () => {
    user.git('rm', '-r', '--quiet', 'made');
    user.remove('.gitignore');
    user.write('made', 'one file\n');
    user.commit('One file');
  });
  expect(user.everything()).toEqual(before);
  return { user, checkpoints: await new SharedTree(user).checkpoints() };
}

it('what a rewind has made goes when it is taken back, also where what it brought back ignores it', async () => {
  const { user, checkpoints } = await ignoredAgain();
  expect(await checkpoints.planUndo()).toMatchObject({ kept: [], undoes: { changedSince: [] } });
  expect(await checkpoints.undoRewind()).toMatchObject({ result: 'rewound', kept: [], failed: [] });
  expect(user.read('made')).toBe('one file\n');
  expect(await checkpoints.undoRewind()).toMatchObject({ result: 'rewound', kept: [], failed: [] });
  expect([user.read('made/a.txt'), user.read('made/b.txt')]).toEqual(['a\n', 'b\n']);
});

it('what a rewind has made goes when it is taken back, also where a pattern that comes back then ignores it', async () => {
  const user = scratch();
  user.write('made/a.txt', 'a\n');
  let after: unknown;
  await rewound(user, () => {
    user.remove('made/a.txt');
    user.write('.gitignore', 'made/\n');
    after = user.everything();
  });
  expect(user.read('made/a.txt')).toBe('a\n');
  const checkpoints = await new SharedTree(user).checkpoints();
  expect(await checkpoints.undoRewind()).toMatchObject({ result: 'rewound', kept: [], failed: [] });
  expect(user.everything()).toEqual(after);
});

it('what somebody changed since in a file that a rewind has made, and that is ignored, is named and moved aside', async () => {
  const { user, checkpoints } = await ignoredAgain();
  user.write('made/b.txt', 'written since, in no checkpoint\n');
  expect(await checkpoints.planUndo()).toMatchObject({ undoes: { changedSince: ['made/b.txt'] } });
  expect(await checkpoints.undoRewind()).toMatchObject({ result: 'rewound', kept: [], failed: [] });
  expect(await checkpoints.undoRewind()).toMatchObject({ result: 'rewound', kept: [], failed: [] });
  expect(user.read('made/b.txt')).toBe('written since, in no checkpoint\n');
});

it('a repository that says it cannot tell names by case has each of them back, where the disk can', async () => {
  const user = scratch();
  user.git('config', 'core.ignoreCase', 'true');
  user.write('a.txt', 'small\n');
  const { before, kept } = await rewound(user, () => user.write('A.txt', 'large\n'));
  expect([user.everything(), kept]).toEqual([before, []]);
});

it('a repository in a folder with a line break in its name is as good as another', async () => {
  const home = directory();
  const user = new Scratch(home, join(home, 'two\nlines'));
  mkdirSync(user.root);
  user.git('init', '--quiet', '--initial-branch=main');
  user.write('a.txt', 'a\n');
  user.commit('Base');
  expect(await user.repository()).toMatchObject({ root: user.root, gitDir: join(user.root, '.git'), objectFormat: 'sha1', shallow: false });
});
