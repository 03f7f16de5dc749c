import { beginTurn, endTurn, type Place, take } from '../src/index.ts';

export const ABOUT = { name: 'Fix it', session: 's1', agent: 'someone', turn: 't1' } as const;

/** A turn of an agent; gives back the id of the checkpoint before it. */
export async function agentTurn(place: Place, work: () => unknown): Promise<string> {
  const begun = await beginTurn(place, ABOUT).done;
  work();
  await take(place, { ...ABOUT, kind: 'stop', by: 'agent' });
  await endTurn(place, ABOUT.session);
  if (begun.result === 'failed') throw new Error(begun.error);
  return begun.result === 'made' ? begun.checkpoint.id : begun.id;
}
