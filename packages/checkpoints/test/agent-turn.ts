import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';

export const ABOUT = { name: 'Fix it', session: 's1', agent: 'someone', turn: 't1' } as const;

/** A turn of an agent; gives back the id of the checkpoint before it. */
export async function agentTurn(worktree: Worktree, work: () => unknown, more: { readonly name?: string } = {}): Promise<string> {
  const about = { ...ABOUT, ...more };
  const begun = await beginTurn(worktree, about).done;
  work();
  await take(worktree, { ...about, kind: 'stop', by: 'agent' });
  await endTurn(worktree, ABOUT.session);
  if (begun.result === 'failed') throw new Error(begun.error);
  return begun.result === 'made' ? begun.checkpoint.id : begun.id;
}
