import { takeParts } from '../authors/parts.ts';
import { settleUntilNow } from '../authors/until-now.ts';
import { commitTurn } from '../auto-commit/turn-commit.ts';
import { lookBefore } from '../images/look.ts';
import type { Taken } from '../snapshot/take.ts';
import type { Worktree } from '../worktree.ts';
import { takeAtBoundary } from './boundary-checkpoint.ts';
import type { TreeSession } from './messages.ts';
import { linkHead, reportParts, reportTaken } from './reports.ts';
import type { TurnWork } from './session-work.ts';
import { endTurn, notedTurns } from './turn-file.ts';
import type { WorkerContext } from './worker-context.ts';

export const about = (where: TreeSession, { turn, prompt }: TurnWork, name: string) => ({
  ...{ session: where.session, agent: where.agent, turn },
  name: name || prompt || 'Work without a prompt',
});

/** What this turn has changed so far, as far as that is known without asking git. */
const touchedBy = ({ touched, unknown }: TurnWork): { touched?: readonly string[] } => (unknown ? {} : { touched: [...touched] });

/** A checkpoint of what a session did until now; what others did meanwhile has its own. */
export async function takeUntilNow(
  worker: WorkerContext,
  worktree: Worktree,
  where: TreeSession,
  turn: TurnWork,
  { kind, name }: { readonly kind: 'stop' | 'todo'; readonly name: string },
): Promise<Taken> {
  const request = { ...about(where, turn, name), kind } as const;
  const { parts, by, looked } = await settleUntilNow(worktree, where.session, touchedBy(turn));
  reportParts(worker, worktree, parts, where);
  const taken = await takeAtBoundary(worktree, { ...request, by, ...(looked && { looked }) });
  reportTaken(worker, worktree, taken, where);
  return taken;
}

/**
 * No event marks the end of a turn that a person interrupted: the session is just asked again, or its agent is gone. What the person
 * did since then is in the checkpoint of the next prompt.
 */
export async function endInterrupted(worker: WorkerContext, worktree: Worktree, where: TreeSession, work: TurnWork): Promise<void> {
  const open = notedTurns(worktree).find(({ session }) => session === where.session);
  // Also where its before-image is missing: its calls were followed. One that nobody follows has none until then.
  if (open === undefined || (open.laid === false && open.calls === undefined)) return;
  const { parts } = await lookBefore(worktree, open.turn ?? where.session, work.turn === open.turn ? touchedBy(work) : {});
  const ends = await takeParts(worktree, ({ session }) => session === where.session, 'stop');
  reportParts(worker, worktree, [...parts, ...ends], where);
}

/** At a stop, and at the end of a session whose turn had none. */
export async function endOpen(
  worker: WorkerContext,
  worktree: Worktree,
  where: TreeSession & { readonly kind: 'stop' | 'session-over' },
  turn: TurnWork,
): Promise<void> {
  try {
    const taken = await takeUntilNow(worker, worktree, where, turn, { kind: 'stop', name: '' });
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
