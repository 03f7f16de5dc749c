import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkpointDiff, planDiff } from '../src/history/patch.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { emptyScratch, type Scratch, scratch } from './scratch.ts';

const ABOUT = { name: 'Odd files', session: 's1', agent: 'someone', turn: 't1', kind: 'stop', by: 'agent' } as const;

async function made(worktree: Worktree) {
  const taken = await take(worktree, { ...ABOUT, always: true });
  if (taken.result !== 'made') throw new Error(taken.result);
  return taken.checkpoint;
}

/** All that makes a patch go wrong: bytes that are no text, names that are no UTF-8 or steer a terminal, modes, links, line ends. */
function odd(user: Scratch): void {
  user.write('picture.bin', Buffer.from([0, 255, 13, 10, 0, 27]));
  user.write('latin.txt', Buffer.from([0x67, 0xfc, 0x6e, 0x0a]));
  user.write('dos.txt', 'a\r\nb\r\n');
  user.write('no-end.txt', 'no line end');
  user.write('src/\u001b[31mred "name"\n.txt', 'named\n');
  writeFileSync(Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from([0x66, 0xff])]), 'odd name\n');
  symlinkSync('src/main.ts', user.path('link'));
  chmodSync(user.path('README.md'), 0o755);
  user.write('README.md', 'changed\n');
  user.remove('src/deep/er/leaf.ts');
}

/** What `git apply` makes of a patch, as a tree. */
function applied(user: Scratch, from: string, patch: Buffer): string {
  writeFileSync(`${user.home}/patch`, patch);
  return user.shell(
    `export GIT_INDEX_FILE="$HOME/applied"; git read-tree ${from} && git apply --cached --whitespace=nowarn "$HOME/patch" && git write-tree`,
  );
}

it('a checkpoint as a patch is one that git applies, to the byte and the mode, whatever people set for their own diffs', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const before = await made(worktree);
  odd(user);
  const after = await made(worktree);
  for (const setting of ['diff.noprefix=true', 'diff.mnemonicPrefix=true', 'color.ui=always', 'diff.submodule=log', 'diff.relative=true'])
    user.git('config', ...(setting.split('=') as [string, string]));
  expect(applied(user, before.commit, await checkpointDiff(worktree, after, before, { binary: true }))).toBe(`${after.tree}\n`);
});

it('the preview of a rewind is a patch of what it will do, names that are no UTF-8 included', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const before = await made(worktree);
  odd(user);
  await made(worktree);
  const plan = await planRewind(worktree, before.id);
  if (plan.result !== 'plan') throw new Error(plan.result);
  expect(applied(user, plan.safety.commit, await planDiff(worktree, plan, { binary: true }))).toBe(`${before.tree}\n`);
  const some = await planRewind(worktree, before.id, { paths: ['src'] });
  if (some.result !== 'plan') throw new Error(some.result);
  const patch = await planDiff(worktree, some, { binary: true });
  const tree = applied(user, some.safety.commit, patch).trim();
  await rewind(worktree, before.id, { paths: ['src'] });
  const later = await made(worktree);
  expect(tree).toBe(later.tree);
});

it('for people, what is no text is only named', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  const before = await made(worktree);
  odd(user);
  const text = (await checkpointDiff(worktree, await made(worktree), before)).toString('latin1');
  expect(text).toContain('Binary files /dev/null and b/picture.bin differ');
  expect(text).not.toContain('GIT binary patch');
});

it('the first checkpoint of a repository without commits shows all that is in it', async () => {
  const user = emptyScratch();
  user.write('first.txt', 'first\n');
  const worktree = await user.worktree();
  expect((await checkpointDiff(worktree, await made(worktree), null)).toString()).toContain('+first\n');
});
