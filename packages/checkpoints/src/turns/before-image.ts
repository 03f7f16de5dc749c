import type { Worktree } from '../worktree.ts';
import type { CheckpointRequest, TreeSession } from './messages.ts';
import { beginTurn, openTurn } from './open-turns.ts';
import { recoverHead, reportTaken } from './reports.ts';
import { keyOf, type SessionWork, type TurnWork } from './session-work.ts';
import { about, endInterrupted } from './turn-end.ts';
import type { WorkerContext } from './worker-context.ts';

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
      return open !== undefined && open.laid !== false;
    });
  return work;
}

function saveImage(
  worker: WorkerContext,
  where: TreeSession,
  work: SessionWork,
  isDone: (worktree: Worktree, now: TurnWork) => Promise<boolean>,
): void {
  const { now } = work;
  work.hasImage = true;
  // Known at once: a tool may come before the checkpoint has even begun.
  let begun: (hold?: (file: string) => Promise<void>) => void = () => {};
  work.hold = new Promise((resolve) => {
    begun = resolve;
  });
  work.imageSaved = worker.enqueue(where.directory, async () => {
    try {
      const worktree = await worker.worktreeOf(where.directory);
      if (worktree === null) return;
      await recoverHead(worker, worktree);
      if (await isDone(worktree, now)) return;
      const image = beginTurn(worktree, about(where, now, `Before: ${now.prompt || 'work without a prompt'}`));
      begun(image.hold);
      reportTaken(worker, worktree, await image.done, where);
    } finally {
      begun();
    }
  });
}

/** Answers once the file is read, or the before-image is saved. */
export async function awaitImage(worker: WorkerContext, request: CheckpointRequest & { kind: 'hold' | 'await' }): Promise<void> {
  const work = ensureImage(worker, request);
  const { now } = work;
  try {
    const hold = request.kind === 'hold' ? await work.hold : undefined;
    if (request.kind === 'hold' && hold !== undefined) {
      for (const file of request.files) await hold(file);
      for (const file of request.files) now.touched.add(file);
    } else {
      now.unknown = true;
      await work.imageSaved;
    }
  } finally {
    worker.post({ kind: 'done', id: request.id });
  }
}
