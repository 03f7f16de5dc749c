import { beginTurn, blameFile, endTurn, linkCommit, type Place, take } from '../src/index.ts';
import type { Scratch } from './scratch.ts';

/** A turn of a session; gives back the id of the checkpoint before it. */
export async function turn(place: Place, work: () => unknown, session = 's1'): Promise<string> {
  const about = { name: 'Fix it', session, agent: 'someone', turn: `turn of ${session}` };
  const begun = await beginTurn(place, about).done;
  work();
  await take(place, { ...about, kind: 'stop', by: 'agent' });
  await endTurn(place, session);
  if (begun.result === 'failed') throw new Error(begun.error);
  return begun.result === 'made' ? begun.checkpoint.id : begun.id;
}

export async function commit(user: Scratch, place: Place, message: string): Promise<void> {
  user.commit(message);
  await linkCommit(place);
}

/** Each line with the session that wrote it, or `me`. */
export async function whose(place: Place, user: Scratch, file: string, rev?: string): Promise<string[]> {
  const lines = await blameFile(place, user.path(file), rev);
  return (lines ?? []).map(({ text, by, session }) => `${by === 'human' ? 'me' : (session ?? by)}: ${text}`);
}
