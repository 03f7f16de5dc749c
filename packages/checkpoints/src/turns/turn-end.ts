import { commitTurn } from '../auto-commit/turn-commit.ts';
import type { Taken } from '../snapshot/take.ts';
import type { Worktree } from '../worktree.ts';
import { takeAtBoundary } from './boundary-checkpoint.ts';
import type { TreeSession } from './messages.ts';
import { endTurn, openTurn, openTurns } from './open-turns.ts';
import { linkHead, reportTaken } from './reports.ts';
import type { TurnWork } from './session-work.ts';
import type { WorkerContext } from './worker-context.ts';

export const about = (where: TreeSession, { turn, prompt }: TurnWork, name: string) => ({
  ...{ session: where.session, agent: where.agent, turn },
  name: name || prompt || 'Work without a prompt',
});

/** What this turn has changed so far, as far as that is known without asking git. */
export const touchedBy = ({ touched, unknown }: TurnWork): { touched?: readonly string[] } => (unknown ? {} : { touched: [...touched] });

/** Where two sessions are at work in one working tree, nobody can tell whose a change is. */
export const authorOf = async (worktree: Worktree, { session }: TreeSession): Promise<'agent' | 'shared'> =>
  (await openTurns(worktree)).some((turn) => turn.session !== session) ? 'shared' : 'agent';

/**
 * No event marks the end of a turn that a person interrupted: the session is just asked again. The files that its tools named
 * are its work. What else has changed is the person's, or, where a command ran, somebody's.
 */
export async function endInterrupted(worker: WorkerContext, worktree: Worktree, where: TreeSession, turn: TurnWork): Promise<void> {
  const open = await openTurn(worktree, where.session);
  if (open === undefined || open.laid === false) return;
  const end = { ...about(where, turn, ''), turn: open.turn, kind: 'stop' } as const;
  const touched = turn.turn === open.turn ? [...turn.touched] : [];
  if (touched.length > 0)
    reportTaken(worker, worktree, await takeAtBoundary(worktree, { ...end, by: await authorOf(worktree, where), touched }), where);
  if (turn.unknown || turn.turn !== open.turn)
    reportTaken(worker, worktree, await takeAtBoundary(worktree, { ...end, by: 'shared' }), where);
}

/** At a stop, and at the end of a session whose turn had none. */
export async function endOpen(
  worker: WorkerContext,
  worktree: Worktree,
  where: TreeSession & { readonly kind: 'stop' | 'session-over' },
  turn: TurnWork,
): Promise<void> {
  const by = await authorOf(worktree, where);
  const taken = await takeAtBoundary(worktree, { ...about(where, turn, ''), kind: 'stop', by, ...touchedBy(turn) });
  reportTaken(worker, worktree, taken, where);
  try {
    if (where.kind === 'stop') await commitAtStop(worker, worktree, where, turn, taken);
  } finally {
    await endTurn(worktree, where.session);
  }
}

/** Git's hooks do not run for a commit of ours: it is linked here. */
async function commitAtStop(worker: WorkerContext, worktree: Worktree, where: TreeSession, work: TurnWork, taken: Taken): Promise<void> {
  const { session, child } = where;
  const { turn, prompt, seen } = work;
  const { commit, notes } = await commitTurn(worktree, await worker.settingsOf(worktree), { session, turn, prompt, seen }, taken);
  if (commit !== null) await linkHead(worker, worktree, { id: null, child });
  for (const note of notes) worker.post({ kind: 'problem', ...note, note: true });
}
