import { oneLine } from '../../checkpoint.ts';
import { failureReason } from '../../failure-reason.ts';
import { logCall } from '../../images/call-log.ts';
import { readLast } from '../../snapshot/working-state.ts';
import type { Worktree } from '../../worktree.ts';
import type { AgentProcess } from '../agent-process.ts';
import type { CheckpointRequest, TreeSession } from '../messages.ts';
import { beginTurn } from '../open-turns.ts';
import { recoverHead, reportParts, reportTaken } from '../reports.ts';
import { keyOf, type SessionWork, type TurnWork } from '../session-work.ts';
import { about, endInterrupted } from '../turn-end.ts';
import { openTurn, updateTurn } from '../turn-file.ts';
import type { WorkerContext } from '../worker-context.ts';

/** Of a call or turn that did not wait any longer. */
export const TOO_LATE = 'it started before the state before it was saved';

/** At a prompt: what the person has done since becomes a checkpoint, while the model thinks. */
export function beginAtPrompt(worker: WorkerContext, request: CheckpointRequest & { kind: 'prompt' }): void {
  const { turn, prompt } = request;
  const earlier = worker.works.of(keyOf(request)).now;
  worker.agents.set(request.session, request.agent);
  worker.asked.set(request.session, { turn, prompt });
  saveImage(worker, request, worker.works.begins(keyOf(request), { turn, prompt }), async (worktree) => {
    await endInterrupted(worker, worktree, request, earlier);
    return false;
  });
}

/** A tool comes before any prompt was seen, or the server that saw it died before the before-image was saved. */
export function ensureImage(worker: WorkerContext, request: TreeSession & { readonly stamp: string }): SessionWork {
  const work = worker.works.of(keyOf(request));
  if (!work.hasImage)
    saveImage(worker, request, work, async (worktree, now) => {
      const open = await openTurn(worktree, request.session);
      now.turn ??= open?.turn ?? request.stamp;
      // One of which it is known that it has none keeps having none: its calls may have run since.
      return open !== undefined && (open.laid !== false || open.noWayBack !== undefined);
    });
  return work;
}

/** Rewinding the turn must not silently go to the state before another. */
async function noteNoWayBack(worktree: Worktree, { session, agent }: TreeSession, { turn, prompt }: TurnWork, why: string): Promise<void> {
  const after = (await readLast(worktree.state))?.id ?? null;
  const what = oneLine(worktree.redact(prompt || 'work without a prompt'));
  const wayBack = { kind: 'none', why: failureReason(why) } as const;
  const id = turn ?? '';
  await updateTurn(worktree, session, () => ({ laid: false, noWayBack: wayBack.why }));
  logCall(worktree, { id, turn: id, session, agent, tool: 'turn', what, atMs: worktree.now(), after, wayBack, wholeTurn: true });
}

function saveImage(
  worker: WorkerContext,
  where: TreeSession & { readonly process?: AgentProcess | undefined },
  work: SessionWork,
  isDone: (worktree: Worktree, now: TurnWork) => Promise<boolean>,
): void {
  const { now } = work;
  work.hasImage = true;
  void worker.enqueue(where.directory, async () => {
    const worktree = await worker.worktreeOf(where);
    if (worktree === null) return;
    await recoverHead(worker, worktree);
    if (await isDone(worktree, now)) return;
    const { prompt } = now;
    const image = beginTurn(worktree, about(where, now, `Before: ${prompt || 'work without a prompt'}`), {
      ...{ followed: true, process: where.process, prompt },
    });
    const taken = await image.done;
    if (worktree.isGone?.()) return;
    reportParts(worker, worktree, image.parts, where);
    const why = taken.result === 'failed' ? taken.error : isTooLate(worktree, where, now) ? TOO_LATE : null;
    if (why !== null) await noteNoWayBack(worktree, where, now, why);
    reportTaken(worker, worktree, taken, where);
  });
}

/** A call of this very turn went on before the state before it was saved: what was saved may have what it did. */
const isTooLate = ({ waiting }: Worktree, { session }: TreeSession, { turn }: TurnWork): boolean =>
  waiting?.atWork().some((one) => one.session === session && one.turn === turn) ?? false;
