import { setPriority } from 'node:os';
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

const INDEX_BATCH = 1000;
const INDEX_MS = 100;
const LOW_PRIORITY = 10;
const REOPEN_MS = 5000;
const RETRY_MS = 1000;
const HOUSE_MS = 3_600_000;
const KEPT_DAYS = 30;
const KEPT_BYTES = 2 * 1024 ** 3;

const data = workerData as RecorderData;
const say = (message: FromRecorder): void => parentPort?.postMessage(message);
const crash = crashPoints(data.environment);
const redactor = liveRedactor(installKey(data.home), data.config, (what, remedy) => say({ kind: 'trouble', what, remedy }));
const shelf = new Shelf({ redactor, aside: data.aside, say });
const tail = new Tail({ directory: data.journal, shelf, say, beforeStore: () => crash('before-store') });
yieldToAnswers();
/** What could not be done while there was no store. */
const postponed: ToRecorder[] = [];
let store: Store | undefined;
let indexing: NodeJS.Timeout | undefined;
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
    if (store) drained = await tail.readOn(store);
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
