import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listCheckpoints } from '../src/history/listing.ts';
import { readCalls } from '../src/images/call-log.ts';
import { readImage } from '../src/images/image-state.ts';
import { lookBefore } from '../src/images/look.ts';
import { openWorktree } from '../src/repositories/open-worktree.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { openTurns } from '../src/turns/turn-file.ts';
import { Scratch, scratch } from './scratch.ts';

async function opened(repo: Scratch) {
  return openWorktree({
    git: repo.runner(),
    repository: await repo.repository(),
    stateDirectory: join(repo.home, 'state'),
    redact: (text) => text,
    random: (bytes) => randomBytes(bytes),
  });
}

/** With a turn that nobody ends: by it one can see whose state it is. */
async function withTurn(): Promise<Scratch> {
  const repo = scratch();
  repo.write('new.txt', 'new\n');
  const about = { name: 'x', session: 's1', agent: 'claude', turn: 't1' };
  expect((await beginTurn(await opened(repo), about).done).result).toBe('made');
  return repo;
}

const turnsIn = async (repo: Scratch): Promise<number> => (await openTurns(await opened(repo))).length;

const deleteRefs = (repo: Scratch) =>
  repo.shell("git for-each-ref --format='delete %(refname)' refs/piton | git update-ref --stdin") + repo.shell('git pack-refs --all');

it('a repository that is made where another was begins with nothing, and the old state is put aside', async () => {
  const repo = await withTurn();
  const { state } = await opened(repo);
  rmSync(join(repo.root, '.git'), { recursive: true });
  repo.git('init', '--quiet');
  expect(await turnsIn(repo)).toBe(0);
  expect(existsSync(state)).toBe(false);
  expect(readdirSync(join(repo.home, 'state'))).toEqual([expect.stringMatching(/^[0-9a-f]{24}\.gone-[0-9A-Z]{26}$/)]);
});

it('so does a fresh clone of the same history, and one with other object names', async () => {
  const clone = await withTurn();
  clone.git('clone', '--quiet', '--no-local', '.', '../fresh');
  rmSync(clone.root, { recursive: true });
  renameSync(join(clone.home, 'fresh'), clone.root);
  expect(await turnsIn(clone)).toBe(0);

  const other = await withTurn();
  rmSync(join(other.root, '.git'), { recursive: true });
  other.git('init', '--quiet', '--object-format=sha256');
  expect(await turnsIn(other)).toBe(0);
});

it.each<[string, (repo: Scratch) => void]>([
  ['refs are packed', (repo) => void repo.git('pack-refs', '--all')],
  ['refs somebody deleted', (repo) => void deleteRefs(repo)],
  [
    'files are others, as after a restored backup',
    (repo) => {
      cpSync(repo.root, `${repo.root}.backup`, { recursive: true });
      rmSync(repo.root, { recursive: true });
      renameSync(`${repo.root}.backup`, repo.root);
    },
  ],
  [
    'last checkpoint is not in the backup, but others are',
    (repo) => {
      const [ref = ''] = repo.git('for-each-ref', '--format=%(refname)', 'refs/piton/checkpoints').split('\n');
      repo.git('update-ref', 'refs/piton/checkpoints/01ARZ3NDEKTSV4RRFFQ69G5FAV', 'HEAD');
      repo.git('update-ref', '-d', ref);
      for (const name of readdirSync(join(repo.root, '.git/objects/pack'))) rmSync(join(repo.root, '.git/objects/pack', name));
    },
  ],
])('keeps the state of one whose %s', async (_, change) => {
  const repo = await withTurn();
  change(repo);
  expect(await turnsIn(repo)).toBe(1);
});

it('keeps what git cannot tell of', async () => {
  const repo = await withTurn();
  deleteRefs(repo);
  const repository = await repo.repository();
  const nothing = async () => ({ code: -1, stdout: Buffer.alloc(0), stderr: 'too long' });
  const git = { ask: nothing, within: () => nothing };
  const options = { repository, stateDirectory: join(repo.home, 'state'), redact: String, random: (bytes: number) => randomBytes(bytes) };
  expect(await openTurns(await openWorktree({ git, ...options }))).toHaveLength(1);
});

it('a linked worktree that is made again under the name of a deleted one has none of its turns, checkpoints and images', async () => {
  const main = scratch();
  const linked = new Scratch(main.home, join(main.home, 'linked'));
  const add = () => main.git('worktree', 'add', '--quiet', '--detach', '../linked');
  add();
  linked.write('new.txt', 'new\n');
  const first = await opened(linked);
  expect((await beginTurn(first, { name: 'x', session: 's1', agent: 'claude', turn: 't1' }).done).result).toBe('made');
  await lookBefore(first, 't1');
  expect([await turnsIn(linked), (await listed(linked)).length]).toEqual([1, 1]);
  main.git('worktree', 'move', '../linked', '../moved');
  main.git('worktree', 'move', '../moved', '../linked');
  expect([await turnsIn(linked), (await listed(linked)).length], 'one that was moved is still itself').toEqual([1, 1]);
  main.git('worktree', 'remove', '--force', '../linked');
  add();
  const again = await opened(linked);
  expect([await turnsIn(linked), await listed(linked), readImage(again), readCalls(again)]).toEqual([0, [], null, []]);
  const [old = ''] = (await listCheckpoints(again.git, again.repository)).map(({ id }) => id);
  expect(await planRewind(again, old)).toEqual({ result: 'refused', reason: 'other-worktree' });
});

const listed = async (repo: Scratch) => {
  const { git, repository } = await opened(repo);
  return listCheckpoints(git, repository, { here: true });
};
