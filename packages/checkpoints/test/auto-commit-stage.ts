import { autoCommit, beginTurn, type Checkpoint, type Place, take } from '../src/index.ts';

export const PITON = { name: 'Piton', email: 'piton@localhost' };
export const about = (turn: string, session = 's1') => ({ name: 'Fix it', session, agent: 'someone', turn });

/** A turn of an agent, up to its last checkpoint; the prompt has come and gone. */
export async function work(place: Place, act: () => unknown, turn = 't1', session = 's1'): Promise<Checkpoint> {
  await beginTurn(place, about(turn, session)).done;
  act();
  const taken = await take(place, { ...about(turn, session), kind: 'stop', by: 'agent' });
  if (taken.result !== 'made') throw new Error(taken.result);
  return taken.checkpoint;
}

export const commitOf = (place: Place, end: Checkpoint) =>
  autoCommit(place, { end, subject: 'Fix the login\nand more', identity: PITON, trailer: 'agent-work' });
