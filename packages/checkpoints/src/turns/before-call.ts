import { oneLine } from '../checkpoint.ts';
import { type LoggedCall, logCall, type WayBack } from '../images/call-log.ts';
import { readHeld, saveHeld } from '../images/held-image.ts';
import { lookBefore } from '../images/look.ts';
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
      await openCall(worktree, { session: request.session, agent: request.agent, turn }, request.call);
      log(worktree, request, now, saved);
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
    await openCall(worktree, { session: request.session, agent: request.agent, turn: now.turn ?? request.stamp }, request.call);
    const wayBack = log(worktree, request, now, saved);
    return wayBack.kind === 'none' ? wayBack.why : undefined;
  };

  return {
    async saveBefore(request) {
      open.set(request.id, request);
      const work = ensureImage(worker, request);
      let noWayBack: string | undefined;
      try {
        noWayBack = await (request.kind === 'hold' ? edit(request, work) : any(request, work));
      } catch (error) {
        noWayBack = String(error);
      } finally {
        open.delete(request.id);
        gone.delete(request.id);
        worker.post({ kind: 'done', id: request.id, ...(noWayBack !== undefined && { noWayBack }) });
      }
    },
    async giveUp(id) {
      const request = open.get(id);
      if (request === undefined) return;
      gone.add(id);
      // From now on it may change something, whatever is still looked at.
      const worktree = await worker.worktreeOf(request.directory);
      const { session, agent, stamp } = request;
      const turn = worker.works.of(keyOf(request)).now.turn ?? stamp;
      if (worktree !== null) await openCall(worktree, { session, agent, turn }, request.call);
    },
  };
}

const failed = (error: unknown): Saved => none(oneLine(String((error as Error).message ?? error), 300));

const described = (worktree: Worktree, { stamp, session, agent, tool, what }: Call): Omit<LoggedCall, 'turn' | 'after' | 'wayBack'> => ({
  ...{ id: stamp, session, agent, tool, what: oneLine(worktree.redact(what)) },
  atMs: worktree.now(),
});

const problemOf = ({ directory, tool }: Call, why: string) => ({
  what: `no way back before a call (${tool}) in ${directory}: ${why}`,
  remedy: 'what that call changed cannot be undone with piton rewind. See piton rewind --calls',
});
