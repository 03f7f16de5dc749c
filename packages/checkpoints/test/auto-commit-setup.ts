import { autoCommit } from '../src/auto-commit/auto-commit.ts';
import type { Checkpoint } from '../src/checkpoint.ts';
import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import type { Worktree } from '../src/worktree.ts';

export const PITON = { name: 'Piton', email: 'piton@localhost' };
export const about = (turn: string, session = 's1') => ({ name: 'Fix it', session, agent: 'someone', turn });

/** A turn of an agent, up to its last checkpoint; the prompt has come and gone. */
export async function work(worktree: Worktree, act: () => unknown, turn = 't1', session = 's1'): Promise<Checkpoint> {
  await beginTurn(worktree, about(turn, session)).done;
  act();
  const taken = await take(worktree, { ...about(turn, session), kind: 'stop', by: 'agent' });
  if (taken.result !== 'made') throw new Error(taken.result);
  return taken.checkpoint;
}

export const commitOf = (worktree: Worktree, end: Checkpoint) =>
  autoCommit(worktree, { end, subject: 'Fix the login\nand more', identity: PITON, trailer: 'agent-work' });
