import { join } from 'node:path';
import { baseFirst } from '../authors/base.ts';
import type { Owner } from '../authors/owners.ts';
import { takeParts } from '../authors/parts.ts';
import type { TurnAtWork } from '../authors/turns-at-work.ts';
import { oneLine } from '../checkpoint.ts';
import { flushCalls, type LoggedCall, placeCall, readCalls } from '../images/call-log.ts';
import { lookBefore } from '../images/look.ts';
import { adoptKeptCalls } from '../kept/adopt-calls.ts';
import { type KeptCall, NO_ANSWER, noWayBackText } from '../kept/kept-call.ts';
import { keptOf } from '../kept/kept-files.ts';
import { type RawPath, shownPath } from '../raw-path.ts';
import type { Held } from '../snapshot/observe.ts';
import { take } from '../snapshot/take.ts';
import { readLast } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { unseenTurn } from './calls/before-call.ts';
import { endNaming, openCall } from './calls/open-calls.ts';
import type { CheckpointRequest } from './messages.ts';
import { beginLateTurn } from './open-turns.ts';
import { reportParts, reportTaken } from './reports.ts';
import { keyOf } from './session-work.ts';
import { about, endInterrupted } from './turn-end.ts';
import { notedTurns, type OpenTurn, openTurn } from './turn-file.ts';
import type { WorkerContext } from './worker-context.ts';

const WHILE_SILENT = `While ${NO_ANSWER.replace(' in time', '')}`;

type Late<Kind> = CheckpointRequest & { kind: Kind };

export interface LateEvents {
  prompt(request: Late<'late-prompt'>): void;
  call(request: Late<'late-call'>): void;
  /** Takes up what stand-ins have kept of this working tree. */
  adopt(worktree: Worktree, directory: string): Promise<void>;
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
    const begun = [worker.asked.get(session)?.turn, notedTurns(worktree).find((each) => each.session === session)?.turn];
    return (
      begun
        .filter((turn) => turn !== undefined && turn !== null && turn <= stamp)
        .sort()
        .at(-1) ?? null
    );
  };

  const adopt = async (worktree: Worktree, directory: string): Promise<void> => {
    flushCalls(worktree);
    const adopted = await adoptKeptCalls(home, worktree, {
      turnOf: ({ session, stamp }) => turnAt(worktree, session, stamp),
      attribute: (kept, turn, held, done) => attribute(worktree, directory, { kept, turn, held }, done),
      attributeEnd: (kept, turn, held) => attributeEnd(worktree, kept, turn, held),
    });
    for (const { call, told } of adopted) report(worktree, call, told);
  };

  /** Until the call its files are whose they were; what they are now, or were when the next one began, is its doing. */
  const attribute = async (
    worktree: Worktree,
    directory: string,
    { kept, turn, held }: { readonly kept: KeptCall; readonly turn: string; readonly held: ReadonlyMap<RawPath, Held> },
    done: () => void,
  ): Promise<void> => {
    const { session, agent } = kept;
    const touched = kept.files.map(({ path }) => path);
    const where = { child: false };
    const base = await baseFirst(worktree);
    if (base.length > 0) {
      const first = { kind: 'part', by: 'shared', session: null, agent: null, turn: null, name: WHILE_SILENT } as const;
      reportParts(worker, worktree, base, where);
      reportTaken(worker, worktree, await take(worktree, first), where);
    }
    reportParts(worker, worktree, (await lookBefore(worktree, turn, { touched, held })).parts, where);
    done();
    const { stamp } = kept;
    const call = {
      key: kept.key ?? stamp,
      stamp,
      reach: 'named',
      files: [...held.keys()],
      patterns: [],
      mayBeAnothers: () => false,
    } as const;
    const made = (): TurnAtWork => ({ session, agent, turn, startedMs: kept.atMs, calls: [call] });
    const over = worker.waiting.add(directory, { turn: made, goesOnUs: 0n });
    try {
      reportParts(worker, worktree, (await lookBefore(worktree, turn, { touched })).parts, where);
    } finally {
      over();
    }
  };

  /** What it names was as it left it; what anybody does there from now on is not its doing. */
  const attributeEnd = async (
    worktree: Worktree,
    { session, key }: KeptCall,
    turn: string,
    held: ReadonlyMap<RawPath, Held>,
  ): Promise<void> => {
    const touched = [...held.keys()].map((path) => join(worktree.repository.root, shownPath(path)));
    reportParts(worker, worktree, (await lookBefore(worktree, turn, { touched, held })).parts, { child: false });
    if (key !== undefined) await endNaming(worktree, session, key);
  };

  /** What it has changed by now, and what it may still change, is not the person's. Where its turn is over nobody reports its end. */
  const follow = async (worktree: Worktree, { session, agent, stamp, call }: Late<'late-call'>): Promise<void> => {
    // Clocks are set: one that nobody has ended is open, however long ago it seems to have begun.
    const open = notedTurns(worktree).find((each) => each.session === session);
    if (open && open.turn === (await turnAt(worktree, session, stamp))) await openCall(worktree, { session, agent, turn: open.turn }, call);
  };

  /** Until a late prompt: what open calls name is theirs, and whose some of it is has been found out before. Only of the rest nobody can tell. */
  const settleOthers = async (worktree: Worktree, request: Late<'late-prompt'>): Promise<void> => {
    const { directory, session, agent, turn, prompt, atMs } = request;
    const isOfThis = (owner: Owner): boolean => owner.by === 'shared' && owner.session === session && owner.turn === turn;
    const any = { key: turn, reach: 'any', files: [], patterns: [] } as const;
    const mayHave = (): OpenTurn => ({ session, agent, turn, startedMs: atMs, name: oneLine(worker.redact(prompt)), calls: [any] });
    const base = await baseFirst(worktree);
    const over = worker.waiting.add(directory, { turn: mayHave, goesOnUs: 0n });
    try {
      const { parts } = await lookBefore(worktree, turn);
      reportParts(worker, worktree, [...base, ...parts, ...(await takeParts(worktree, (owner) => !isOfThis(owner)))], request);
    } finally {
      over();
    }
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
        work.hasImage = true;
      }
      void worker.enqueue(request.directory, async () => {
        const worktree = await worker.worktreeOf(request);
        if (worktree === null) return;
        const after = (await readLast(worktree.state))?.id ?? null;
        if (!isPast && ((await openTurn(worktree, session))?.turn ?? '') <= turn) {
          await endInterrupted(worker, worktree, request, earlier);
          await settleOthers(worktree, request);
          const name = `${WHILE_SILENT}: ${prompt}`;
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
        await adopt(worktree, request.directory);
      });
    },
    call(request) {
      const { stamp, session, agent, tool, what, atMs, files } = request;
      const { now } = worker.works.of(keyOf(request));
      worker.names.begins(request, request.call.key, request.call);
      for (const file of files) now.touched.add(file);
      if (files.length === 0) now.unknown = true;
      // Whoever looks before its turn in the queue has to know that it is at work, unless its files are as they were before it.
      const isKept = keptOf(home, stamp).some(({ kept }) => kept.noWayBack === undefined);
      const made = unseenTurn(worker, request, now, stamp);
      const dealtWith = worker.waiting.add(request.directory, { ...(!isKept && { turn: made }), goesOnUs: 0n });
      const handled = worker.enqueue(request.directory, async () => {
        const worktree = await worker.worktreeOf(request);
        if (worktree === null) return;
        await adopt(worktree, request.directory);
        if (!isKept) reportParts(worker, worktree, (await lookBefore(worktree, now.turn ?? stamp)).parts, request);
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
      void handled.finally(dealtWith);
    },
  };
}
