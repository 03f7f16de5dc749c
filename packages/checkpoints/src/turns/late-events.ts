import { oneLine } from '../checkpoint.ts';
import { flushCalls, type LoggedCall, placeCall, readCalls } from '../images/call-log.ts';
import { adoptKeptCalls } from '../kept/adopt-calls.ts';
import { NO_ANSWER, noWayBackText } from '../kept/kept-call.ts';
import { readLast } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import type { CheckpointRequest } from './messages.ts';
import { openCall } from './open-calls.ts';
import { beginLateTurn } from './open-turns.ts';
import { reportTaken } from './reports.ts';
import { keyOf } from './session-work.ts';
import { about, endInterrupted } from './turn-end.ts';
import { openTurn } from './turn-file.ts';
import type { WorkerContext } from './worker-context.ts';

type Late<Kind> = CheckpointRequest & { kind: Kind };

export interface LateEvents {
  prompt(request: Late<'late-prompt'>): void;
  call(request: Late<'late-call'>): void;
  /** Takes up what stand-ins have kept of this working tree. */
  adopt(worktree: Worktree): Promise<void>;
}

/** Prompts and calls that a server learned of only afterwards. Whatever it reads now is no state before them. */
export function createLateEvents(worker: WorkerContext, home: string): LateEvents {
  const report = (worktree: Worktree, { session, tool, wayBack, wholeTurn }: LoggedCall, told: boolean): void => {
    if (wayBack.kind !== 'none') return;
    const what = `no way back before ${wholeTurn ? 'a turn' : `a call (${tool})`} in ${worktree.repository.root}: ${wayBack.why}`;
    worker.post({ kind: 'problem', what, remedy: 'what it changed cannot be undone with piton rewind. See piton rewind --calls' });
    if (!told) worker.post({ kind: 'no-way-back', session, text: noWayBackText(wholeTurn ? null : tool, wayBack.why) });
  };

  /** The turn that a session's call belonged to: the latest that had begun by then. */
  const turnAt = async (worktree: Worktree, session: string, stamp: string): Promise<string | null> => {
    const begun = [worker.asked.get(session)?.turn, (await openTurn(worktree, session))?.turn];
    return (
      begun
        .filter((turn) => turn !== undefined && turn !== null && turn <= stamp)
        .sort()
        .at(-1) ?? null
    );
  };

  const adopt = async (worktree: Worktree): Promise<void> => {
    flushCalls(worktree);
    const adopted = await adoptKeptCalls(home, worktree, ({ session, stamp }) => turnAt(worktree, session, stamp));
    for (const { call, told } of adopted) report(worktree, call, told);
  };

  /** What it has changed by now, and what it may still change, is not the person's. Where its turn is over nobody reports its end. */
  const follow = async (worktree: Worktree, { session, agent, stamp, call }: Late<'late-call'>): Promise<void> => {
    const open = await openTurn(worktree, session);
    if (open && open.turn === (await turnAt(worktree, session, stamp))) await openCall(worktree, { session, agent, turn: open.turn }, call);
  };

  return {
    adopt,
    prompt(request) {
      const { turn, prompt, session, agent, atMs } = request;
      const key = keyOf(request);
      const isPast = (worker.asked.get(session)?.turn ?? '') > turn;
      const earlier = worker.works.of(key).now;
      if (!isPast) {
        worker.agents.set(session, agent);
        worker.asked.set(session, { turn, prompt });
        const work = worker.works.begins(key, { turn, prompt });
        work.now.unknown = true;
        // There is none, and none will be made: it would be taken for the state before this turn.
        [work.hasImage, work.imageSaved, work.hold] = [true, Promise.resolve(), Promise.resolve(undefined)];
      }
      void worker.enqueue(request.directory, async () => {
        const worktree = await worker.worktreeOf(request.directory);
        if (worktree === null) return;
        const after = (await readLast(worktree.state))?.id ?? null;
        if (!isPast && ((await openTurn(worktree, session))?.turn ?? '') <= turn) {
          await endInterrupted(worker, worktree, request, earlier);
          const name = `While ${NO_ANSWER.replace(' in time', '')}: ${prompt}`;
          const begun = { ...about(request, { ...earlier, turn, prompt }, name) };
          reportTaken(worker, worktree, await beginLateTurn(worktree, begun, { noWayBack: NO_ANSWER, prompt }), request);
        }
        const what = oneLine(worktree.redact(prompt));
        const wayBack = { kind: 'none', why: NO_ANSWER } as const;
        const call: LoggedCall = { id: turn, turn, session, agent, tool: 'turn', what, atMs, after, wayBack, wholeTurn: true, late: true };
        placeCall(worktree, call);
        report(worktree, call, false);
        // Some were taken up before anybody knew of this prompt.
        for (const each of readCalls(worktree))
          if (each.late && each.session === session && each.id > turn && (each.turn < turn || each.turn === each.id))
            placeCall(worktree, { ...each, turn });
        await adopt(worktree);
      });
    },
    call(request) {
      const { stamp, session, agent, tool, what, atMs, files } = request;
      const { now } = worker.works.of(keyOf(request));
      for (const file of files) now.touched.add(file);
      if (files.length === 0) now.unknown = true;
      void worker.enqueue(request.directory, async () => {
        const worktree = await worker.worktreeOf(request.directory);
        if (worktree === null) return;
        await adopt(worktree);
        await follow(worktree, request);
        if (readCalls(worktree).some(({ id, wholeTurn }) => id === stamp && !wholeTurn)) return;
        const turn = (await turnAt(worktree, session, stamp)) ?? stamp;
        const wayBack = { kind: 'none', why: NO_ANSWER } as const;
        const after = (await readLast(worktree.state))?.id ?? null;
        const call: LoggedCall = {
          id: stamp,
          session,
          agent,
          turn,
          tool,
          what: oneLine(worktree.redact(what)),
          atMs,
          after,
          wayBack,
          late: true,
        };
        placeCall(worktree, call);
        report(worktree, call, false);
      });
    },
  };
}
