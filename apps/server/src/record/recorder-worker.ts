import { homedir, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { installKey } from '@piton/redact';
import { openStore, type Store } from '@piton/store';
import { crashPoints } from '../process/crash-points.ts';
import type { TranscriptCandidate } from '../transcripts/candidates.ts';
import { TranscriptReader } from '../transcripts/reader.ts';
import { endCrashedSessions } from './crashed-sessions.ts';
import { EventWriter, StoreError } from './event-writer.ts';
import { JournalReader } from './journal-reader.ts';
import { liveRedactor } from './live-redactor.ts';
import type { FromRecorder, RecorderData, ToRecorder } from './recorder-messages.ts';
import { replay } from './replay.ts';
import { feedSinks, SINKS } from './sinks.ts';

const INDEX_BATCH = 1000;
const INDEX_MS = 100;
const LOW_PRIORITY = 10;
const REOPEN_MS = 5000;
const RETRY_MS = 1000;
const HOUSE_MS = 3_600_000;
/** Agents write the last words of a turn after they have told of its end. */
const SECOND_READ_MS = 2000;
/** Whoever wants to see what just happened sees it; a transcript of many megabytes is read on after that. */
const FLUSH_READ_MS = 2000;
/** A server that is told to go does not read on for long: the next one does. */
const LAST_READ_MS = 1500;
const KEPT_DAYS = 30;
const KEPT_BYTES = 2 * 1024 ** 3;

const data = workerData as RecorderData;
const say = (message: FromRecorder): void => parentPort?.postMessage(message);
const crash = crashPoints(data.environment);
const redactor = liveRedactor(installKey(data.home), data.config, (what, remedy) => trouble(what, remedy));
const trouble = (what: string, remedy: string): void => say({ kind: 'trouble', what, remedy });
const writer = new EventWriter({ redactor, quarantine: data.quarantine, say, seen });
const reader = new TranscriptReader({ home: homedir(), redactor, trouble });
const journal = new JournalReader({ directory: data.journal, writer, say, beforeStore: () => crash('before-store') });
yieldToAnswers();
/** What could not be done while there was no store. */
const postponed: ToRecorder[] = [];
let store: Store | undefined;
const closing = new AbortController();
let indexing: NodeJS.Timeout | undefined;
let reading = false;
const secondReads = new Map<NodeJS.Timeout, readonly TranscriptCandidate[]>();
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
      if (error instanceof StoreError) {
        troubled = true;
        say({ kind: 'store', ...error.failure });
      }
      const why = error instanceof StoreError ? error.message : (error.stack ?? String(error));
      say({
        kind: 'trouble',
        what: `could not store events: ${why}`,
        remedy: 'they stay in the journal and are retried. Run piton doctor',
      });
      setTimeout(enqueue, RETRY_MS, message);
    });
}

async function obey(message: ToRecorder): Promise<void> {
  if (message.kind === 'grown') journal.grown(message.segment, message.size, message.sealed);
  if (message.kind === 'reload') return redactor.refresh();
  if (message.kind === 'close') return close();
  if (store === undefined) {
    // A flush must not hang on a store that cannot be opened; frames are safe in the journal.
    if (message.kind === 'flush') say({ kind: 'flushed', id: message.id, stored: writer.stored });
    else if (message.kind === 'replay') postponed.push(message);
    return;
  }
  if (message.kind === 'replay') return replay(message.directory, store, writer, say);
  await journal.readOn(store);
  if (message.kind === 'grown') return indexLater();
  while ((await store.indexPending(INDEX_BATCH)).left > 0);
  await readFor(FLUSH_READ_MS, store);
  say({ kind: 'flushed', id: message.id, stored: writer.stored });
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

function seen(candidates: readonly TranscriptCandidate[]): void {
  if (candidates.length === 0) return;
  reader.enqueue(candidates);
  readLater();
  const timer = setTimeout(() => {
    secondReads.delete(timer);
    reader.enqueue(candidates);
    readLater();
  }, SECOND_READ_MS).unref();
  secondReads.set(timer, candidates);
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
    trouble(`could not store a transcript: ${(error as Error).message}`, 'it is retried after the next turn. Run piton doctor');
    return !reader.idle;
  }
}

async function readFor(limitMs: number, to: Store): Promise<void> {
  const until = Date.now() + limitMs;
  while (Date.now() < until && (await readTranscript(to)));
}

/** What was to be looked at again is looked at now. */
async function lastRead(from: Store): Promise<void> {
  for (const [timer, candidates] of secondReads) {
    clearTimeout(timer);
    reader.enqueue(candidates);
  }
  await readFor(LAST_READ_MS, from);
}

/** Sessions whose agent died without a word are ended, and bodies that are too old are dropped. */
function keepHouse(): void {
  queue = queue.then(async () => {
    if (store === undefined) return;
    await endCrashedSessions(store, redactor, Date.now(), (change) => say({ kind: 'session', change }));
    await store.expire({ now: Date.now(), days: KEPT_DAYS, maxBytes: KEPT_BYTES });
  });
  queue = queue.catch((error: Error) =>
    say({ kind: 'trouble', what: `could not clean up the store: ${error.message}`, remedy: 'run piton doctor' }),
  );
}

async function close(): Promise<void> {
  let drained = false;
  closing.abort();
  try {
    if (store) {
      drained = await journal.readOn(store);
      await lastRead(store);
    }
    await store?.close();
  } catch (error) {
    say({
      kind: 'trouble',
      what: `could not store events before exiting: ${(error as Error).message}`,
      remedy: 'the next server stores them from the journal',
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
    await journal.readOn(store);
    for (const message of postponed.splice(0)) enqueue(message);
    feedSinks(store, SINKS, { signal: closing.signal, trouble });
    setInterval(keepHouse, HOUSE_MS).unref();
    return keepHouse();
  }
  say({ kind: 'store', ok: false, problem: opened.problem, error: opened.error });
  setTimeout(() => {
    queue = queue.then(openOrWait);
  }, REOPEN_MS).unref();
}

parentPort?.on('message', enqueue);
