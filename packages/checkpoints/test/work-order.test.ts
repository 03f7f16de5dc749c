import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blameFile } from '../src/attribution/blame.ts';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import { listCheckpoints } from '../src/history/listing.ts';
import { linkCommit, markMessage } from '../src/links/link.ts';
import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import { whose } from './authors.ts';
import { type Scratch, scratch } from './scratch.ts';

const AGENTS: Readonly<Record<string, string>> = { anna: 'claude', bert: 'codex' };
const aboutOf = (session: string) => ({ name: 'Work', session, agent: AGENTS[session] ?? null, turn: `turn of ${session}` });

const begin = (worktree: Worktree, session: string) => beginTurn(worktree, aboutOf(session)).done;
async function end(worktree: Worktree, session: string): Promise<void> {
  await take(worktree, { ...aboutOf(session), kind: 'stop', by: 'agent' });
  await endTurn(worktree, session);
}

const text = (who: string, count = 20): string => Array.from({ length: count }, (_, at) => `${who} wrote line ${at}\n`).join('');

/** `git commit -m` with hooks that take as long as `meanwhile`. */
async function slowCommit(user: Scratch, worktree: Worktree, meanwhile: () => Promise<void>): Promise<void> {
  const file = user.path('.git/COMMIT_EDITMSG');
  writeFileSync(file, 'Take it in\n');
  await markMessage(worktree, { hook: 'prepare-commit-msg', file, source: 'message' });
  await meanwhile();
  user.git('commit', '--quiet', '-F', file);
  await linkCommit(worktree, (session) => AGENTS[session] ?? null);
}

const linesOf = async (worktree: Worktree, user: Scratch, file: string) => [
  ...new Set((await whose(worktree, user, file)).map((line) => line.split(':')[0])),
];

describe('a commit whose hooks take long', () => {
  it('leaves the lines of a turn that began and ended meanwhile to that turn', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await begin(worktree, 'anna');
    user.write('a.txt', text('anna'));
    await end(worktree, 'anna');
    user.git('add', '-A');
    await slowCommit(user, worktree, async () => {
      await begin(worktree, 'bert');
      user.write('b.txt', text('bert'));
      await end(worktree, 'bert');
    });
    expect(await linesOf(worktree, user, 'b.txt')).toEqual(['bert']);
    user.commit('And the rest');
    await linkCommit(worktree);
    expect(await linesOf(worktree, user, 'a.txt')).toEqual(['anna']);
    expect(await linesOf(worktree, user, 'b.txt')).toEqual(['bert']);
    expect(await attributeCommit(worktree, 'HEAD')).toMatchObject({ agent: 20, human: 0, sessions: ['bert'] });
  });

  it('lists its checkpoint after those that were seen before it', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await begin(worktree, 'anna');
    user.write('a.txt', text('anna'));
    await end(worktree, 'anna');
    user.git('add', '-A');
    await slowCommit(user, worktree, async () => {
      await begin(worktree, 'bert');
      user.write('b.txt', text('bert'));
      await end(worktree, 'bert');
    });
    const all = await listCheckpoints(worktree.git, worktree.repository);
    expect(all.map(({ kind, session }) => `${kind} ${session}`)).toEqual(['prompt anna', 'stop anna', 'stop bert', 'commit anna']);
    expect(all.map(({ before }) => before)).toEqual([null, ...all.slice(0, -1).map(({ id }) => id)]);
  });
});

describe('one agent commits what another has done', () => {
  it('names of each line the agent that wrote it', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await begin(worktree, 'anna');
    user.write('a.txt', text('anna', 3));
    await end(worktree, 'anna');
    await begin(worktree, 'bert');
    user.write('b.txt', text('bert', 3));
    user.git('add', '-A');
    await slowCommit(user, worktree, async () => {});
    await end(worktree, 'bert');
    const agents = async (file: string) => (await blameFile(worktree, user.path(file)))?.map(({ session, agent }) => `${session} ${agent}`);
    expect(await agents('a.txt')).toEqual(Array(3).fill('anna claude'));
    expect(await agents('b.txt')).toEqual(Array(3).fill('bert codex'));
    const found = await attributeCommit(worktree, 'HEAD');
    expect(found).toMatchObject({ agent: 6, human: 0, sessions: ['anna', 'bert'] });
    expect(found?.written.map(({ workOf, workAgent }) => `${workOf} ${workAgent}`)).toEqual(['anna claude', 'bert codex']);
  });
});
