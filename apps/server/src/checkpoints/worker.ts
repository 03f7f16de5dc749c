import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import {
  beginTurn,
  type Checkpoint,
  createGit,
  dropNote,
  dropOldNotes,
  dropTodos,
  endTurn,
  findCheckpoint,
  fromRoot,
  isOpen,
  type Linked,
  linkCommit,
  markMessage,
  mergePacks,
  noteTask,
  openTurn,
  openTurns,
  type Place,
  readTodos,
  recordedAgent,
  recoverLink,
  regainLinks,
  type Taken,
  takeOwn,
  takeTask,
  todoName,
  todoStep,
  writeTodos,
} from '@piton/checkpoints';
import { installKey } from '../install-key.ts';
import { liveRedactor } from '../live-redactor.ts';
import { madeOf } from '../subscriptions/fired.ts';
import { knownPlaces } from './known-places.ts';
import type { CheckpointerData, FromCheckpointer, ToCheckpointer, Whereabouts } from './messages.ts';
import { pushesOf } from './pushes.ts';
import { Sessions, type SessionWork, type TurnWork, Works } from './session-work.ts';
import { checkpointSettings } from './settings.ts';
import { commitTurn } from './turn-commit.ts';

const LOW_PRIORITY = 5;
/** Of subagents that never came back. */
const NOTES_KEPT_MS = 7 * 24 * 3_600_000;
const data = workerData as CheckpointerData;
const say = (message: FromCheckpointer): void => parentPort?.postMessage(message);
const redactor = liveRedactor(installKey(data.home), data.config, (what, remedy) => say({ kind: 'trouble', what, remedy }));
const git = createGit({ environment: process.env });
const settingsOf = checkpointSettings(data.config);
const placeOf = knownPlaces({ git, redactor, state: data.state });
const works = new Works();
/** One thing at a time in each working tree: two checkpoints of it must not overtake each other. */
const queues = new Map<string, Promise<unknown>>();

try {
  setPriority(LOW_PRIORITY); // of this thread alone: an agent's answer goes first
} catch {
  // not allowed here: then both are equal
}

/** Whose session it is, as far as this server has heard of it. */
const agents = new Sessions<string>();
/** What each session was asked last, wherever that was. */
const asked = new Sessions<{ readonly turn: string; readonly prompt: string }>();

const keyOf = ({ directory, agent, session }: Whereabouts): string => [directory, agent, session].join('\0');

function enqueue(directory: string, act: () => Promise<unknown>): Promise<unknown> {
  const next = (queues.get(directory) ?? Promise.resolve()).then(act).catch((error: Error) =>
    say({
      kind: 'trouble',
      what: `a checkpoint could not be taken in ${directory}: ${error.message}`,
      remedy: 'piton doctor; the agent goes on',
    }),
  );
  queues.set(directory, next);
  void next.then(() => {
    if (queues.get(directory) === next) queues.delete(directory);
  });
  return next;
}

function tell(place: Place, taken: Taken | { readonly result: 'no-note' }, { child }: Whereabouts): void {
  if (taken.result === 'made') sayMade(place, taken.checkpoint, { child, commit: null, call: null });
  if (taken.result === 'failed')
    say({ kind: 'trouble', what: `a checkpoint could not be taken in ${place.repository.root}: ${taken.error}`, remedy: 'piton doctor' });
}

function sayMade(place: Place, checkpoint: Checkpoint, more: { child: boolean; commit: string | null; call: number | null }): void {
  say({ kind: 'made', checkpoint: madeOf(checkpoint), root: place.repository.root, ...more });
}

const about = (where: Whereabouts, { turn, prompt }: TurnWork, name: string) => ({
  ...{ session: where.session, agent: where.agent, turn },
  name: name || prompt || 'Work without a prompt',
});

/** At a prompt: what the person has done since becomes a checkpoint, while the model thinks. */
function begin(message: ToCheckpointer & { kind: 'prompt' }): void {
  const { turn, prompt } = message;
  const earlier = works.of(keyOf(message)).now;
  agents.set(message.session, message.agent);
  asked.set(message.session, { turn, prompt });
  lay(message, works.begins(keyOf(message), { turn, prompt }), async (place) => {
    await endInterrupted(place, message, earlier);
    return false;
  });
}

/** A tool comes before any prompt was heard, or the server that heard it died before the way back was laid. */
function layUnlessLaid(message: Whereabouts & { readonly stamp: string }): SessionWork {
  const work = works.of(keyOf(message));
  if (!work.isLaid)
    lay(message, work, async (place, now) => {
      const open = await openTurn(place, message.session);
      now.turn ??= open?.turn ?? message.stamp;
      return open !== undefined && open.laid !== false;
    });
  return work;
}

function lay(message: Whereabouts, work: SessionWork, isDone: (place: Place, now: TurnWork) => Promise<boolean>): void {
  const { now } = work;
  work.isLaid = true;
  // Known at once: a tool may come before the checkpoint has even begun.
  let begun: (hold?: (file: string) => Promise<void>) => void = () => {};
  work.begun = new Promise((resolve) => {
    begun = resolve;
  });
  work.laid = enqueue(message.directory, async () => {
    try {
      const place = await placeOf(message.directory);
      if (place === null) return;
      await tellRecovered(place);
      if (await isDone(place, now)) return;
      const image = beginTurn(place, about(message, now, `Before: ${now.prompt || 'work without a prompt'}`));
      begun(image.hold);
      tell(place, await image.done, message);
    } finally {
      begun();
    }
  });
}

/**
 * Nobody tells of the end of a turn that a person interrupted: the session is just asked again. The files that its tools named
 * are its work. What else has changed is the person's, or, where a command ran, somebody's.
 */
async function endInterrupted(place: Place, where: Whereabouts, turn: TurnWork): Promise<void> {
  const open = await openTurn(place, where.session);
  if (open === undefined || open.laid === false) return;
  const end = { ...about(where, turn, ''), turn: open.turn, kind: 'stop' } as const;
  const touched = turn.turn === open.turn ? [...turn.touched] : [];
  if (touched.length > 0) tell(place, await takeOwn(place, { ...end, by: await authorOf(place, where), touched }), where);
  if (turn.unknown || turn.turn !== open.turn) tell(place, await takeOwn(place, { ...end, by: 'shared' }), where);
}

/** Answers the server once the file is read, or the way back is laid. */
async function prepare(message: ToCheckpointer & { kind: 'hold' | 'await' }): Promise<void> {
  const work = layUnlessLaid(message);
  const { now } = work;
  try {
    const hold = message.kind === 'hold' ? await work.begun : undefined;
    if (message.kind === 'hold' && hold !== undefined) {
      for (const file of message.files) await hold(file);
      for (const file of message.files) now.touched.add(file);
    } else {
      now.unknown = true;
      await work.laid;
    }
  } finally {
    say({ kind: 'done', id: message.id });
  }
}

/** What this turn has changed so far, as far as that is known without asking git. */
const touchedBy = ({ touched, unknown }: TurnWork): { touched?: readonly string[] } => (unknown ? {} : { touched: [...touched] });

/** Where two sessions are at work in one working tree, nobody can tell whose a change is. */
const authorOf = async (place: Place, { session }: Whereabouts): Promise<'agent' | 'shared'> =>
  (await openTurns(place)).some((turn) => turn.session !== session) ? 'shared' : 'agent';

/** What git told its hook: links between commits and checkpoints are made of it. */
async function heed(message: ToCheckpointer & { kind: 'git' }): Promise<void> {
  const { directory, hook, args, input, indexFile } = message;
  const place = await placeOf(directory);
  if (place === null) return;
  if (hook === 'prepare-commit-msg') await tellRecovered(place);
  if (hook === 'prepare-commit-msg' || hook === 'commit-msg')
    await markMessage(place, {
      hook,
      file: resolve(directory, args[0] ?? ''),
      source: args[1] ?? '',
      trailer: (await settingsOf(place)).trailer,
      ...(indexFile && { indexFile: resolve(directory, indexFile) }),
    });
  else if (hook === 'post-rewrite')
    for (const { commit, ids } of await regainLinks(place, input))
      await sayLinked(place, { commit, made: [], carried: ids }, { id: null, child: message.child });
  else if (hook === 'pre-push') for (const push of await pushesOf(place, message)) say({ kind: 'pushed', push });
  else if (hook === 'post-commit') await tellLinked(place, message);
}

/** Git's hooks do not run for a commit of ours: it is linked here. */
async function endWithCommit(place: Place, { session, child }: Whereabouts, { turn, prompt, seen }: TurnWork, taken: Taken): Promise<void> {
  const { commit, notes } = await commitTurn(place, await settingsOf(place), { session, turn, prompt, seen }, taken);
  if (commit !== null) await tellLinked(place, { id: null, child });
  for (const note of notes) say({ kind: 'trouble', ...note, note: true });
}

interface LinkedBy {
  readonly id: number | null;
  readonly child: boolean;
}

const whoIs = (place: Place) => (session: string) => agents.get(session) ?? recordedAgent(place, session);

const tellLinked = async (place: Place, by: LinkedBy): Promise<void> => sayLinked(place, await linkCommit(place, whoIs(place)), by);

/** A server that was killed, or came too late, has left a commit without its checkpoint: before another comes, it is made. */
const tellRecovered = async (place: Place): Promise<void> =>
  sayLinked(place, await recoverLink(place, whoIs(place)), { id: null, child: false });

async function sayLinked(place: Place, linked: Linked | null, { id, child }: LinkedBy): Promise<void> {
  if (linked === null) return;
  const more = { child, commit: linked.commit, call: id };
  for (const checkpoint of linked.made) sayMade(place, checkpoint, more);
  for (const carried of linked.carried) {
    const checkpoint = await findCheckpoint(git, place.repository, carried);
    if (checkpoint) say({ kind: 'linked', checkpoint: madeOf(checkpoint), root: place.repository.root, ...more });
  }
}

async function pathsIn({ repository }: Place, files: readonly string[]): Promise<ReadonlySet<string>> {
  const paths = await Promise.all(files.map((file) => fromRoot(repository.root, file)));
  return new Set(paths.flatMap((path) => (path === null ? [] : [path])));
}

type Queued = Exclude<ToCheckpointer, { kind: 'close' | 'prompt' | 'hold' | 'await' | 'git' }>;

/** Whose turn it belongs to is settled now, not when its turn in the queue comes. */
function obeyInTurn(message: Queued): Promise<unknown> {
  const key = keyOf(message);
  const isOver = message.kind === 'stop' || message.kind === 'interrupted' || message.kind === 'session-over';
  const turn = isOver ? works.ends(key, asked.get(message.session)) : works.of(key).now;
  if (message.kind === 'task-over') turn.unknown = true;
  return enqueue(message.directory, () => obey(message, turn));
}

async function endOpen(place: Place, where: Whereabouts & { readonly kind: 'stop' | 'session-over' }, turn: TurnWork): Promise<void> {
  const by = await authorOf(place, where);
  const taken = await takeOwn(place, { ...about(where, turn, ''), kind: 'stop', by, ...touchedBy(turn) });
  tell(place, taken, where);
  try {
    if (where.kind === 'stop') await endWithCommit(place, where, turn, taken);
  } finally {
    await endTurn(place, where.session);
  }
}

async function obey(message: Queued, turn: TurnWork): Promise<void> {
  const { session } = message;
  const place = await placeOf(message.directory);
  if (place === null) return;
  // Of a turn that began before this server did, the place knows.
  turn.turn ??= (await openTurn(place, session))?.turn ?? null;
  if (message.kind === 'task')
    await noteTask(place, { session, ...message.task }, { like: message.like && { session, ...message.like }, name: message.name });
  else if (message.kind === 'task-over') {
    const identity = { session, ...message.task };
    if (message.name === null) await dropNote(place, identity);
    else {
      const beside = message.apart && {
        own: await pathsIn(place, message.apart.own),
        others: await pathsIn(place, message.apart.others),
      };
      tell(place, await takeTask(place, identity, about(message, turn, message.name), beside), message);
    }
  } else if (message.kind === 'todo') {
    const work = works.of(keyOf(message));
    const step = todoStep(work.todos ?? (await readTodos(place, session)), message.input, message.response);
    work.todos = step.list;
    await writeTodos(place, session, step.list);
    const name = todoName(step);
    if (name !== null)
      tell(
        place,
        await takeOwn(place, { ...about(message, turn, name), kind: 'todo', by: await authorOf(place, message), ...touchedBy(turn) }),
        message,
      );
  } else if (message.kind === 'interrupted') {
    await endInterrupted(place, message, turn);
    await endTurn(place, session);
  } else {
    // Once it is over, what changes is a person's: also if the session ends only then, or an agent tells of its stop twice.
    if (isOpen(place, session)) await endOpen(place, message, turn);
    if (message.kind === 'session-over') {
      await mergePacks(git, place.repository, { always: true });
      await dropTodos(place, session);
      await dropOldNotes(place, NOTES_KEPT_MS);
      works.drop(keyOf(message), turn);
      if (asked.get(session)?.turn === turn.turn) asked.delete(session);
    }
  }
}

parentPort?.on('message', (message: ToCheckpointer) => {
  if (message.kind === 'close')
    void Promise.all(queues.values()).then(() => {
      say({ kind: 'closed' });
      parentPort?.close();
    });
  else if (message.kind === 'prompt') begin(message);
  else if (message.kind === 'hold' || message.kind === 'await') void prepare(message);
  else if (message.kind === 'git')
    void enqueue(message.directory, () => heed(message).finally(() => say({ kind: 'done', id: message.id })));
  else if (message.kind === 'task') {
    layUnlessLaid(message);
    void obeyInTurn(message).finally(() => say({ kind: 'done', id: message.id }));
  } else void obeyInTurn(message);
});
