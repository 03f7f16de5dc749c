import { realpathSync } from 'node:fs';
import { monotonicUs, ulidTime } from '@piton/contracts';
import { oneLine } from '../../checkpoint.ts';
import { failureReason } from '../../failure-reason.ts';
import { type LoggedCall, logCall, type WayBack } from '../../images/call-log.ts';
import { readAllHeld, saveHeld } from '../../images/held-image.ts';
import { lookBefore } from '../../images/look.ts';
import { copyHeld } from '../../kept/held-copy.ts';
import { noWayBackText } from '../../kept/kept-call.ts';
import type { RawPath } from '../../raw-path.ts';
import type { Held } from '../../snapshot/observe.ts';
import type { WaitingEvent } from '../../waiting/waiting-events.ts';
import type { Worktree } from '../../worktree.ts';
import type { CallMade, CheckpointRequest, TreeSession } from '../messages.ts';
import { reportParts } from '../reports.ts';
import { Sessions, type TurnWork } from '../session-work.ts';
import type { OpenTurn } from '../turn-file.ts';
import type { WorkerContext } from '../worker-context.ts';
import { ensureImage, TOO_LATE } from './before-image.ts';
import { openCall } from './open-calls.ts';

type Call = CheckpointRequest & { kind: 'hold' | 'await' };

interface Saved {
  readonly wayBack: WayBack;
  readonly after: string | null;
}

const none = (why: string): Saved => ({ wayBack: { kind: 'none', why }, after: null });

export interface CallImages {
  /** Answers once what the call could change is saved, or is known not to be. */
  saveBefore(request: Call): Promise<void>;
  /** It went on. */
  giveUp(id: number): void;
  /** Once the calls that are waited for in this working tree, or in any, have what they wait for. */
  settled(directory?: string): Promise<void>;
}

/**
 * A call that went on before anybody looked, as looks have to know it. Also of what it names nobody can tell: somebody else may have
 * changed that just before.
 */
export const unseenTurn =
  (worker: WorkerContext, { session, agent, call }: TreeSession & { readonly call: CallMade }, now: TurnWork, stamp: string) =>
  (): OpenTurn => ({
    ...{ session, agent, turn: now.turn ?? stamp, startedMs: Date.now(), name: oneLine(worker.redact(now.prompt)) },
    calls: [{ key: call.key, reach: 'any', files: [], patterns: [] }],
  });

/** The state before each call that may change files: of an edit the file that it names, of any other the working tree. */
export function createCallImages(worker: WorkerContext): CallImages {
  /** One look serves all calls that waited when it began, whichever session they are of. */
  const looks = new Sessions<{ readonly beganUs: bigint; readonly saved: Saved }>();
  /** Calls that are waited for. */
  const open = new Map<number, WaitingEvent>();

  const look = async (worktree: Worktree, request: Call, now: TurnWork, askedUs: bigint): Promise<Saved> => {
    const { directory, stamp } = request;
    const known = looks.get(directory);
    if (known !== undefined && known.beganUs > askedUs) return known.saved;
    const beganUs = monotonicUs();
    const saved = await lookBefore(worktree, now.turn ?? stamp).then((looked) => {
      reportParts(worker, worktree, looked.parts, request);
      return looked;
    }, failed);
    looks.set(directory, { beganUs, saved });
    return saved;
  };

  const log = (worktree: Worktree, request: Call, now: TurnWork, { wayBack, after }: Saved): WayBack => {
    logCall(worktree, { ...described(worktree, request), turn: now.turn ?? request.stamp, after, wayBack });
    if (wayBack.kind === 'none') worker.post({ kind: 'problem', ...problemOf(request, wayBack.why) });
    return wayBack;
  };

  /** From now on what changes may be its doing. If that cannot be noted, its way back is there all the same. */
  const follow = (
    worktree: Worktree,
    { session, agent, tool, call }: Call,
    turn: string,
    held?: ReadonlyMap<RawPath, Held>,
  ): Promise<void> =>
    openCall(worktree, { session, agent, turn }, call, held).catch((error: unknown) =>
      worker.post({
        kind: 'problem',
        what: `could not follow a call (${tool}) in ${worktree.repository.root}: ${failureReason(error)}`,
        remedy: 'what it changed may count as yours: compare with piton blame',
      }),
    );

  /** Its files are read at once, whatever waits in line; what was read is written while the tool works. */
  const edit = async (request: Call & { kind: 'hold' }, now: TurnWork): Promise<string | undefined> => {
    for (const file of request.files) now.touched.add(file);
    const held = await readAllHeld(request.directory, request.files);
    const isInTime = monotonicUs() < request.untilUs;
    const event: WaitingEvent = isInTime
      ? { files: held, readMs: ulidTime(request.stamp) }
      : { turn: unseenTurn(worker, request, now, request.stamp), goesOnUs: 0n };
    const dealtWith = worker.waiting.add(request.directory, event);
    // Until git has it, which may take long.
    const isSaved = isInTime && worker.isBusy(request.directory) ? copyHeld(worker.home, keptCallOf(request), held) : () => {};
    void worker
      .enqueue(request.directory, async () => {
        const worktree = await worker.worktreeOf(request);
        if (worktree === null) return;
        const turn = now.turn ?? request.stamp;
        const saved = await lookBefore(worktree, turn, { touched: request.files, ...(isInTime && { held }) })
          .then(({ parts }) => reportParts(worker, worktree, parts, request))
          .then(() => (isInTime ? saveHeld(worktree, turn, held) : none(TOO_LATE)))
          .catch(failed);
        if (worktree.isGone?.()) return;
        const wayBack = log(worktree, request, now, saved);
        // The call has its answer by now: the next one says it.
        if (wayBack.kind === 'none')
          worker.post({ kind: 'no-way-back', session: request.session, text: noWayBackText(request.tool, wayBack.why) });
        await follow(worktree, request, turn, held);
      })
      .finally(() => {
        dealtWith();
        isSaved();
      });
    return undefined;
  };

  const any = async (request: Call, now: TurnWork): Promise<string | undefined> => {
    now.unknown = true;
    const askedUs = monotonicUs();
    const event: WaitingEvent = { turn: unseenTurn(worker, request, now, request.stamp), goesOnUs: request.untilUs };
    const dealtWith = worker.waiting.add(request.directory, event);
    open.set(request.id, event);
    let noWayBack: string | undefined;
    await worker
      .enqueue(request.directory, async () => {
        const worktree = await worker.worktreeOf(request).catch((error: unknown) => {
          noWayBack = failureReason(error);
          throw error;
        });
        if (worktree === null) return;
        const looked = await look(worktree, request, now, askedUs);
        if (worktree.isGone?.()) return;
        const wayBack = log(worktree, request, now, monotonicUs() < request.untilUs ? looked : none(TOO_LATE));
        await follow(worktree, request, now.turn ?? request.stamp);
        if (wayBack.kind === 'none') noWayBack = wayBack.why;
      })
      .finally(dealtWith);
    return noWayBack;
  };

  const saveBefore = async (request: Call): Promise<void> => {
    const { now } = ensureImage(worker, request);
    worker.names.begins(request, request.call.key, request.call);
    let noWayBack: string | undefined;
    try {
      noWayBack = await (request.kind === 'hold' ? edit(request, now) : any(request, now));
    } catch (error) {
      noWayBack = failureReason(error);
    } finally {
      open.delete(request.id);
      worker.post({ kind: 'done', id: request.id, ...(noWayBack !== undefined && { noWayBack }) });
    }
  };
  const running = new Map<Promise<void>, string>();

  return {
    saveBefore(request) {
      const saved = saveBefore(request).finally(() => running.delete(saved));
      running.set(saved, request.directory);
      return saved;
    },
    giveUp(id) {
      const event = open.get(id);
      if (event !== undefined) worker.waiting.goesOn(event);
    },
    async settled(directory) {
      await Promise.all([...running].flatMap(([saved, where]) => (directory === undefined || where === directory ? [saved] : [])));
    },
  };
}

const keptCallOf = ({ stamp, session, agent, tool, what, directory, call: { key } }: Call) => ({
  ...{ stamp, session, agent, tool, what, key, root: realpathSync(directory), atMs: Date.now() },
});

const failed = (error: unknown): Saved => none(failureReason(error));

const described = (worktree: Worktree, { stamp, session, agent, tool, what }: Call): Omit<LoggedCall, 'turn' | 'after' | 'wayBack'> => ({
  ...{ id: stamp, session, agent, tool, what: oneLine(worktree.redact(what)) },
  atMs: worktree.now(),
});

const problemOf = ({ directory, tool }: Call, why: string) => ({
  what: `no way back before a call (${tool}) in ${directory}: ${why}`,
  remedy: 'what that call changed cannot be undone with piton rewind. See piton rewind --calls',
});
