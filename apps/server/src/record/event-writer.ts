import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { agentFor } from '@piton/agents';
import { announcedPushes, type Pushed } from '@piton/checkpoints';
import { type Frame, GIT_HOOK } from '@piton/contracts';
import { decodeEvent, type FrameOutcome, type LaterRuns } from '@piton/lifecycle';
import type { EventRecord, RecordedEvent, RecordReport, SessionChange, Store, StoreFailure } from '@piton/store';
import type { SessionNotes } from '../context/session-notes.ts';
import type { PitonRecords } from '../journal/piton-records.ts';
import { candidatesOf, growsTranscript, type TranscriptCandidate } from '../transcripts/candidates.ts';
import { recordOf } from './event-record.ts';
import type { LiveRedactor } from './live-redactor.ts';
import { quarantineFrame } from './quarantine.ts';
import type { FromRecorder } from './recorder-messages.ts';

export interface Finished {
  readonly frame: Frame;
  readonly frameOutcome: FrameOutcome;
}

export interface EventWriterPorts {
  readonly redactor: LiveRedactor;
  readonly quarantine: string;
  readonly post: (message: FromRecorder) => void;
  /** Transcripts that may have grown, of events that are stored. */
  readonly notes?: SessionNotes;
  /** Repositories and directories where something happened that a later session should know. */
  readonly onPlaces?: (places: readonly string[]) => void;
  readonly onTranscripts?: (candidates: readonly TranscriptCandidate[]) => void;
  /** A session began or ended, and that is stored. */
  readonly onSession?: (change: SessionChange) => void;
  /** The hooks that ran after an event's answer are stored. */
  readonly onRuns?: (stamp: string) => void;
}

export class StoreError extends Error {
  readonly failure: StoreFailure;

  constructor(failure: StoreFailure) {
    super(failure.error);
    this.failure = failure;
  }
}

function pushesIn({ agent, args: [hook, ...args], payload, stamp, cwd }: Frame): Pushed[] {
  if (agent !== GIT_HOOK.agent || hook !== 'pre-push') return [];
  return announcedPushes({ args, input: payload.toString('utf8'), stamp }, cwd);
}

const placesIn = (batch: readonly EventRecord[]): string[] =>
  batch.flatMap(({ ledger = [], names, repo, envelope }) =>
    ledger.length > 0 || names.includes('user_prompt_submit') || names.includes('session_end') ? [repo ?? envelope.projectPath] : [],
  );

/** Throws if the store cannot write now. */
function must(report: RecordReport): Extract<RecordReport, { ok: true }> {
  if (!report.ok) throw new StoreError(report);
  return report;
}

/** Writes finished frames to the store, redacted. */
export class EventWriter {
  readonly #ports: EventWriterPorts;
  stored = 0;

  constructor(ports: EventWriterPorts) {
    this.#ports = ports;
  }

  async write(store: Store, finished: readonly Finished[], later: readonly LaterRuns[]): Promise<void> {
    this.#ports.redactor.refresh();
    const batch = finished.flatMap((one) => this.#records(one));
    if (batch.length > 0) await this.#record(store, batch, finished);
    const pushes = finished.flatMap(({ frame }) => pushesIn(frame));
    if (pushes.length > 0) await this.writePitonEvents(store, { events: [], runs: [], pushes });
    for (const runs of later) {
      must(await store.addRuns(runs.stamp, this.#ports.redactor.value(runs.trace)));
      this.#ports.onRuns?.(runs.stamp);
    }
    if (batch.length === 0) return;
    this.stored += batch.length;
    this.#ports.post({ kind: 'stored', events: batch.length, late: batch.filter((record) => record.late).length });
  }

  /** Piton's events, the runs of their subscriptions, and pushes. */
  async writePitonEvents(store: Store, { events, runs, pushes }: PitonRecords): Promise<void> {
    const { redactor } = this.#ports;
    const redaction = redactor.version;
    const records = events.map(({ event, cwd }) => ({ event: redactor.value(event), projectPath: event.repo ?? cwd, redaction }));
    if (records.length > 0) must(await store.recordPitonEvents(records));
    for (const { id, trace } of runs) must(await store.addSubscriptionRuns(id, redactor.value(trace)));
    for (const { remote, url, ref, ...push } of pushes) {
      const texts = { remote: redactor.text(remote), url: redactor.text(url), ref: redactor.text(ref) };
      must(await store.recordPush({ ...push, ...texts, redaction }));
    }
  }

  /** Throws if the store cannot write now. The frames stay in the journal and are retried. */
  async #record(store: Store, batch: readonly EventRecord[], finished: readonly Finished[]): Promise<void> {
    const report = must(await store.record(batch));
    for (const change of report.sessions) {
      this.#ports.onSession?.(change);
      this.#ports.post({ kind: 'session', change });
    }
    await this.#ports.notes?.after(store, batch, report.events);
    this.#ports.onPlaces?.(placesIn(batch));
    this.#findTranscripts(batch, report.events, finished);
    for (const { eventId, error } of report.rejected) {
      // A derived event has no frame. The frame that it was derived from is quarantined under its id.
      const record = batch.find((one) => one.eventId === eventId);
      const cause = record?.derived ? record.parentId : eventId;
      const frame = finished.find((one) => one.frame.stamp === cause)?.frame;
      if (frame) this.quarantine(eventId, frame.payload, error);
    }
  }

  #findTranscripts(batch: readonly EventRecord[], recorded: readonly RecordedEvent[], finished: readonly Finished[]): void {
    const growing = new Set(
      batch.filter(({ names, derived, canary }) => !derived && !canary && growsTranscript(names)).map(({ eventId }) => eventId),
    );
    if (growing.size === 0) return;
    for (const { frame } of finished) {
      const session = growing.has(frame.stamp) ? recorded.find(({ eventId }) => eventId === frame.stamp)?.session : null;
      if (session) this.#ports.onTranscripts?.(candidatesOf(decodeEvent(frame, agentFor, homedir()), session, homedir(), frame.variables));
    }
  }

  quarantine(name: string, bytes: Uint8Array, why: string): void {
    const { quarantine, redactor } = this.#ports;
    quarantineFrame(quarantine, name, redactor.text(Buffer.from(bytes).toString('utf8')), redactor.text(why));
    this.#reportQuarantined(name, why);
  }

  /** Named by its bytes: however often its journal is replayed, it is kept once. */
  quarantineUnreadable(bytes: Uint8Array, why: string): void {
    this.quarantine(`unreadable-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`, bytes, why);
  }

  /** For a frame whose text cannot be processed: keeps its agent, event, size and hash. */
  quarantineOutline({ stamp, agent, nativeEvent, payload }: Frame, why: string): void {
    const { quarantine, redactor } = this.#ports;
    const sha256 = createHash('sha256').update(payload).digest('hex');
    quarantineFrame(
      quarantine,
      stamp,
      redactor.text(JSON.stringify({ stamp, agent, nativeEvent, bytes: payload.length, sha256 })),
      redactor.text(why),
    );
    this.#reportQuarantined(stamp, why);
  }

  #reportQuarantined(name: string, why: string): void {
    const { quarantine, post } = this.#ports;
    post({ kind: 'problem', what: `frame ${name} was quarantined: ${why}`, remedy: `it is in ${quarantine}. Report this as a bug` });
  }

  #records({ frame, frameOutcome }: Finished): EventRecord[] {
    // A git hook's frame that found no server is not an event. Its pushes are recorded by `pushesIn`, and
    // `piton checkpoints repair` finds the links.
    if (frameOutcome.kind === 'twin' || frame.agent === GIT_HOOK.agent) return [];
    try {
      return recordOf(frame, frameOutcome, agentFor, this.#ports.redactor);
    } catch (error) {
      this.quarantine(frame.stamp, frame.payload, (error as Error).message);
      return [];
    }
  }
}
