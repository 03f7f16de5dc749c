import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planDiff } from '../src/history/patch.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { planUndo, undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import { type Scratch, scratch } from './scratch.ts';

const ABOUT = { name: 'Fix it', session: 's1', agent: 'someone', turn: 't1' } as const;

/** A turn: the prompt's checkpoint, what the agent does, the stop's. Gives back the id of the first. */
async function turn(worktree: Worktree, work: () => unknown): Promise<string> {
  const begun = await beginTurn(worktree, ABOUT).done;
  work();
  await take(worktree, { ...ABOUT, kind: 'stop', by: 'agent' });
  await endTurn(worktree, ABOUT.session);
  return idOf(begun);
}

function idOf(taken: Awaited<ReturnType<typeof take>>): string {
  if (taken.result === 'failed') throw new Error(taken.error);
  return taken.result === 'made' ? taken.checkpoint.id : taken.id;
}

async function rewound(worktree: Worktree, id: string, options: Parameters<typeof rewind>[2] = {}) {
  const result = await rewind(worktree, id, options);
  if (result.result !== 'rewound') throw new Error(JSON.stringify(result));
  expect(result.failed).toEqual([]);
  return result;
}

/** A working tree as people have it: staged, changed, deleted, moved, untracked, executable, read-only, linked, binary, empty, ignored. */
function makeDirty(user: Scratch): void {
  user.write('staged.txt', 'staged\n');
  user.git('add', 'staged.txt');
  user.write('staged.txt', 'staged, then changed\n');
  user.write('src/main.ts', 'one\nmine\nthree\n');
  user.remove('src/deep/er/leaf.ts');
  user.write('untracked/deep/file.txt', 'untracked\n');
  user.write('tool.sh', '#!/bin/sh\necho\n', 0o755);
  user.write('picture.bin', Buffer.from([0, 255, 13, 10, 0]));
  user.write('dos.txt', 'a\r\nb\n');
  symlinkSync('src/main.ts', user.path('link'));
  writeFileSync(Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from([0x66, 0xff])]), 'odd name\n');
  const folder = Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from([0x67, 0xfe])]);
  mkdirSync(folder);
  writeFileSync(Buffer.concat([folder, Buffer.from('/inner.txt')]), 'in a folder with an odd name\n');
  symlinkSync('src', user.path('folder-link'));
  symlinkSync('nowhere', user.path('broken-link'));
  user.write('empty.txt', '');
  user.write('no-end.txt', 'no line end');
  user.write('line\nfeed "quoted".txt', 'odd\n');
  user.write('read-only.txt', 'locked\n', 0o444);
  user.write('later.txt', 'intended\n');
  user.git('add', '--intent-to-add', 'later.txt');
  user.git('mv', 'run.sh', 'moved.sh');
  user.git('rm', '--quiet', '--cached', 'README.md');
  user.write('ignored/cache', 'cache\n');
  user.write('debug.log', 'log\n');
}

const DISASTERS = {
  'git reset --hard && git clean -fd': 'git reset --quiet --hard && git clean -qfd',
  'sed -i':
    'git ls-files -z | xargs -0 -n1 sh -c \'test -L "$1" || test ! -f "$1" || sed -i s/e/E/g "$1"\' sh; sed -i s/a/A/g untracked/deep/file.txt',
  'rm -rf src': 'rm -rf src untracked tool.sh link',
  'git checkout .': 'git checkout --quiet . && rm -f picture.bin',
  'git stash --include-untracked, dropped': 'git reset --quiet later.txt; git stash --quiet --include-untracked && git stash drop --quiet',
  'a commit of everything, and a new branch':
    'git checkout --quiet -b agent && git add -A && git commit --quiet -m agent && git rm --quiet -r src && git commit --quiet -m gone',
  'files for directories': 'rm -rf src && echo file > src && rm README.md && mkdir README.md && echo x > README.md/x',
  'everything made executable, links made files': 'chmod +x README.md src/main.ts; chmod -x tool.sh; rm link; echo x > link',
};

describe('the case it exists for', () => {
  for (const [name, command] of Object.entries(DISASTERS)) {
    it(`gives back every byte after: ${name}`, async () => {
      const user = scratch();
      makeDirty(user);
      const worktree = await user.worktree();
      const before = user.everything();
      const refs = user.git('for-each-ref', 'refs/heads');
      const id = await turn(worktree, () => user.shell(command));
      expect(user.everything()).not.toEqual(before);
      await rewound(worktree, id);
      expect(user.everything()).toEqual(before);
      if (!command.includes('checkout --quiet -b')) expect(user.git('for-each-ref', 'refs/heads')).toBe(refs);
      expect(user.git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
    });
  }

  it('also while the turn is still open, and when no stop was ever heard', async () => {
    const user = scratch();
    makeDirty(user);
    const worktree = await user.worktree();
    const before = user.everything();
    const id = idOf(await beginTurn(worktree, ABOUT).done);
    user.shell('git reset --quiet --hard && git clean -qfd');
    await rewound(worktree, id);
    expect(user.everything()).toEqual(before);
  });

  it('also with filters that lose bytes, and with files that a filter refuses', async () => {
    const user = scratch();
    user.git('config', 'filter.upper.clean', 'tr a-z A-Z');
    user.git('config', 'filter.upper.smudge', 'tr A-Z a-z');
    user.git('config', 'filter.broken.clean', 'false');
    user.git('config', 'filter.broken.required', 'true');
    user.write('.gitattributes', '* text=auto\n*.up filter=upper\n*.dos eol=crlf\n*.id ident\n*.bad filter=broken\n');
    user.write('tracked.up', 'tracked\n');
    user.commit('attributes');
    for (const name of ['a.up', 'tracked.up']) user.write(name, 'Mixed Case\n');
    user.write('unix.dos', 'a\nb\n');
    user.write('mixed.txt', 'a\r\nb\n');
    user.write('version.id', '$Id: mine $\n');
    user.write('deep/x.bad', 'refused\n', 0o755);
    const worktree = await user.worktree();
    const before = user.everything();
    const id = await turn(worktree, () => user.shell('git reset --quiet --hard; git clean -qfd'));
    await rewound(worktree, id);
    expect(user.everything()).toEqual(before);
  });

  it('after the agent rewrote history and the garbage was collected', async () => {
    const user = scratch();
    user.write('second.txt', 'second\n');
    user.commit('second');
    makeDirty(user);
    const worktree = await user.worktree();
    const before = user.everything();
    const id = await turn(worktree, () =>
      user.shell('git reset --quiet --hard HEAD~1; git clean -qfd; git reflog expire --expire=now --all; git gc --quiet --prune=now'),
    );
    const plan = await planRewind(worktree, id);
    expect(plan.result === 'plan' && plan.headMoved).toBe(true);
    await rewound(worktree, id);
    expect(user.everything()).toEqual(before);
  });

  it('but for files that the checkpoint lists as skipped', async () => {
    const user = scratch();
    user.write('.env', 'TOKEN=1\n');
    user.write('kept.txt', 'kept\n');
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.shell('git clean -qfd'));
    await rewound(worktree, id);
    expect([existsSync(user.path('.env')), user.read('kept.txt')]).toEqual([false, 'kept\n']);
  });
});

describe('a rewind', () => {
  it('row 2, restore: keeps ignored files, and what people made or changed since', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const id = await turn(worktree, () => {
      user.write('src/main.ts', 'agent\n');
      user.write('agent.txt', 'agent\n');
    });
    user.write('mine.txt', 'mine\n');
    user.write('README.md', 'mine\n');
    user.write('ignored/made-since', 'x\n');
    const { kept, deleted, written } = await rewound(worktree, id);
    expect([user.read('src/main.ts'), existsSync(user.path('agent.txt'))]).toEqual(['one\ntwo\nthree\n', false]);
    expect([user.read('mine.txt'), user.read('README.md'), user.read('ignored/made-since')]).toEqual(['mine\n', 'mine\n', 'x\n']);
    expect([written, deleted]).toEqual([['src/main.ts'], ['agent.txt']]);
    expect(kept.map(({ path, reason }) => [path, reason]).sort()).toEqual([
      ['README.md', 'changed-by-you'],
      ['mine.txt', 'changed-by-you'],
    ]);
  });

  it('of everything takes back what people changed too', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const before = user.everything();
    const id = await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    user.write('mine.txt', 'mine\n');
    await rewound(worktree, id, { everything: true });
    expect(user.everything()).toEqual(before);
  });

  it('can be undone, and the undoing undone', async () => {
    const user = scratch();
    makeDirty(user);
    const worktree = await user.worktree();
    const before = user.everything();
    const id = await turn(worktree, () => user.shell('rm -rf src untracked; echo new > new.txt; chmod -x tool.sh'));
    const after = user.everything();
    await rewound(worktree, id);
    expect(user.everything()).toEqual(before);
    expect((await undoRewind(worktree)).result).toBe('rewound');
    expect(user.everything()).toEqual(after);
    expect((await undoRewind(worktree)).result).toBe('rewound');
    expect(user.everything()).toEqual(before);
  });

  it('that was cut short can be undone, and nobody claims to know what came after it', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.shell('echo agent > README.md; echo agent > src/main.ts'));
    const after = user.everything();
    let reads = 0;
    const dying = async (...[args, options]: Parameters<Worktree['git']>) => {
      // The blobs, after it has looked for them.
      if (args.join(' ') === 'cat-file --batch' && ++reads === 1) throw new Error('killed');
      return worktree.git(args, options);
    };
    await expect(rewind({ ...worktree, git: dying }, id)).rejects.toThrow('killed');
    user.remove('README.md');
    expect(await planUndo(worktree)).toMatchObject({ undoes: { target: id, changedSince: null } });
    expect((await undoRewind(worktree)).result).toBe('rewound');
    expect(user.everything()).toEqual(after);
  });

  it('tells before it is undone what was changed since, by whom ever, and when it was', async () => {
    const user = scratch();
    let now = Date.UTC(2030, 0, 1);
    const worktree = await user.worktree({ now: () => now });
    const id = await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    now += 1000;
    await rewound(worktree, id);
    const at = new Date(now);
    expect(await planUndo(worktree)).toMatchObject({ undoes: { at, target: id, changedSince: [] } });
    now += 3_600_000;
    user.write('mine.txt', 'mine\n');
    await turn(worktree, () => user.write('README.md', 'agent\n'));
    chmodSync(user.path('src/main.ts'), 0o755);
    expect(await planUndo(worktree)).toMatchObject({ undoes: { at, changedSince: ['README.md', 'mine.txt', 'src/main.ts'] } });
  });

  it('keeps what nobody has recorded, even unfinished work of an agent, in the way back', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const id = idOf(await beginTurn(worktree, ABOUT).done);
    user.write('half.txt', 'half done\n');
    const { plan } = await rewound(worktree, id);
    expect(existsSync(user.path('half.txt'))).toBe(false);
    expect(user.git('show', `${plan.safety.ref}:half.txt`)).toBe('half done');
  });

  it('of some paths touches no other', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.shell('echo x > README.md; rm -rf src; echo y > new.txt'));
    await rewound(worktree, id, { paths: ['src/deep'] });
    expect([existsSync(user.path('src/deep/er/leaf.ts')), existsSync(user.path('src/main.ts'))]).toEqual([true, false]);
    expect(user.read('README.md')).toBe('x\n');
  });

  it('leaves the index, HEAD and the branches to the user', async () => {
    const user = scratch();
    user.write('staged.txt', 'staged\n');
    user.git('add', 'staged.txt');
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    const before = [user.shell('cksum .git/index'), user.git('rev-parse', 'HEAD'), user.git('for-each-ref', 'refs/heads')];
    await rewound(worktree, id);
    expect([user.shell('cksum .git/index'), user.git('rev-parse', 'HEAD'), user.git('for-each-ref', 'refs/heads')]).toEqual(before);
  });

  it('is refused while a merge or a rebase is open, and touches nothing then', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.write('README.md', 'agent\n'));
    user.commit('agent');
    user.git('checkout', '--quiet', '-b', 'other', 'HEAD~1');
    user.write('README.md', 'other\n');
    user.commit('other');
    for (const [command, operation] of [
      ['git merge main', 'merge'],
      ['git rebase main', 'rebase'],
      ['git cherry-pick main', 'cherry-pick'],
    ]) {
      user.shell(`${command} >/dev/null 2>&1 || true`);
      const before = user.everything();
      expect(await rewind(worktree, id)).toEqual({ result: 'refused', reason: 'operation-open', operation });
      expect(user.everything()).toEqual(before);
      user.shell(`git ${operation} --abort`);
    }
  });

  it('is refused for a checkpoint that is not there, or is of another worktree', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.write('README.md', 'agent\n'));
    user.git('worktree', 'add', '--quiet', '../second', '-b', 'second');
    const second = await new (user.constructor as typeof Scratch)(user.home, `${user.home}/second`).worktree();
    expect(await rewind(second, id)).toEqual({ result: 'refused', reason: 'other-worktree' });
    expect(await rewind(worktree, '01ARZ3NDEKTSV4RRFFQ69G5FAV')).toEqual({ result: 'refused', reason: 'no-such-checkpoint' });
    expect(await rewind(worktree, '../../heads/main')).toEqual({ result: 'refused', reason: 'no-such-checkpoint' });
    expect(await undoRewind(second)).toEqual({ result: 'refused', reason: 'nothing-to-undo' });
  });

  it('row 29, ignored files: stay, also if the agent took their pattern away', async () => {
    const user = scratch();
    user.write('ignored/cache', 'cache\n');
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.write('.gitignore', ''));
    expect((await rewound(worktree, id)).kept).toEqual([{ path: 'ignored/cache', reason: 'ignored' }]);
    expect(user.read('ignored/cache')).toBe('cache\n');
  });

  it('does not write over a file that became ignored since, nor remove a directory with something left in it', async () => {
    const user = scratch();
    user.write('build/out.js', 'recorded\n');
    user.write('thing', 'a file\n');
    const worktree = await user.worktree();
    const id = await turn(worktree, () => {
      user.write('.gitignore', 'ignored/\n*.log\nbuild/\n');
      user.write('build/out.js', 'built since\n');
      user.remove('thing');
      user.write('thing/kept.log', 'ignored\n');
    });
    const { kept } = await rewound(worktree, id);
    expect(user.read('build/out.js')).toBe('built since\n');
    expect(user.read('thing/kept.log')).toBe('ignored\n');
    expect(kept).toEqual([
      { path: 'build/out.js', reason: 'not-recorded' },
      { path: 'thing', reason: 'in-the-way' },
    ]);
  });

  it('row 30, does not write through a symlink out of the repository', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const outside = `${user.home}/outside`;
    const id = await turn(worktree, () =>
      user.shell('mkdir "$HOME/outside"; echo theirs > "$HOME/outside/main.ts"; rm -rf src; ln -s "$HOME/outside" src'),
    );
    await rewound(worktree, id);
    expect(user.shell(`cat ${outside}/main.ts`)).toBe('theirs\n');
    expect(user.read('src/main.ts')).toBe('one\ntwo\nthree\n');
  });

  it('keeps who may read a file', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    chmodSync(user.path('README.md'), 0o600);
    const id = await turn(worktree, () => user.write('README.md', 'agent\n'));
    await rewound(worktree, id);
    expect(statSync(user.path('README.md')).mode & 0o777).toBe(0o600);
  });

  it('shows beforehand what it will do, and does none of it', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.shell('echo agent > README.md; echo y > new.txt'));
    const before = user.everything();
    const plan = await planRewind(worktree, id);
    if (plan.result !== 'plan') throw new Error(plan.result);
    expect(plan.steps.map(({ path, entry }) => [path, entry !== null])).toEqual([
      ['README.md', true],
      ['new.txt', false],
    ]);
    const diff = (await planDiff(worktree, plan)).toString();
    expect(diff).toContain('-agent\n+read me\n');
    expect(diff).toContain('deleted file mode');
    expect(user.everything()).toEqual(before);
  });

  it('to a later checkpoint brings the agent’s work back', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const first = await turn(worktree, () => user.write('src/main.ts', 'agent\n'));
    const last = idOf(await take(worktree, { ...ABOUT, kind: 'stop', by: 'agent' }));
    await rewound(worktree, first);
    await rewound(worktree, last);
    expect(user.read('src/main.ts')).toBe('agent\n');
  });

  it('row 15, submodules: leaves them where they are, and says so', async () => {
    const library = scratch();
    const user = scratch();
    user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'library');
    user.commit('with a library');
    const worktree = await user.worktree();
    const id = await turn(worktree, () => user.shell('cd library && echo x > README.md && git commit -qam inside'));
    const inner = user.shell('git -C library rev-parse HEAD');
    expect((await rewound(worktree, id)).kept).toEqual([{ path: 'library', reason: 'submodule' }]);
    expect(user.shell('git -C library rev-parse HEAD')).toBe(inner);
  });
});
