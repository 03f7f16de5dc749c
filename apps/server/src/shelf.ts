import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { speakerOf } from '@piton/agents';
import { type Frame, GIT_HOOK } from '@piton/contracts';
import type { EventRecord, RecordedEvent, RecordReport, Store, StoreFailure } from '@piton/store';
import { setAside } from './aside.ts';
import { pushesSaid } from './checkpoints/pushes.ts';
import { hear } from './hearing.ts';
import type { LiveRedactor } from './live-redactor.ts';
import type { OwnPart, Pushed } from './own-journal.ts';
import type { FromRecorder } from './recorder-messages.ts';
import { recordOf } from './recording.ts';
import { isMoment, type Sight, sightsOf } from './transcripts/sight.ts';
import type { LaterRuns, Verdict } from './verdict.ts';

export interface Finished {
  readonly frame: Frame;
  readonly verdict: Verdict;
}

export interface ShelfPorts {
  readonly redactor: LiveRedactor;
  readonly aside: string;
  readonly say: (message: FromRecorder) => void;
  /** Transcripts that may have grown, of events that are stored. */
  readonly seen?: (sights: readonly Sight[]) => void;
}

export class StoreTrouble extends Error {
  readonly failure: StoreFailure;

  constructor(failure: StoreFailure) {
    super(failure.error);
    this.failure = failure;
  }
}

function pushesIn({ agent, args: [hook, ...args], payload, stamp, cwd }: Frame): Pushed[] {
  if (agent !== GIT_HOOK.agent || hook !== 'pre-push') return [];
  return pushesSaid({ args, input: payload.toString('utf8'), stamp }, cwd);
}

/** Throws when the store cannot take it now. */
function must(report: RecordReport): Extract<RecordReport, { ok: true }> {
  if (!report.ok) throw new StoreTrouble(report);
  return report;
}

/** Puts finished frames into the store, redacted. */
export class Shelf {
  readonly #ports: ShelfPorts;
  stored = 0;

  constructor(ports: ShelfPorts) {
    this.#ports = ports;
  }

  async put(store: Store, finished: readonly Finished[], later: readonly LaterRuns[]): Promise<void> {
    this.#ports.redactor.refresh();
    const batch = finished.flatMap((one) => this.#records(one));
    if (batch.length > 0) await this.#record(store, batch, finished);
    const pushes = finished.flatMap(({ frame }) => pushesIn(frame));
    if (pushes.length > 0) await this.putOwn(store, { events: [], runs: [], pushes });
    for (const runs of later) {
      must(await store.addRuns(runs.stamp, this.#ports.redactor.value(runs.trace)));
    }
    if (batch.length === 0) return;
    this.stored += batch.length;
    this.#ports.say({ kind: 'stored', events: batch.length, late: batch.filter((record) => record.late).length });
  }

  /** Piton's own events, what subscriptions did with them, and what was pushed. */
  async putOwn(store: Store, { events, runs, pushes }: OwnPart): Promise<void> {
    const { redactor } = this.#ports;
    const redaction = redactor.version;
    const records = events.map(({ event, cwd }) => ({ event: redactor.value(event), projectPath: event.repo ?? cwd, redaction }));
    if (records.length > 0) must(await store.recordOwn(records));
    for (const { id, trace } of runs) must(await store.addOwnRuns(id, redactor.value(trace)));
    for (const { remote, url, ref, ...push } of pushes) {
      const words = { remote: redactor.text(remote), url: redactor.text(url), ref: redactor.text(ref) };
      must(await store.recordPush({ ...push, ...words, redaction }));
    }
  }

  /** Throws when the store cannot take it now: the journal keeps it, and it is tried again. */
  async #record(store: Store, batch: readonly EventRecord[], finished: readonly Finished[]): Promise<void> {
    const report = must(await store.record(batch));
    for (const change of report.sessions) this.#ports.say({ kind: 'session', change });
    this.#look(batch, report.events, finished);
    for (const { eventId, error } of report.rejected) {
      // One that was derived has no frame of its own: what it was made of is kept under its name.
      const record = batch.find((one) => one.eventId === eventId);
      const cause = record?.derived ? record.parentId : eventId;
      const frame = finished.find((one) => one.frame.stamp === cause)?.frame;
      if (frame) this.setAside(eventId, frame.payload, error);
    }
  }

  #look(batch: readonly EventRecord[], recorded: readonly RecordedEvent[], finished: readonly Finished[]): void {
    const moments = new Set(
      batch.filter(({ names, derived, canary }) => !derived && !canary && isMoment(names)).map(({ eventId }) => eventId),
    );
    if (moments.size === 0) return;
    for (const { frame } of finished) {
      const session = moments.has(frame.stamp) ? recorded.find(({ eventId }) => eventId === frame.stamp)?.session : null;
      if (session) this.#ports.seen?.(sightsOf(hear(frame, speakerOf), session, homedir(), frame.variables));
    }
  }

  setAside(name: string, bytes: Uint8Array, why: string): void {
    const { aside, redactor } = this.#ports;
    setAside(aside, name, redactor.text(Buffer.from(bytes).toString('utf8')), redactor.text(why));
    this.#tell(name, why);
  }

  /** For a frame whose text nobody can work on: what it was, how long, and its hash. */
  keepOutline({ stamp, agent, nativeEvent, payload }: Frame, why: string): void {
    const { aside, redactor } = this.#ports;
    const sha256 = createHash('sha256').update(payload).digest('hex');
    setAside(aside, stamp, redactor.text(JSON.stringify({ stamp, agent, nativeEvent, bytes: payload.length, sha256 })), redactor.text(why));
    this.#tell(stamp, why);
  }

  #tell(name: string, why: string): void {
    const { aside, say } = this.#ports;
    say({ kind: 'trouble', what: `the frame ${name} was set aside: ${why}`, remedy: `it lies in ${aside}; please report it` });
  }

  #records({ frame, verdict }: Finished): EventRecord[] {
    // What git told its hook while nobody listened is no event: `pushes` takes what it said of a push, and
    // `piton checkpoints repair` finds the links.
    if (verdict.kind === 'twin' || frame.agent === GIT_HOOK.agent) return [];
    try {
      return recordOf(frame, verdict, speakerOf, this.#ports.redactor);
    } catch (error) {
      this.setAside(frame.stamp, frame.payload, (error as Error).message);
      return [];
    }
  }
}
