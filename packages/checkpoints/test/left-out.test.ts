import { readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rewind } from '../src/rewind/rewind.ts';
import { planUndo, undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { ABOUT, agentTurn } from './agent-turn.ts';
import { scratch } from './scratch.ts';

it('puts aside a committed file that grew beyond the limit of a checkpoint since', async () => {
  const user = scratch();
  const worktree = await user.worktree({ limits: { ...(await user.worktree()).limits, totalBytes: 1000 } });
  const id = await agentTurn(worktree, () => user.write('README.md', 'agent\n'));
  user.commit('work of the agent');
  await take(worktree, { ...ABOUT, kind: 'prompt', by: 'human' });
  user.write('README.md', 'p'.repeat(5000));
  await rewind(worktree, id, { everything: true });
  expect(user.read('README.md')).toBe('read me\n');
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  expect(user.read('README.md')).toBe('p'.repeat(5000));
});

it('gives back a committed file that an agent made too large, though no checkpoint has what it made of it', async () => {
  const user = scratch();
  const worktree = await user.worktree({ limits: { ...(await user.worktree()).limits, totalBytes: 1000 } });
  const id = await agentTurn(worktree, () => user.write('README.md', 'a'.repeat(5000)));
  expect(await rewind(worktree, id)).toMatchObject({ result: 'rewound', written: ['README.md'], failed: [] });
  expect(user.read('README.md')).toBe('read me\n');
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  expect(user.read('README.md')).toBe('a'.repeat(5000));
});

it('keeps a committed file that a person made too large, and says so', async () => {
  const user = scratch();
  const worktree = await user.worktree({ limits: { ...(await user.worktree()).limits, totalBytes: 1000 } });
  const id = await agentTurn(worktree, () => user.write('src/main.ts', 'agent\n'));
  user.write('README.md', 'p'.repeat(5000));
  expect(await rewind(worktree, id)).toMatchObject({ written: ['src/main.ts'], kept: [{ path: 'README.md', reason: 'changed-by-you' }] });
  expect(user.read('README.md')).toBe('p'.repeat(5000));
});

/** A file that agents changed while it was committed, and that now is left out of every checkpoint; with the id of one that has it. */
async function untracked(): Promise<{ user: ReturnType<typeof scratch>; worktree: Worktree; id: string }> {
  const user = scratch();
  user.write('.env', 'A=1\n');
  user.commit('with an environment');
  const worktree = await user.worktree();
  const id = await agentTurn(worktree, () => user.write('.env', 'A=2\n'));
  user.commit('work of the agent');
  await take(worktree, { ...ABOUT, kind: 'prompt', by: 'human' });
  user.git('rm', '--quiet', '--cached', '.env');
  user.git('commit', '--quiet', '-m', 'without it');
  return { user, worktree, id };
}

it('puts aside a file with secrets that was taken out of the repository, and changed since', async () => {
  const { user, worktree, id } = await untracked();
  user.write('.env', 'A=mine\n');
  await rewind(worktree, id, { everything: true });
  expect(user.read('.env')).toBe('A=1\n');
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  expect(user.read('.env')).toBe('A=mine\n');
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  expect(user.read('.env')).toBe('A=1\n');
});

it('keeps what two rewinds put aside, though no checkpoint tells them apart', async () => {
  const { user, worktree, id } = await untracked();
  for (const text of ['A=first\n', 'A=second\n']) {
    user.write('.env', text);
    await rewind(worktree, id, { everything: true });
  }
  expect(user.shell(`cat "${worktree.state}"/aside/*/*`)).toBe('A=first\nA=second\n');
});

it('brings back what was put aside before the repository was moved', async () => {
  const { user, worktree, id } = await untracked();
  user.write('.env', 'A=mine\n');
  await rewind(worktree, id, { everything: true });
  const moved = { ...worktree, state: `${worktree.state}-elsewhere` };
  renameSync(worktree.state, moved.state);
  expect(await undoRewind(moved)).toMatchObject({ result: 'rewound', failed: [] });
  expect(user.read('.env')).toBe('A=mine\n');
});

it('brings a link back as a link', async () => {
  const { user, worktree, id } = await untracked();
  rmSync(user.path('.env'));
  symlinkSync('elsewhere', user.path('.env'));
  await rewind(worktree, id, { everything: true });
  expect(user.read('.env')).toBe('A=1\n');
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  expect(readlinkSync(user.path('.env'))).toBe('elsewhere');
});

it('leaves what is there where what was put aside is gone', async () => {
  const { user, worktree, id } = await untracked();
  user.write('.env', 'A=mine\n');
  await rewind(worktree, id, { everything: true });
  rmSync(join(worktree.state, 'aside'), { recursive: true });
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', written: [], plan: { unavailable: [{ path: '.env' }] } });
  expect(user.read('.env')).toBe('A=1\n');
});

const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq\n-----END RSA PRIVATE KEY-----\n';

it('brings back what was put aside, though nothing else had changed since the last checkpoint', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  user.write('key.txt', 'no key\n');
  const id = await agentTurn(worktree, () => rmSync(user.path('key.txt')));
  user.write('key.txt', KEY);
  expect(await rewind(worktree, id, { everything: true })).toMatchObject({ result: 'rewound', written: ['key.txt'], failed: [] });
  expect(user.read('key.txt')).toBe('no key\n');
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  expect(user.read('key.txt')).toBe(KEY);
});

it('brings back what was put aside under a name that is no UTF-8', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const file = Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from('\xff\xfe.bin', 'latin1')]);
  writeFileSync(file, 'no key\n');
  const id = await agentTurn(worktree, () => rmSync(file));
  writeFileSync(file, KEY);
  expect(await rewind(worktree, id, { everything: true })).toMatchObject({ result: 'rewound', written: ['\xff\xfe.bin'], failed: [] });
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  expect(readFileSync(file, 'utf8')).toBe(KEY);
});

it('says of a file that came to be left out before the turn that the checkpoint does not have it', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  await take(worktree, { ...ABOUT, kind: 'prompt', by: 'human' });
  user.write('key.txt', KEY);
  const id = await agentTurn(worktree, () => user.write('key.txt', 'no key\n'));
  const rewound = await rewind(worktree, id);
  expect(rewound).toMatchObject({ result: 'rewound', written: [], deleted: [], kept: [{ path: 'key.txt', reason: 'not-in-checkpoint' }] });
  expect(user.read('key.txt')).toBe('no key\n');
});

it('names a file that no checkpoint takes among those that somebody changed since the rewind, and only then', async () => {
  const { user, worktree, id } = await untracked();
  const changedSince = async () => {
    const plan = await planUndo(worktree);
    return plan.result === 'plan' ? plan.undoes.changedSince : plan;
  };
  user.write('.env', 'A=mine\n');
  await rewind(worktree, id, { everything: true });
  expect(await changedSince()).toEqual([]);
  user.write('.env', 'A=0\n');
  expect(await changedSince()).toEqual(['.env']);
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  // Taking that back brings the edit again; it asks for what was changed after it, and for nothing else.
  expect(await changedSince()).toEqual([]);
  user.write('.env', 'A=once more\n');
  expect(await changedSince()).toEqual(['.env']);
  await undoRewind(worktree);
  expect(user.read('.env')).toBe('A=0\n');
});
