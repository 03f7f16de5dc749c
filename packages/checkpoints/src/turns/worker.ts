import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitPort } from '@piton/git';
import { takeParts } from '../authors/parts.ts';
import { settleUntilNow } from '../authors/until-now.ts';
import { lookBefore } from '../images/look.ts';
import { hasKeptCalls } from '../kept/adopt-calls.ts';
import { adoptHeldCopies } from '../kept/held-copy.ts';
import { fromRoot, shownPath } from '../raw-path.ts';
import { knownWorktrees, type LiveRedactor, type Place } from '../repositories/known-worktrees.ts';
import { stateDirectory } from '../repositories/state-directory.ts';
import { checkpointSettings, type ParseSettings } from '../settings-files.ts';
import { mergePacks } from '../snapshot/packs.ts';
import { dropNote, dropOldNotes, noteTask, takeTask } from '../subagents/task-notes.ts';
import { dropTodos, readTodos, writeTodos } from '../todos/todo-lists.ts';
import { todoName, todoStep } from '../todos/todos.ts';
import { createCallEnds } from '../waiting/call-ends.ts';
import { OpenNames } from '../waiting/open-names.ts';
import { WaitingEvents } from '../waiting/waiting-events.ts';
import { type Worktree, WorktreeGone } from '../worktree.ts';
import { createCallImages, unseenTurn } from './calls/before-call.ts';
import { beginAtPrompt, ensureImage } from './calls/before-image.ts';
import { closeCall, openCall, openCallsOf } from './calls/open-calls.ts';
import { afterGitHook, handleGitHook, noteIfQuiet } from './git-hook.ts';
import { createLateEvents } from './late-events.ts';
import type { CheckpointReport, CheckpointRequest } from './messages.ts';
import { reportParts, reportTaken } from './reports.ts';
import { keyOf, Sessions, type TurnWork, Works } from './session-work.ts';
import { about, endInterrupted, endOpen, takeUntilNow } from './turn-end.ts';
import { endTurn, isOpen, notedTurns, openTurn } from './turn-file.ts';
import type { WorkerContext } from './worker-context.ts';

/** Of subagents that never came back. */
const NOTES_KEPT_MS = 7 * 24 * 3_600_000;

export interface WorkerPorts {
  readonly git: GitPort;
  readonly redactor: LiveRedactor;
  /** The directory of all that Piton knows. */
  readonly home: string;
  /** Where the user's settings lie. */
  readonly config: string;
  readonly parseSettings: ParseSettings;
  readonly post: (report: CheckpointReport) => void;
  /** Settles once all that agents have sent so far has been handed over. */
  readonly allReceived?: () => Promise<void>;
}

export interface CheckpointWorker {
  handle(request: CheckpointRequest): void;
  /** All that was asked so far is done. */
  idle(): Promise<void>;
}

/** Takes the checkpoints that a tracker asks for, on whatever thread this runs. */
export function createCheckpointWorker(ports: WorkerPorts): CheckpointWorker {
  const { git, redactor, home, config, parseSettings, post, allReceived = async () => {} } = ports;
  const queues = new Map<string, Promise<unknown>>();
  const enqueue: WorkerContext['enqueue'] = (directory, act) => {
    const next = (queues.get(directory) ?? Promise.resolve()).then(act).catch((error: Error) => {
      // It was moved or deleted meanwhile: nobody misses a checkpoint there.
      if (!existsSync(directory) || error instanceof WorktreeGone) return;
      post({
        kind: 'problem',
        what: `could not take a checkpoint in ${directory}: ${error.message}`,
        remedy: 'run piton doctor. The agent is not affected',
      });
    });
    queues.set(directory, next);
    void next.then(() => {
      if (queues.get(directory) === next) queues.delete(directory);
    });
    return next;
  };
  /** What is asked for while it waits is not waited for. */
  const settled = async (directory: string): Promise<void> => {
    await calls.settled(directory);
    await queues.get(directory);
  };
  adoptHeldCopies(home);
  const waiting = new WaitingEvents(home, allReceived);
  const worker: WorkerContext = {
    ...{ post, enqueue, waiting, home },
    isBusy: (directory) => queues.has(directory),
    worktreeOf: knownWorktrees({ git, redactor, state: stateDirectory(home), waitingIn: (directory, root) => waiting.of(directory, root) }),
    redact: (text) => redactor.text(text),
    names: new OpenNames(),
    settingsOf: checkpointSettings(config, parseSettings),
    settledMessages: new Map(),
    works: new Works(),
    agents: new Sessions(),
    asked: new Sessions(),
  };
  const calls = createCallImages(worker);
  const ends = createCallEnds(worker);
  const late = createLateEvents(worker, home);
  /** Before others look: what was kept without a server belongs to an earlier time. */
  const adopt = ({ directory }: Pick<Place, 'directory'>): Promise<unknown> =>
    enqueue(directory, async () => {
      const worktree = await worker.worktreeOf({ directory });
      if (worktree !== null) await late.adopt(worktree, directory);
    });
  return {
    handle(request) {
      const { kind } = request;
      if (kind === 'ending') {
        ends.read(request);
        if ('id' in request) post({ kind: 'done', id: request.id });
        return;
      }
      const over = ends.note(request);
      if ((kind === 'prompt' || kind === 'hold' || kind === 'await') && hasKeptCalls(home)) void adopt(request);
      if (kind === 'prompt') beginAtPrompt(worker, request);
      else if (kind === 'late-prompt') late.prompt(request);
      else if (kind === 'late-call') late.call(request);
      else if (kind === 'hold' || kind === 'await') void calls.saveBefore(request);
      else if (kind === 'gave-up') calls.giveUp(request.id);
      else if (kind === 'settle') {
        void adopt(request);
        void settled(request.directory).then(() => post({ kind: 'done', id: request.id }));
      } else if (kind === 'git')
        void enqueue(request.directory, async () => {
          await handleGitHook(worker, request).finally(() => post({ kind: 'done', id: request.id }));
          await afterGitHook(worker, request);
        });
      else if (kind === 'task') {
        const { now } = ensureImage(worker, request);
        const turn = unseenTurn(worker, request, now, request.stamp);
        const dealtWith = waiting.add(request.directory, { turn, goesOnUs: request.untilUs });
        void handleInTurn(worker, request).finally(() => {
          dealtWith();
          post({ kind: 'done', id: request.id });
        });
      } else void handleInTurn(worker, request);
      // Behind it in the line.
      if (over !== null) void enqueue(over.directory, async () => over.dealtWith());
    },
    idle: async () => {
      await calls.settled();
      await Promise.all(queues.values());
    },
  };
}

type Queued = Exclude<
  CheckpointRequest,
  { kind: 'prompt' | 'hold' | 'await' | 'ending' | 'git' | 'gave-up' | 'settle' | 'late-prompt' | 'late-call' }
>;

/** Whose turn it belongs to is decided now, not when its turn in the queue comes. */
function handleInTurn(worker: WorkerContext, request: Queued): Promise<unknown> {
  const { works, asked, enqueue } = worker;
  const key = keyOf(request);
  const isOver = request.kind === 'stop' || request.kind === 'interrupted' || request.kind === 'session-over';
  const turn = isOver ? works.ends(key, asked.get(request.session)) : works.of(key).now;
  if (request.kind === 'task-over') turn.unknown = true;
  return enqueue(request.directory, async () => {
    const worktree = await worker.worktreeOf(request);
    if (worktree === null) return;
    // Of a turn that began before this server did, the place knows.
    turn.turn ??= (await openTurn(worktree, request.session))?.turn ?? null;
    await handleQueued(worker, worktree, request, turn);
  });
}

async function handleQueued(worker: WorkerContext, worktree: Worktree, request: Queued, turn: TurnWork): Promise<void> {
  const { session } = request;
  if (request.kind === 'task') {
    await noteTask(worktree, { session, ...request.task }, { like: request.like && { session, ...request.like }, name: request.name });
    // What a person has done until now is not the subagent's.
    reportParts(worker, worktree, (await lookBefore(worktree, turn.turn ?? request.stamp)).parts, request);
    await openCall(worktree, { session, agent: request.agent, turn: turn.turn }, request.call);
  } else if (request.kind === 'call-over') await endCall(worker, worktree, request, turn);
  else if (request.kind === 'task-over') await endTask(worker, worktree, request, turn);
  else if (request.kind === 'todo') await updateTodos(worker, worktree, request, turn);
  else if (request.kind === 'interrupted') {
    await endInterrupted(worker, worktree, request, turn);
    await endTurn(worktree, session);
  } else {
    // Once it is over, what changes is a person's: also if the session ends only then, or an agent reports its stop twice.
    if (isOpen(worktree, session)) await endOpen(worker, worktree, request, turn);
    if (request.kind === 'session-over') await endSession(worker, worktree, request, turn);
    await noteIfQuiet(worker, worktree);
  }
}

/** What changed while it was open is its doing, or may be. */
async function endCall(worker: WorkerContext, worktree: Worktree, request: Queued & { kind: 'call-over' }, turn: TurnWork): Promise<void> {
  const note = notedTurns(worktree).find(({ session }) => session === request.session);
  const calls = note === undefined ? [] : openCallsOf(note, request.key);
  if (calls.length === 0) return;
  const isNamed = calls.every(({ reach }) => reach === 'named');
  const touched = calls.flatMap(({ files }) => files.map((path) => join(worktree.repository.root, shownPath(path))));
  const { parts } = await lookBefore(worktree, turn.turn ?? request.session, isNamed ? { touched } : {});
  reportParts(worker, worktree, parts, request);
  await closeCall(worktree, request.session, request.key);
}

async function endTask(worker: WorkerContext, worktree: Worktree, request: Queued & { kind: 'task-over' }, turn: TurnWork): Promise<void> {
  const identity = { session: request.session, ...request.task };
  if (request.name === null) return dropNote(worktree, identity);
  const beside = request.apart && {
    own: await pathsIn(worktree, request.apart.own),
    others: await pathsIn(worktree, request.apart.others),
  };
  const { parts } = await settleUntilNow(worktree, request.session);
  reportParts(worker, worktree, [...parts, ...(await takeParts(worktree, ({ by }) => by !== 'agent'))], request);
  reportTaken(worker, worktree, await takeTask(worktree, identity, about(request, turn, request.name), beside), request);
}

async function pathsIn({ repository }: Worktree, files: readonly string[]): Promise<ReadonlySet<string>> {
  const paths = await Promise.all(files.map((file) => fromRoot(repository.root, file)));
  return new Set(paths.flatMap((path) => (path === null ? [] : [path])));
}

async function updateTodos(worker: WorkerContext, worktree: Worktree, request: Queued & { kind: 'todo' }, turn: TurnWork): Promise<void> {
  const { session, input, response } = request;
  const work = worker.works.of(keyOf(request));
  const step = todoStep(work.todos ?? (await readTodos(worktree, session)), input, response);
  work.todos = step.list;
  await writeTodos(worktree, session, step.list);
  const name = todoName(step);
  if (name === null) return;
  await takeUntilNow(worker, worktree, request, turn, { kind: 'todo', name });
}

async function endSession(
  worker: WorkerContext,
  worktree: Worktree,
  request: Queued & { kind: 'session-over' },
  turn: TurnWork,
): Promise<void> {
  const { works, asked } = worker;
  const { session } = request;
  await mergePacks(worktree.git, worktree.repository, { always: true });
  await dropTodos(worktree, session);
  await dropOldNotes(worktree, NOTES_KEPT_MS);
  works.drop(keyOf(request), turn);
  if (asked.get(session)?.turn === turn.turn) asked.delete(session);
}
