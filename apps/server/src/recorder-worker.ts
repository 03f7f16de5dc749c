import { homedir, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openStore, type Store } from '@piton/store';
import { crashPoints } from './crash-points.ts';
import { endCrashedSessions } from './crashed-sessions.ts';
import { installKey } from './install-key.ts';
import { liveRedactor } from './live-redactor.ts';
import type { FromRecorder, RecorderData, ToRecorder } from './recorder-messages.ts';
import { replay } from './replay.ts';
import { Shelf, StoreTrouble } from './shelf.ts';
import { Tail } from './tail.ts';
import { TranscriptReader } from './transcripts/reader.ts';
import type { Sight } from './transcripts/sight.ts';

const INDEX_BATCH = 1000;
const INDEX_MS = 100;
const LOW_PRIORITY = 10;
const REOPEN_MS = 5000;
const RETRY_MS = 1000;
const HOUSE_MS = 3_600_000;
/** Agents write the last words of a turn after they have told of its end. */
const LOOK_AGAIN_MS = 2000;
/** Whoever wants to see what just happened sees it; a transcript of many megabytes is read on after that. */
const FLUSH_LOOK_MS = 2000;
/** A server that is told to go does not read on for long: the next one does. */
const LAST_LOOK_MS = 1500;
const KEPT_DAYS = 30;
const KEPT_BYTES = 2 * 1024 ** 3;

const data = workerData as RecorderData;
const say = (message: FromRecorder): void => parentPort?.postMessage(message);
const crash = crashPoints(data.environment);
const redactor = liveRedactor(installKey(data.home), data.config, (what, remedy) => trouble(what, remedy));
const trouble = (what: string, remedy: string): void => say({ kind: 'trouble', what, remedy });
const shelf = new Shelf({ redactor, aside: data.aside, say, seen });
const reader = new TranscriptReader({ home: homedir(), redactor, trouble });
const tail = new Tail({ directory: data.journal, shelf, say, beforeStore: () => crash('before-store') });
yieldToAnswers();
/** What could not be done while there was no store. */
const postponed: ToRecorder[] = [];
let store: Store | undefined;
let indexing: NodeJS.Timeout | undefined;
let reading = false;
const lookAgain = new Map<NodeJS.Timeout, readonly Sight[]>();
let troubled = false;
let queue: Promise<void> = openOrWait();

/** On Linux a priority belongs to a thread: an agent's answer goes before its record. */
function yieldToAnswers(): void {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // not allowed here: then both are equal
  }
}

/** One after the other: the journal is read in order. */
function enqueue(message: ToRecorder): void {
  queue = queue
    .then(() => obey(message))
    .then(() => {
      if (troubled) say({ kind: 'store', ok: true, setAside: null });
      troubled = false;
    })
    .catch((error: Error) => {
      if (error instanceof StoreTrouble) {
        troubled = true;
        say({ kind: 'store', ...error.failure });
      }
      const why = error instanceof StoreTrouble ? error.message : (error.stack ?? String(error));
      say({
        kind: 'trouble',
        what: `events could not be stored: ${why}`,
        remedy: 'they stay in the journal and are tried again; run piton doctor',
      });
      setTimeout(enqueue, RETRY_MS, message);
    });
}

async function obey(message: ToRecorder): Promise<void> {
  if (message.kind === 'grown') tail.grown(message.segment, message.size, message.sealed);
  if (message.kind === 'reload') return redactor.refresh();
  if (message.kind === 'close') return close();
  if (store === undefined) {
    // A flush must not hang on a store that cannot be opened; frames are safe in the journal.
    if (message.kind === 'flush') say({ kind: 'flushed', id: message.id, stored: shelf.stored });
    else if (message.kind === 'replay') postponed.push(message);
    return;
  }
  if (message.kind === 'replay') return replay(message.directory, store, shelf, say);
  await tail.readOn(store);
  if (message.kind === 'grown') return indexLater();
  while ((await store.indexPending(INDEX_BATCH)).left > 0);
  await readFor(FLUSH_LOOK_MS, store);
  say({ kind: 'flushed', id: message.id, stored: shelf.stored });
}

/** Full text can wait a moment: one batch for many events, and never between a frame and its row. */
function indexLater(): void {
  if (indexing !== undefined) return;
  indexing = setTimeout(() => {
    indexing = undefined;
    queue = queue
      .then(async () => {
        if (store && (await store.indexPending(INDEX_BATCH)).left > 0) indexLater();
      })
      .catch(indexLater); // busy: the rows are there, the index can wait
  }, INDEX_MS).unref();
}

function seen(sights: readonly Sight[]): void {
  if (sights.length === 0) return;
  reader.see(sights);
  readLater();
  const timer = setTimeout(() => {
    lookAgain.delete(timer);
    reader.see(sights);
    readLater();
  }, LOOK_AGAIN_MS).unref();
  lookAgain.set(timer, sights);
}

/** One piece at a time at the end of the queue: events go first. */
function readLater(): void {
  if (reading) return;
  reading = true;
  queue = queue.then(async () => {
    reading = false;
    if (store && (await readTranscript(store))) readLater();
  });
}

/** True while there is more. What cannot be stored now is found again after the next event. */
async function readTranscript(to: Store): Promise<boolean> {
  try {
    return await reader.step(to);
  } catch (error) {
    trouble(`a transcript could not be stored: ${(error as Error).message}`, 'it is read again after the next turn; piton doctor');
    return !reader.idle;
  }
}

async function readFor(limitMs: number, to: Store): Promise<void> {
  const until = Date.now() + limitMs;
  while (Date.now() < until && (await readTranscript(to)));
}

/** What was to be looked at again is looked at now. */
async function lastLook(from: Store): Promise<void> {
  for (const [timer, sights] of lookAgain) {
    clearTimeout(timer);
    reader.see(sights);
  }
  await readFor(LAST_LOOK_MS, from);
}

/** Sessions whose agent died without a word are ended, and bodies that are too old are dropped. */
function keepHouse(): void {
  queue = queue.then(async () => {
    if (store === undefined) return;
    await endCrashedSessions(store, redactor, Date.now(), (change) => say({ kind: 'session', change }));
    await store.expire({ now: Date.now(), days: KEPT_DAYS, maxBytes: KEPT_BYTES });
  });
  queue = queue.catch((error: Error) =>
    say({ kind: 'trouble', what: `the store could not be tidied: ${error.message}`, remedy: 'run piton doctor' }),
  );
}

async function close(): Promise<void> {
  let drained = false;
  try {
    if (store) {
      drained = await tail.readOn(store);
      await lastLook(store);
    }
    await store?.close();
  } catch (error) {
    say({
      kind: 'trouble',
      what: `events could not be stored at the end: ${(error as Error).message}`,
      remedy: 'the next server takes them from the journal',
    });
  }
  say({ kind: 'closed', drained });
  parentPort?.close();
}

async function openOrWait(): Promise<void> {
  const opened = await openStore(data.store, { onStep: () => crash('in-migration') });
  if (opened.ok) {
    store = opened.store;
    say({ kind: 'store', ok: true, setAside: opened.setAside ?? null });
    await tail.readOn(store);
    for (const message of postponed.splice(0)) enqueue(message);
    setInterval(keepHouse, HOUSE_MS).unref();
    return keepHouse();
  }
  say({ kind: 'store', ok: false, problem: opened.problem, error: opened.error });
  setTimeout(() => {
    queue = queue.then(openOrWait);
  }, REOPEN_MS).unref();
}

parentPort?.on('message', enqueue);
