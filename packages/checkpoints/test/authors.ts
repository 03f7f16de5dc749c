import { blameFile } from '../src/attribution/blame.ts';
import { linkCommit } from '../src/links/link.ts';
import { take } from '../src/snapshot/take.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn } from '../src/turns/turn-file.ts';
import type { Worktree } from '../src/worktree.ts';
import type { Scratch } from './scratch.ts';

/** A turn of a session; gives back the id of the checkpoint before it. */
export async function turn(worktree: Worktree, work: () => unknown, session = 's1'): Promise<string> {
  const about = { name: 'Fix it', session, agent: 'someone', turn: `turn of ${session}` };
  const begun = await beginTurn(worktree, about).done;
  work();
  await take(worktree, { ...about, kind: 'stop', by: 'agent' });
  await endTurn(worktree, session);
  if (begun.result === 'failed') throw new Error(begun.error);
  return begun.result === 'made' ? begun.checkpoint.id : begun.id;
}

export async function commit(user: Scratch, worktree: Worktree, message: string): Promise<void> {
  user.commit(message);
  await linkCommit(worktree);
}

/** Each line with the session that wrote it, or `me`. */
export async function whose(worktree: Worktree, user: Scratch, file: string, rev?: string): Promise<string[]> {
  const lines = await blameFile(worktree, user.path(file), rev);
  return (lines ?? []).map(({ text, by, session }) => `${by === 'human' ? 'me' : (session ?? by)}: ${text}`);
}
