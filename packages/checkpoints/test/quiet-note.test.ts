import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textHash } from '@piton/contracts/places';
import { describe, expect, it } from 'vitest';
import { linkCommit, markMessage, recoverLink } from '../src/links/link.ts';
import { noteQuiet } from '../src/links/quiet-note.ts';
import { reserve } from '../src/links/reservation.ts';
import { checkpointSettings } from '../src/settings-files.ts';
import { take } from '../src/snapshot/take.ts';
import { noteIfQuiet } from '../src/turns/git-hook.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import { scratch } from './scratch.ts';

const TURN = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;

const noteOf = ({ state, repository }: Worktree) => join(dirname(dirname(state)), 'quiet', textHash(repository.root));
const isNoted = (worktree: Worktree) => existsSync(noteOf(worktree));

describe('the note that no work of an agent waits', () => {
  it('is there once a commit has taken all of it in, and gone with the next turn', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await take(worktree, TURN);
    user.write('src/main.ts', 'agent\n');
    await take(worktree, TURN);
    await noteQuiet(worktree, new Map());
    expect(isNoted(worktree)).toBe(false);
    user.commit('All of it');
    await linkCommit(worktree);
    await noteQuiet(worktree, new Map([['/settings.json', '-']]));
    expect(readFileSync(noteOf(worktree), 'utf8')).toBe(`${worktree.repository.root}\n- /settings.json\n`);
    await beginTurn(worktree, { name: 'More', session: 's1', agent: 'someone', turn: 't2' }).done;
    expect(isNoted(worktree)).toBe(false);
    await noteQuiet(worktree, new Map());
    expect(isNoted(worktree)).toBe(false);
    await endTurn(worktree, 's1');
    await noteQuiet(worktree, new Map());
    expect(isNoted(worktree)).toBe(true);
  });

  it('goes with every kind of work that may be in a commit: recorded, gone into a stash, promised', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await take(worktree, TURN);
    await noteQuiet(worktree, new Map());
    expect(isNoted(worktree)).toBe(true);
    user.write('src/main.ts', 'agent\n');
    await take(worktree, TURN);
    expect(isNoted(worktree)).toBe(false);
    user.git('stash', '--quiet');
    await take(worktree, { ...TURN, by: 'human', session: null });
    await noteQuiet(worktree, new Map());
    expect(isNoted(worktree)).toBe(false);
    const other = await scratch().worktree();
    await noteQuiet(other, new Map());
    await reserve(other, 's1');
    expect(isNoted(other)).toBe(false);
  });

  it.each(['agent-work', 'never', 'always', 'ask'])('is written where only agents’ work is marked, or nothing: %s', async (trailer) => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('.piton/settings.json', JSON.stringify({ checkpoints: { trailer } }));
    const settingsOf = checkpointSettings(join(user.home, 'config'), (text) => ({ value: JSON.parse(text), errors: [] }));
    await noteIfQuiet({ settingsOf }, worktree);
    expect(isNoted(worktree)).toBe(trailer === 'agent-work' || trailer === 'never');
  });
});

it('a commit of which no hook told is linked at the next occasion, by its content', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  await take(worktree, TURN);
  user.write('src/main.ts', 'agent\n');
  await take(worktree, TURN);
  expect(await recoverLink(worktree)).toBe(null);
  const commit = user.commit('All of it');
  expect(await recoverLink(worktree)).toMatchObject({ commit, made: [{ session: 's1', linked: commit }] });
  expect(await recoverLink(worktree)).toBe(null);
});

it('commit-msg leaves a message alone that prepare-commit-msg has settled, and marks one that another has changed since', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  await take(worktree, TURN);
  user.write('src/main.ts', 'agent\n');
  await take(worktree, TURN);
  user.git('add', '-A');
  const file = user.path('.git/COMMIT_EDITMSG');
  const settled = new Map<string, string>();
  user.write('.git/COMMIT_EDITMSG', 'Change it\n');
  const [id] = await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'message', settled });
  const marked = user.read('.git/COMMIT_EDITMSG');
  expect(marked).toBe(`Change it\n\nPiton-Checkpoint: ${id}\n`);
  expect(await markMessage(worktree, { hook: 'commit-msg', file, source: '', settled })).toEqual([]);
  expect(user.read('.git/COMMIT_EDITMSG')).toBe(marked);
  user.write('.git/COMMIT_EDITMSG', 'Somebody wrote it anew\n');
  expect(await markMessage(worktree, { hook: 'commit-msg', file, source: '', settled })).toHaveLength(1);
});
