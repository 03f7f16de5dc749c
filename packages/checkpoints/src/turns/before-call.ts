import { oneLine } from '../checkpoint.ts';
import { failureReason } from '../failure-reason.ts';
import { type LoggedCall, logCall, type WayBack } from '../images/call-log.ts';
import { readHeld, saveHeld } from '../images/held-image.ts';
import { lookBefore } from '../images/look.ts';
import { noWayBackText } from '../kept/kept-call.ts';
import type { RawPath } from '../raw-path.ts';
import type { Held } from '../snapshot/observe.ts';
import type { Worktree } from '../worktree.ts';
import { ensureImage } from './before-image.ts';
import type { CheckpointRequest } from './messages.ts';
import { openCall } from './open-calls.ts';
import { reportParts } from './reports.ts';
import { keyOf, type SessionWork, type TurnWork } from './session-work.ts';
import type { WorkerContext } from './worker-context.ts';

type Call = CheckpointRequest & { kind: 'hold' | 'await' };

interface Saved {
  readonly wayBack: WayBack;
  readonly after: string | null;
}

const none = (why: string): Saved => ({ wayBack: { kind: 'none', why }, after: null });
const LATE = 'it started before the state before it was saved';

export interface CallImages {
  /** Answers once what the call could change is saved, or is known not to be. */
  saveBefore(request: Call): Promise<void>;
  /** It went on. */
  giveUp(id: number): Promise<void>;
  /** Once the calls that are waited for in this working tree, or in any, have what they wait for. */
  settled(directory?: string): Promise<void>;
}

/** The state before each call that may change files: of an edit the file that it names, of any other the working tree. */
export function createCallImages(worker: WorkerContext): CallImages {
  /** One look serves all calls that wait for it to begin, whichever session they are of. */
  const waiting = new Map<string, Promise<Saved>>();
  /** Calls that are waited for, and those that went on. */
  const open = new Map<number, Call>();
  const gone = new Set<number>();

  const look = (request: Call, now: TurnWork): Promise<Saved> => {
    const { directory, stamp } = request;
    const asked = waiting.get(directory);
    if (asked !== undefined) return asked;
    let found: Saved = none('the repository is gone');
    const saved = worker
      .enqueue(directory, async () => {
        waiting.delete(directory);
        const worktree = await worker.worktreeOf(directory);
        if (worktree === null) return;
        found = await lookBefore(worktree, now.turn ?? stamp).then((looked) => {
          reportParts(worker, worktree, looked.parts, request);
          return looked;
        }, failed);
      })
      .then(() => found);
    waiting.set(directory, saved);
    return saved;
  };

  const log = (worktree: Worktree, request: Call, now: TurnWork, saved: Saved): WayBack => {
    const { wayBack, after } = gone.has(request.id) ? none(LATE) : saved;
    logCall(worktree, { ...described(worktree, request), turn: now.turn ?? request.stamp, after, wayBack });
    if (wayBack.kind === 'none') worker.post({ kind: 'problem', ...problemOf(request, wayBack.why) });
    return wayBack;
  };

  /** From now on what changes may be its doing. If that cannot be noted, its way back is there all the same. */
  const follow = (worktree: Worktree, { session, agent, tool, call }: Call, turn: string): Promise<void> =>
    openCall(worktree, { session, agent, turn }, call).catch((error: unknown) =>
      worker.post({
        kind: 'problem',
        what: `could not follow a call (${tool}) in ${worktree.repository.root}: ${failureReason(error)}`,
        remedy: 'what it changed may count as yours: compare with piton blame',
      }),
    );

  const edit = async (request: Call & { kind: 'hold' }, work: SessionWork): Promise<string | undefined> => {
    const { now } = work;
    const hold = await work.hold;
    const worktree = await worker.worktreeOf(request.directory);
    if (worktree === null) return undefined;
    const held = new Map<RawPath, Held>();
    for (const file of request.files) {
      const read = await (hold ?? ((each) => readHeld(worktree, each)))(file);
      if (read !== null) held.set(...read);
    }
    for (const file of request.files) now.touched.add(file);
    // What was read is written while the tool works: it needs nothing but that.
    void worker.enqueue(request.directory, async () => {
      const turn = now.turn ?? request.stamp;
      const saved = await lookBefore(worktree, turn, { touched: request.files, held })
        .then(({ parts }) => reportParts(worker, worktree, parts, request))
        .then(() => saveHeld(worktree, turn, held))
        .catch(failed);
      const wayBack = log(worktree, request, now, saved);
      // The call has its answer by now: the next one says it.
      if (wayBack.kind === 'none')
        worker.post({ kind: 'no-way-back', session: request.session, text: noWayBackText(request.tool, wayBack.why) });
      await follow(worktree, request, turn);
    });
    return undefined;
  };

  const any = async (request: Call, work: SessionWork): Promise<string | undefined> => {
    const { now } = work;
    now.unknown = true;
    await work.imageSaved;
    const saved = await look(request, now);
    const worktree = await worker.worktreeOf(request.directory);
    if (worktree === null) return undefined;
    const wayBack = log(worktree, request, now, saved);
    await follow(worktree, request, now.turn ?? request.stamp);
    return wayBack.kind === 'none' ? wayBack.why : undefined;
  };

  const saveBefore = async (request: Call): Promise<void> => {
    open.set(request.id, request);
    const work = ensureImage(worker, request);
    let noWayBack: string | undefined;
    try {
      noWayBack = await (request.kind === 'hold' ? edit(request, work) : any(request, work));
    } catch (error) {
      noWayBack = failureReason(error);
    } finally {
      open.delete(request.id);
      gone.delete(request.id);
      worker.post({ kind: 'done', id: request.id, ...(noWayBack !== undefined && { noWayBack }) });
    }
  };
  /** They come to their turn in the queue only after the checkpoint of the prompt. */
  const running = new Map<Promise<void>, string>();

  return {
    saveBefore(request) {
      const saved = saveBefore(request).finally(() => running.delete(saved));
      running.set(saved, request.directory);
      return saved;
    },
    async giveUp(id) {
      const request = open.get(id);
      if (request === undefined) return;
      gone.add(id);
      // From now on it may change something, whatever is still looked at.
      const worktree = await worker.worktreeOf(request.directory);
      if (worktree !== null) await follow(worktree, request, worker.works.of(keyOf(request)).now.turn ?? request.stamp);
    },
    async settled(directory) {
      await Promise.all([...running].flatMap(([saved, where]) => (directory === undefined || where === directory ? [saved] : [])));
    },
  };
}

const failed = (error: unknown): Saved => none(failureReason(error));

const described = (worktree: Worktree, { stamp, session, agent, tool, what }: Call): Omit<LoggedCall, 'turn' | 'after' | 'wayBack'> => ({
  ...{ id: stamp, session, agent, tool, what: oneLine(worktree.redact(what)) },
  atMs: worktree.now(),
});

const problemOf = ({ directory, tool }: Call, why: string) => ({
  what: `no way back before a call (${tool}) in ${directory}: ${why}`,
  remedy: 'what that call changed cannot be undone with piton rewind. See piton rewind --calls',
});
