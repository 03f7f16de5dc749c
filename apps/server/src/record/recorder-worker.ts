import { homedir, setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Overview } from '@piton/context';
import { programFinder } from '@piton/contracts/programs';
import { createGit } from '@piton/git';
import { parseSettings } from '@piton/lifecycle/settings-text';
import { installKey } from '@piton/redact';
import { openStore, type SessionChange, type Store } from '@piton/store';
import { handoffFor, overviewFor, recentPlaces } from '../context/context-reader.ts';
import { handoffMinutes, readContextSettings } from '../context/context-settings.ts';
import { SessionNotes } from '../context/session-notes.ts';
import { readStructure } from '../context/structure-reader.ts';
import { crashPoints } from '../process/crash-points.ts';
import type { TranscriptCandidate } from '../transcripts/candidates.ts';
import { openEndCandidates } from '../transcripts/open-ends.ts';
import { outdatedCandidates } from '../transcripts/outdated.ts';
import { PortableTranscripts } from '../transcripts/portable-files.ts';
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
const COUNT_BATCH = 20;
const COUNT_MS = 2000;
const LOW_PRIORITY = 10;
const REOPEN_MS = 5000;
const RETRY_MS = 1000;
const MAINTENANCE_MS = 3_600_000;
/** Many events of one place are one look. */
const PREPARE_MS = 500;
/** Agents write the end of a turn to the transcript after they have fired its stop event. */
const SECOND_READ_MS = 2000;
/** A flush shows what just happened. A transcript of many megabytes is read further after it. */
const FLUSH_READ_MS = 2000;
/** An agent waits for a handoff, and no longer than a second. */
const HANDOFF_READ_MS = 400;
/** A server that retires reads only this long. The next one continues. */
const LAST_READ_MS = 1500;
const KEPT_DAYS = 30;
const KEPT_BYTES = 2 * 1024 ** 3;

const data = workerData as RecorderData;
const post = (message: FromRecorder): void => parentPort?.postMessage(message);
const crash = crashPoints(data.environment);
const redactor = liveRedactor(installKey(data.home), data.config, (what, remedy) => reportProblem(what, remedy));
const reportProblem = (what: string, remedy: string): void => post({ kind: 'problem', what, remedy });
const git = createGit({ environment: process.env, program: programFinder(data.home, 'git', process.env['PATH'] ?? '') });
const notes = new SessionNotes({ redactor, minutes: () => handoffMinutes(data.config, parseSettings) });
const portable = new PortableTranscripts(join(data.environment, 'transcripts'), redactor);
const writer = new EventWriter({
  redactor,
  notes,
  quarantine: data.quarantine,
  post,
  onTranscripts: readSoon,
  onPlaces: prepareLater,
  onSession: noteSession,
  onRuns: (stamp) => portable.ran(stamp),
});
const reader = new TranscriptReader({ home: homedir(), redactor, reportProblem });
const journal = new JournalReader({ directory: data.journal, writer, post, beforeStore: () => crash('before-store') });
lowerPriority();
/** Messages that came while there was no store. */
const postponed: ToRecorder[] = [];
let store: Store | undefined;
const closing = new AbortController();
let indexing: NodeJS.Timeout | undefined;
let counting: NodeJS.Timeout | undefined;
let reading = false;
const secondReads = new Map<NodeJS.Timeout, readonly TranscriptCandidate[]>();
let storeFailed = false;
let queue: Promise<void> = openOrWait();

/** On Linux each thread has its own priority: answering an agent goes before recording. */
function lowerPriority(): void {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // not permitted here: both threads have the same priority
  }
}

/** One message at a time: the journal is read in order. */
function enqueue(message: ToRecorder): void {
  queue = queue
    .then(() => handle(message))
    .then(() => {
      if (storeFailed) post({ kind: 'store', ok: true, movedTo: null });
      storeFailed = false;
    })
    .catch((error: Error) => {
      if (error instanceof StoreError) {
        storeFailed = true;
        post({ kind: 'store', ...error.failure });
      }
      const why = error instanceof StoreError ? error.message : (error.stack ?? String(error));
      post({
        kind: 'problem',
        what: `could not store events: ${why}`,
        remedy: 'they stay in the journal and are retried. Run piton doctor',
      });
      setTimeout(enqueue, RETRY_MS, message);
    });
}

async function handle(message: ToRecorder): Promise<void> {
  if (message.kind === 'grown') journal.grown(message.segment, message.size, message.sealed);
  if (message.kind === 'reload') return redactor.refresh();
  if (message.kind === 'close') return close();
  if (store === undefined) {
    // A flush must not hang on a store that cannot be opened; frames are safe in the journal.
    if (message.kind === 'flush') post({ kind: 'flushed', id: message.id, stored: writer.stored });
    else if (message.kind === 'transcript') post({ kind: 'transcript', id: message.id, path: null });
    else if (message.kind === 'replay') postponed.push(message);
    return;
  }
  if (message.kind === 'replay') return replay(message.directory, store, writer, post);
  if (message.kind === 'overview') return answerOverview(store, message.place, message.id);
  await journal.readOn(store);
  if (message.kind === 'handoff') {
    await readOpenEnds(HANDOFF_READ_MS, store);
    return post({ kind: 'handoff', id: message.id, text: await handoffFor(store, message.ref, message.maxTokens) });
  }
  if (message.kind === 'grown') return indexLater();
  if (message.kind === 'transcript') return writeTranscript(message, store);
  while ((await store.indexPending(INDEX_BATCH)).left > 0);
  await readOpenEnds(FLUSH_READ_MS, store);
  post({ kind: 'flushed', id: message.id, stored: writer.stored });
}

/** Places that were asked for, and those where something happens: what is known of them is read again after a while. */
const places = new Set<string>();
let preparing: NodeJS.Timeout | undefined;

const prepared = async (from: Store, place: string): Promise<Overview> =>
  withStructure(await overviewFor(from, data.home, place, redactor));

async function withStructure(overview: Overview): Promise<Overview> {
  if (!isFull(overview.place)) return overview;
  return { ...overview, structure: (await readStructure(git, overview.place)).map((line): string => redactor.text(line)) };
}
const isFull = (place: string): boolean => readContextSettings(data.config, place, parseSettings).mode === 'full';

/** A session waits: what is open is there at once, and the shape of a large repository is not worth losing it. */
async function answerOverview(from: Store, place: string, id: number): Promise<void> {
  const overview = await overviewFor(from, data.home, place, redactor);
  if (isFull(place)) post({ kind: 'overview', overview });
  post({ kind: 'overview', overview: await withStructure(overview), id });
}

function prepareLater(changed: readonly string[]): void {
  for (const place of changed) places.add(place);
  if (preparing !== undefined || places.size === 0) return;
  preparing = setTimeout(() => {
    preparing = undefined;
    const [place] = places;
    if (place === undefined) return;
    places.delete(place);
    queue = queue
      .then(async () => {
        if (store === undefined) return;
        await readOpenEnds(HANDOFF_READ_MS, store);
        post({ kind: 'overview', overview: await prepared(store, place) });
      })
      .catch(() => {}) // busy: the next event there prepares it
      .then(afterMessages(() => prepareLater([])));
  }, PREPARE_MS).unref();
}

/** A hook waits for it: without it, it runs as if the agent had none. */
async function writeTranscript({ id, request }: ToRecorder & { kind: 'transcript' }, from: Store): Promise<void> {
  let path: string | null = null;
  try {
    path = await portable.write(from, request);
  } catch (error) {
    reportProblem(`could not write a transcript for hooks: ${(error as Error).message}`, 'free disk space, or run piton doctor');
  }
  post({ kind: 'transcript', id, path });
}

function noteSession({ agent, ref, change }: SessionChange): void {
  if (change === 'ended') portable.ended(agent, ref);
}

/**
 * What waits for a busy store blocks this thread, longer than the timers that do it again. Two of them would follow each other for as long
 * as the store is busy, and no message would be read: so each is set only after messages have had their turn.
 */
const afterMessages = (again: () => void) => (): void => void setImmediate(again);

/** Full-text indexing can wait: one batch for many events, and never between a frame and its row. */
function indexLater(): void {
  if (indexing !== undefined) return;
  indexing = setTimeout(() => {
    indexing = undefined;
    queue = queue
      .then(async () => {
        if (store && (await store.indexPending(INDEX_BATCH)).left > 0) indexLater();
        countLater();
      })
      .catch(afterMessages(indexLater)); // busy: the rows are there, the index can wait
  }, INDEX_MS).unref();
}

/** Sums for the page can wait longer: who reads them counts what is new for itself. */
function countLater(): void {
  if (counting !== undefined) return;
  counting = setTimeout(() => {
    counting = undefined;
    queue = queue
      .then(async () => {
        if (store && (await store.refreshSums(COUNT_BATCH)) > 0) countLater();
      })
      .catch(afterMessages(countLater)); // busy
  }, COUNT_MS).unref();
}

function readSoon(candidates: readonly TranscriptCandidate[]): void {
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

/** What an older Piton has read is read again by this one, after everything that happens now. */
function readOutdated(from: Store): void {
  queue = queue.then(async () => {
    reader.enqueue(await outdatedCandidates(from, homedir(), process.env));
    readLater();
  });
}

/** One piece at a time, at the end of the queue: events go first. */
function readLater(): void {
  if (reading) return;
  reading = true;
  queue = queue.then(async () => {
    reading = false;
    if (store && (await readTranscript(store))) readLater();
  });
}

/** True while there is more. What cannot be stored now is read again after the next event. */
async function readTranscript(to: Store): Promise<boolean> {
  try {
    return await reader.step(to);
  } catch (error) {
    reportProblem(`could not store a transcript: ${(error as Error).message}`, 'it is retried after the next turn. Run piton doctor');
    return !reader.idle;
  }
}

/** Before somebody asks what was done: how commands ended, where only transcripts have it. */
async function readOpenEnds(limitMs: number, from: Store): Promise<void> {
  reader.enqueue(await openEndCandidates(from, homedir(), process.env));
  await readFor(limitMs, from);
}

async function readFor(limitMs: number, to: Store): Promise<void> {
  const until = Date.now() + limitMs;
  while (Date.now() < until && (await readTranscript(to)));
}

/** Does the scheduled second reads now. */
async function lastRead(from: Store): Promise<void> {
  for (const [timer, candidates] of secondReads) {
    clearTimeout(timer);
    reader.enqueue(candidates);
  }
  await readFor(LAST_READ_MS, from);
}

/** Ends sessions whose agent died without a session_end, and drops bodies that are too old. */
function maintain(): void {
  queue = queue.then(async () => {
    if (store === undefined) return;
    const crashed: SessionChange[] = [];
    await endCrashedSessions(store, redactor, Date.now(), (change) => {
      noteSession(change);
      post({ kind: 'session', change });
      crashed.push(change);
    });
    if (crashed.length > 0) await readOpenEnds(FLUSH_READ_MS, store);
    for (const { session, wallUs } of crashed) await notes.handoff(store, session, BigInt(wallUs));
    await store.expire({ now: Date.now(), days: KEPT_DAYS, maxBytes: KEPT_BYTES });
  });
  queue = queue.catch((error: Error) =>
    post({ kind: 'problem', what: `could not clean up the store: ${error.message}`, remedy: 'run piton doctor' }),
  );
}

async function close(): Promise<void> {
  let drained = false;
  closing.abort();
  portable.removeAll();
  try {
    if (store) {
      drained = await journal.readOn(store);
      await lastRead(store);
    }
    await store?.close();
  } catch (error) {
    post({
      kind: 'problem',
      what: `could not store events before exiting: ${(error as Error).message}`,
      remedy: 'the next server stores them from the journal',
    });
  }
  post({ kind: 'closed', drained });
  parentPort?.close();
}

async function openOrWait(): Promise<void> {
  const opened = await openStore(data.store, { onStep: () => crash('in-migration') });
  if (opened.ok) {
    store = opened.store;
    post({ kind: 'store', ok: true, movedTo: opened.movedTo ?? null });
    await journal.readOn(store);
    for (const message of postponed.splice(0)) enqueue(message);
    feedSinks(store, SINKS, { signal: closing.signal, reportProblem });
    prepareLater(await recentPlaces(store));
    setInterval(maintain, MAINTENANCE_MS).unref();
    readOutdated(store);
    countLater();
    return maintain();
  }
  post({ kind: 'store', ok: false, problem: opened.problem, error: opened.error });
  setTimeout(() => {
    queue = queue.then(openOrWait);
  }, REOPEN_MS).unref();
}

parentPort?.on('message', enqueue);
