import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import { listCheckpoints } from '../src/history/listing.ts';
import { linkCommit, markMessage } from '../src/links/link.ts';
import { resolveLink } from '../src/links/resolve.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import { turn } from './authors.ts';
import { type Scratch, scratch } from './scratch.ts';

/** What git and its hooks do for `git commit -m`; gives back the sessions whose checkpoints the commit got. */
async function commit(user: Scratch, worktree: Worktree, hooks = true): Promise<(string | null)[]> {
  const file = join(worktree.repository.gitDir, 'COMMIT_EDITMSG');
  user.write('.git/COMMIT_EDITMSG', 'Change it\n');
  const ids = hooks ? await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'message' }) : [];
  if (hooks) expect(await markMessage(worktree, { hook: 'commit-msg', file, source: '' })).toEqual([]);
  user.git('commit', '--quiet', '--no-verify', '-F', '.git/COMMIT_EDITMSG');
  const made = (await linkCommit(worktree))?.made ?? [];
  if (hooks) expect(made.map(({ id }) => id)).toEqual(ids);
  expect(user.git('log', '-1', '--format=%B').match(/^Piton-Checkpoint: /gm) ?? []).toHaveLength(ids.length);
  return made.map(({ session }) => session);
}

async function commitAll(user: Scratch, worktree: Worktree, hooks = true): Promise<(string | null)[]> {
  user.git('add', '-A');
  return commit(user, worktree, hooks);
}

/** A turn in which nothing happens: what a person did is known from then on. */
async function seen(worktree: Worktree): Promise<void> {
  await turn(worktree, () => {}, 'looks on');
}

const LINES = ['one', 'two', 'three', 'four', 'five', 'six'];
const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
/** The bytes of a picture, say. */
const bytes = (...some: number[]): Buffer => Buffer.from([0, 1, 2, ...some]);

type Act = (user: Scratch) => unknown;
const writes =
  (file: string, content: string | Buffer, mode?: number): Act =>
  (user) =>
    user.write(file, content, mode);
const both =
  (...acts: Act[]): Act =>
  (user) => {
    for (const act of acts) act(user);
  };
/** Puts this into the index, and leaves the working tree alone, as `git add -p` does. */
const stages =
  (file: string, content: string): Act =>
  (user) => {
    user.write('../hunks', content);
    user.git('update-index', '--add', '--cacheinfo', `100644,${user.git('hash-object', '-w', '../hunks')},${file}`);
  };

async function story(agent: Act, person: Act): Promise<{ user: Scratch; worktree: Worktree }> {
  const user = scratch();
  user.write('list.txt', text(...LINES));
  user.write('picture.png', bytes(3, 4, 5));
  user.write('twice.txt', text('same', 'same', 'x'));
  user.commit('second');
  const worktree = await user.worktree();
  await turn(worktree, () => agent(user));
  person(user);
  return { user, worktree };
}

const stagesAll: Act = (user) => user.git('add', '-A');
const stagesTracked =
  (...files: string[]): Act =>
  (user) =>
    user.git('add', ...files);

describe('a commit of which no agent has written anything any more', () => {
  const CASES: [string, Act, Act][] = [
    [
      'a new file that was replaced whole',
      writes('new.txt', text('agent', 'wrote')),
      both(writes('new.txt', text('all', 'mine')), stagesAll),
    ],
    [
      'a file that was replaced whole',
      writes('list.txt', text('agent', ...LINES)),
      both(writes('list.txt', text('all', 'mine')), stagesAll),
    ],
    [
      'a file without the lines that the agent added',
      writes('list.txt', text(...LINES, '', 'agent')),
      both(writes('list.txt', text('mine', ...LINES)), stagesAll),
    ],
    [
      'a line that was changed once more',
      writes('list.txt', text('one', 'agent', ...LINES.slice(2))),
      both(writes('list.txt', text('one', 'mine', ...LINES.slice(2))), stagesAll),
    ],
    [
      'lines that the agent deleted, and that are back',
      writes('list.txt', text(...LINES.slice(2))),
      both(writes('list.txt', text(...LINES, 'mine')), stagesAll),
    ],
    [
      'a file that the agent deleted, and that is back',
      (user) => user.remove('list.txt'),
      both(writes('list.txt', text(...LINES, 'mine')), stagesAll),
    ],
    [
      'the part of a file that is a person’s',
      writes('list.txt', text(...LINES, 'agent')),
      both(writes('list.txt', text('mine', ...LINES, 'agent')), stages('list.txt', text('mine', ...LINES))),
    ],
    [
      'a replaced file beside others of the person’s',
      writes('new.txt', text('function agent() {', '  return 1;', '}')),
      both(writes('new.txt', text('mine')), writes('mine.ts', text('function mine() {', '  return 1;', '}')), stagesAll),
    ],
    [
      'a replaced file, while another of the agent’s waits',
      both(writes('new.txt', text('agent')), writes('waits.txt', text('the agent wrote this'))),
      both(writes('new.txt', text('mine')), stagesTracked('new.txt')),
    ],
  ];
  for (const [what, agent, person] of CASES) {
    it(`${what}: is a person’s alone`, async () => {
      const { user, worktree } = await story(agent, person);
      expect(await commit(user, worktree)).toEqual([]);
      expect(await resolveLink(worktree, 'HEAD')).toBe(null);
      expect(await attributeCommit(worktree, 'HEAD')).toMatchObject({ agent: 0, shared: 0, sessions: [] });
    });
  }

  it('is a person’s alone also without hooks, and where a checkpoint has seen it', async () => {
    for (const hooks of [true, false]) {
      const { user, worktree } = await story(writes('new.txt', text('agent', 'wrote')), writes('new.txt', text('all', 'mine')));
      await seen(worktree);
      expect(await commitAll(user, worktree, hooks)).toEqual([]);
    }
  });

  it('leaves nothing of it to later commits, and what the agent does then counts', async () => {
    const { user, worktree } = await story(writes('new.txt', text('agent', 'wrote')), writes('new.txt', text('all', 'mine')));
    expect(await commitAll(user, worktree)).toEqual([]);
    user.write('new.txt', text('all', 'wrote'));
    expect(await commitAll(user, worktree)).toEqual([]);
    await turn(worktree, () => user.write('new.txt', text('all', 'wrote', 'agent')), 's2');
    expect(await commitAll(user, worktree)).toContain('s2');
  });

  it('forgets the work for as long as it does not come back', async () => {
    const { user, worktree } = await story(writes('new.txt', text('agent', 'wrote')), writes('new.txt', text('all', 'mine')));
    expect(await commitAll(user, worktree)).toEqual([]);
    const stop = (await listCheckpoints(worktree.git, worktree.repository)).findLast(({ kind }) => kind === 'stop');
    expect(await rewind(worktree, stop?.id ?? '', { everything: true })).toMatchObject({ result: 'rewound' });
    expect(user.read('new.txt')).toBe(text('agent', 'wrote'));
    expect(await commitAll(user, worktree)).toEqual(['s1']);
  });

  it('leaves the rest of a file that it took a part of to the next', async () => {
    const whole = text('mine', ...LINES, 'agent');
    const part = both(writes('list.txt', whole), stages('list.txt', text('mine', ...LINES)));
    const { user, worktree } = await story(writes('list.txt', text(...LINES, 'agent')), part);
    expect(await commit(user, worktree)).toEqual([]);
    expect(await commitAll(user, worktree)).toEqual(['s1']);
  });

  it('names several sessions in one order, however fast they are named', async () => {
    const { user, worktree } = await story(
      () => {},
      () => {},
    );
    const sessions = ['s1', 's2', 's3', 's4', 's5'];
    for (const session of sessions) await turn(worktree, () => user.write(`${session}.txt`, text(session)), session);
    const atOnce = Date.now();
    expect(await commitAll(user, { ...worktree, now: () => atOnce })).toEqual(sessions);
  });

  it('names of two sessions the one whose lines are left', async () => {
    const { user, worktree } = await story(writes('new.txt', text('agent')), () => {});
    await turn(worktree, () => user.write('other.txt', text('another')), 's2');
    user.write('new.txt', text('mine'));
    expect(await commitAll(user, worktree)).toEqual(['s2']);
  });
});

describe('a commit that holds an agent’s work, though no version of it is as the agent left it,', () => {
  const CODE = ['function greet(name) {', "    return 'Hello, ' + name", '}'];
  const CASES: [string, Act, Act][] = [
    ['one line of many', writes('new.txt', text('agent', 'wrote', 'this')), writes('new.txt', text('all', 'mine', 'but', 'wrote'))],
    ['a line on top', writes('list.txt', text('agent', ...LINES)), writes('list.txt', text('agent', 'mine', ...LINES))],
    ['lines deleted', writes('list.txt', text(...LINES.slice(2))), writes('list.txt', text(...LINES.slice(2), 'mine'))],
    ['one of two equal lines deleted', writes('twice.txt', text('same', 'x')), writes('twice.txt', text('same', 'x', 'mine'))],
    ['more lines deleted than written', writes('list.txt', text('agent', 'six')), writes('list.txt', text('mine', 'six'))],
    [
      'lines in another order',
      writes('list.txt', text(...[...LINES].reverse())),
      writes('list.txt', text(...[...LINES].reverse(), 'mine')),
    ],
    [
      'a line that was moved, beside one that is gone',
      writes('list.txt', text(...LINES.slice(1), 'one', 'agent')),
      writes('list.txt', text(...LINES.slice(1), 'one', 'mine')),
    ],
    [
      'empty lines',
      writes('list.txt', text(...LINES.flatMap((line) => [line, '']))),
      writes('list.txt', text('mine', ...LINES.flatMap((line) => [line, '']))),
    ],
    [
      'line ends',
      writes('list.txt', text(...LINES).replaceAll('\n', '\r\n')),
      writes('list.txt', text('mine', ...LINES).replaceAll('\n', '\r\n')),
    ],
    [
      'code that was formatted',
      writes('new.js', text(...CODE)),
      writes('new.js', text('function greet (name)', '{', '\treturn "Hello, " + name;', '}')),
    ],
    [
      'code of which every line was broken',
      writes('new.js', text("export const greeting = (name) => 'Hello, ' + name")),
      writes('new.js', text('export const greeting =', '  (name) =>', '    "Hello, " + name;')),
    ],
    ['a binary file', writes('picture.png', bytes(9, 9, 9)), writes('picture.png', bytes(9, 9, 8))],
    ['text where a binary file was', writes('picture.png', text('agent')), writes('picture.png', text('mine'))],
    ['a file that was deleted', (user) => user.remove('list.txt'), writes('mine.txt', text('mine'))],
    ['a file that is there again', (user) => user.remove('list.txt'), writes('list.txt', text('mine'))],
    [
      'a file whose mode was changed',
      (user) => chmodSync(user.path('list.txt'), 0o755),
      both(writes('list.txt', text('mine')), (user) => chmodSync(user.path('list.txt'), 0o755)),
    ],
    ['a program', writes('run-it', text('agent'), 0o755), writes('run-it', text('mine'))],
    [
      'a file that became a link',
      (user) => {
        user.remove('list.txt');
        symlinkSync('README.md', user.path('list.txt'));
      },
      (user) => {
        user.remove('list.txt');
        symlinkSync('run.sh', user.path('list.txt'));
      },
    ],
    [
      'a file that was renamed',
      (user) => user.git('mv', 'list.txt', 'renamed.txt'),
      writes('renamed.txt', text('mine', ...LINES.slice(1))),
    ],
    [
      'a file that the person renamed',
      writes('list.txt', text(...LINES, 'agent')),
      both((user) => user.git('mv', 'list.txt', 'renamed.txt'), writes('renamed.txt', text(...LINES, 'agent', 'mine'))),
    ],
    [
      'lines that the person moved to another file',
      writes('new.txt', text('the agent wrote this', 'x')),
      both(writes('new.txt', text('mine')), writes('README.md', text('read me', 'the agent wrote this'))),
    ],
    [
      'a part of it',
      writes('list.txt', text('agent', ...LINES, 'also agent')),
      both(writes('list.txt', text('agent', ...LINES, 'also agent')), stages('list.txt', text(...LINES, 'also agent'))),
    ],
    ['a part of it, which deletes', writes('list.txt', text(...LINES.slice(2, 5), 'agent')), stages('list.txt', text(...LINES.slice(2)))],
  ];
  for (const [what, agent, person] of CASES) {
    it(`is linked: ${what}`, async () => {
      const isPart = what.startsWith('a part');
      const { user, worktree } = await story(agent, person);
      expect(await (isPart ? commit(user, worktree) : commitAll(user, worktree))).toEqual(['s1']);
    });
  }

  it('is linked to the one whose turn is open, whatever it holds', async () => {
    const { user, worktree } = await story(writes('new.txt', text('agent')), () => {});
    await beginTurn(worktree, { name: 'x', session: 's2', agent: 'someone', turn: 't2' }).done;
    user.write('new.txt', text('another'));
    expect(await commitAll(user, worktree)).toEqual(['s2']);
    await endTurn(worktree, 's2');
  });

  it('is linked where what the agent wrote cannot be read any more, or is too much to look at', async () => {
    const { user, worktree } = await story(writes('new.txt', text('agent')), writes('new.txt', text('mine')));
    for (const ref of user.git('for-each-ref', '--format=%(refname)', 'refs/piton').split('\n')) user.git('update-ref', '-d', ref);
    user.shell('rm -f .git/objects/pack/*');
    user.git('add', '-A');
    expect(
      await markMessage(worktree, { hook: 'prepare-commit-msg', file: user.path('.git/COMMIT_EDITMSG'), source: 'message' }),
    ).toHaveLength(1);

    const large = await story(writes('new.txt', text('agent')), writes('new.txt', 'mine\n'.repeat(500_000)));
    expect(await commitAll(large.user, large.worktree)).toEqual(['s1']);
  });
});
