import { join } from 'node:path';
import { decodeFrame, type Frame, readFrameFile } from '@piton/contracts';
import type { FrameOutcome, LaterRuns } from '@piton/lifecycle';
import type { Store } from '@piton/store';
import { readIfThere, readPart } from '../file-parts.ts';
import { unlinkQuietly } from '../journal/journal.ts';
import { type JournalRecord, RECORD, readRecords } from '../journal/journal-record.ts';
import { noPitonRecords, type PitonRecords, takePitonRecord } from '../journal/piton-records.ts';
import type { EventWriter, Finished } from './event-writer.ts';
import type { FromRecorder } from './recorder-messages.ts';

const CHUNK = 4 * 1024 * 1024;
const BATCH = 500;

interface Segment {
  size: number;
  sealed: boolean;
  at: number;
  /** Frames of this segment without an outcome, and Piton's events that are not delivered yet. */
  waiting: number;
}
interface Waiting {
  readonly frame: Frame;
  readonly segment: Segment;
  readonly file: string | null;
}

export interface JournalReaderPorts {
  readonly directory: string;
  readonly writer: EventWriter;
  readonly post: (message: FromRecorder) => void;
  readonly beforeStore: () => void;
}

/** Reads the journal of the running server as it grows. */
export class JournalReader {
  readonly #ports: JournalReaderPorts;
  readonly #segments = new Map<string, Segment>();
  readonly #waiting = new Map<string, Waiting>();
  /** Piton's events, by id. */
  readonly #undelivered = new Map<string, Segment>();

  constructor(ports: JournalReaderPorts) {
    this.#ports = ports;
  }

  grown(name: string, size: number, sealed: boolean): void {
    const segment = this.#segments.get(name) ?? { size: 0, sealed: false, at: 0, waiting: 0 };
    segment.size = Math.max(segment.size, size);
    segment.sealed ||= sealed;
    this.#segments.set(name, segment);
  }

  /** True when all that was announced is stored. */
  async readOn(store: Store): Promise<boolean> {
    for (const [name, segment] of this.#segments) {
      while (segment.at < segment.size) await this.#readChunk(store, name, segment);
      // A frame's outcome may be in a later segment. The frame's segment stays until then.
    }
    for (const [name, segment] of this.#segments) {
      if (!segment.sealed || segment.at < segment.size || segment.waiting > 0) continue;
      this.#segments.delete(name);
      this.#ports.post({ kind: 'segment-done', segment: name });
    }
    const drained = this.#waiting.size === 0 && this.#undelivered.size === 0;
    if (drained) this.#ports.post({ kind: 'drained' });
    return drained;
  }

  /** Reads, stores, and only then moves on: a crash in between reads the same records again. */
  async #readChunk(store: Store, name: string, segment: Segment): Promise<void> {
    const path = join(this.#ports.directory, name);
    const rest = segment.size - segment.at;
    let { records, consumed, broken } = readRecords(readPart(path, segment.at, Math.min(CHUNK, rest)));
    if (consumed === 0 && !broken) ({ records, consumed, broken } = readRecords(readPart(path, segment.at, rest)));
    for (let at = 0; at < records.length; at += BATCH) await this.#store(store, records.slice(at, at + BATCH), segment);
    if (!broken && consumed > 0) {
      segment.at += consumed;
      return;
    }
    segment.at = segment.size;
    this.#ports.post({ kind: 'problem', what: `the journal ${path} is damaged. It was read up to the damage`, remedy: 'check the disk' });
  }

  async #store(store: Store, records: readonly JournalRecord[], segment: Segment): Promise<void> {
    const done: (Waiting & Finished)[] = [];
    const later: LaterRuns[] = [];
    const pitonRecords = noPitonRecords();
    for (const record of records) {
      if (takePitonRecord(pitonRecords, record)) continue;
      if (record.type === RECORD.frame || record.type === RECORD.frameFile) this.#hold(record, segment);
      else if (record.type === RECORD.runs) later.push(JSON.parse(record.body.toString('utf8')) as LaterRuns);
      else if (record.type === RECORD.outcome) {
        const frameOutcome = JSON.parse(record.body.toString('utf8')) as FrameOutcome;
        const held = this.#waiting.get(frameOutcome.stamp);
        this.#waiting.delete(frameOutcome.stamp);
        if (held) done.push({ ...held, frameOutcome });
      }
    }
    this.#ports.beforeStore();
    try {
      await this.#ports.writer.write(store, done, later);
      this.#keepUndelivered(pitonRecords, segment);
      await this.#ports.writer.writePitonEvents(store, pitonRecords);
    } catch (error) {
      // The same records will be read again; a frame of an earlier chunk must still be there then.
      for (const held of done) this.#waiting.set(held.frame.stamp, held);
      throw error;
    }
    for (const { id } of pitonRecords.runs) {
      const home = this.#undelivered.get(id);
      this.#undelivered.delete(id);
      if (home) home.waiting -= 1;
    }
    for (const { segment: home, file } of done) {
      home.waiting -= 1;
      if (file) unlinkQuietly(file);
    }
  }

  /** The segment stays until the event is delivered: if this server dies, the next one finds it there. */
  #keepUndelivered({ events }: PitonRecords, segment: Segment): void {
    for (const { waits, event } of events) {
      if (!waits || this.#undelivered.has(event.id)) continue;
      this.#undelivered.set(event.id, segment);
      segment.waiting += 1;
    }
  }

  #hold(record: JournalRecord, segment: Segment): void {
    const file = record.type === RECORD.frameFile ? join(this.#ports.directory, record.body.toString('utf8')) : null;
    // A copy: the chunk that it was read from is far larger than most frames.
    const bytes = file ? readIfThere(file) : Buffer.from(record.body);
    if (bytes === undefined) return; // already stored: its file was removed then
    const result = file ? readFrameFile(bytes) : decodeFrame(bytes);
    if (!result.ok) return this.#ports.writer.quarantineUnreadable(bytes, result.error);
    // The same stamp twice is a frame that was sent again. The outcome will be for the later one.
    const earlier = this.#waiting.get(result.frame.stamp);
    if (earlier) earlier.segment.waiting -= 1;
    segment.waiting += 1;
    this.#waiting.set(result.frame.stamp, { frame: result.frame, segment, file });
  }
}
