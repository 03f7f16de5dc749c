import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAGIC } from '@piton/contracts';
import { startTimeOf } from '../process/processes.ts';
import { journalRecord, RECORD } from './journal-record.ts';

const SEGMENT_LIMIT = 1024 * 1024;
/** A larger frame gets its own file, written asynchronously: it must not delay the answers of other agents. */
const LARGE = 256 * 1024;
const RETRY_MS = 1000;
const ANNOUNCE_MS = 50;

export interface JournalPorts {
  readonly directory: string;
  /** A segment has grown to this size, and the recorder can continue reading. A sealed one grows no more. */
  readonly grown: (segment: string, size: number, sealed: boolean) => void;
  readonly reportProblem: (what: string, remedy: string) => void;
}

/**
 * Frames that are not in the store yet. One append makes a frame durable before its answer. The recorder reads the
 * same file, so nothing is queued in memory. Segments end at 1 MiB and are removed once they are stored.
 */
export class Journal {
  readonly directory: string;
  readonly #ports: JournalPorts;
  #number = 0;
  #fd = -1;
  #size = 0;
  #announcement: NodeJS.Timeout | undefined;
  #unwritten: Buffer[] = [];
  #files = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(ports: JournalPorts) {
    this.#ports = ports;
    this.directory = ports.directory;
    try {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.directory, 'pid'), `${process.pid} ${startTimeOf(process.pid)}\n`, { mode: 0o600 });
    } catch (error) {
      ports.reportProblem(`cannot write the journal: ${(error as Error).message}`, 'free disk space, or make the directory writable');
    }
  }

  /** True once the frame is durable; false when it is only held in memory. */
  async appendFrame(stamp: string, body: Buffer): Promise<boolean> {
    if (body.length <= LARGE) return this.#append(RECORD.frame, body);
    // Never overwrites: the same stamp may come twice, and the recorder may be reading the first.
    const name = `${stamp}-${++this.#files}.frame`;
    try {
      await writeFile(join(this.directory, name), Buffer.concat([MAGIC, body]), { mode: 0o600 });
    } catch (error) {
      this.#ports.reportProblem(`could not write a large frame to the journal: ${(error as Error).message}`, 'free disk space');
      return this.#append(RECORD.frame, body);
    }
    return this.#append(RECORD.frameFile, Buffer.from(name));
  }

  /** The common case, without a promise: most frames are small. */
  appendSmallFrame(body: Buffer): boolean {
    return this.#append(RECORD.frame, body);
  }

  isSmall(body: Buffer): boolean {
    return body.length <= LARGE;
  }

  appendOutcome(frameOutcome: object): boolean {
    return this.#append(RECORD.outcome, Buffer.from(JSON.stringify(frameOutcome)));
  }

  appendRuns(runs: object): boolean {
    return this.#append(RECORD.runs, Buffer.from(JSON.stringify(runs)));
  }

  appendPitonEvent(fired: object): boolean {
    return this.#append(RECORD.pitonEvent, Buffer.from(JSON.stringify(fired)));
  }

  appendSubscriptionRuns(runs: object): boolean {
    return this.#append(RECORD.subscriptionRuns, Buffer.from(JSON.stringify(runs)));
  }

  appendPush(push: object): boolean {
    return this.#append(RECORD.push, Buffer.from(JSON.stringify(push)));
  }

  /** The recorder has stored everything in this segment. */
  remove(segment: string): void {
    unlinkQuietly(join(this.directory, segment));
  }

  /** Closes the segment, so that it can be removed once it is stored. */
  rotate(): void {
    if (this.#fd < 0) return;
    closeSync(this.#fd);
    this.#fd = -1;
    this.#ports.grown(this.#path(), this.#size, true);
  }

  /** Reports the size of the journal to the recorder now. */
  announce(): void {
    clearTimeout(this.#announcement);
    this.#announcement = undefined;
    if (this.#fd >= 0) this.#ports.grown(this.#path(), this.#size, false);
  }

  get held(): number {
    return this.#unwritten.length;
  }

  close(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#announcement);
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  /** Deletes the journal once everything is stored. */
  discard(): void {
    this.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #path(): string {
    return `${String(this.#number).padStart(8, '0')}.log`;
  }

  #append(type: number, body: Uint8Array): boolean {
    const record = journalRecord(type, body);
    // Order matters: records that could not be written before go first.
    if (this.#unwritten.length > 0) {
      this.#unwritten.push(record);
      return false;
    }
    return this.#write(record);
  }

  #write(record: Buffer): boolean {
    try {
      if (this.#fd < 0 || this.#size >= SEGMENT_LIMIT) this.#open();
      writeWhole(this.#fd, record, this.#size);
      this.#size += record.length;
      this.#announce();
      return true;
    } catch (error) {
      this.#hold(record, error as Error);
      return false;
    }
  }

  #open(): void {
    this.rotate();
    this.#number += 1;
    this.#size = 0;
    this.#fd = openSync(join(this.directory, this.#path()), 'wx', 0o600);
  }

  #hold(record: Buffer, error: Error): void {
    this.#unwritten.push(record);
    this.#ports.reportProblem(`cannot write the journal: ${error.message}`, 'free disk space. Events are kept in memory until then');
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      const waiting = this.#unwritten;
      this.#unwritten = [];
      for (const held of waiting) this.#unwritten.length > 0 ? this.#unwritten.push(held) : this.#write(held);
    }, RETRY_MS).unref();
  }

  /** Not for every frame: a burst is stored in one transaction. */
  #announce(): void {
    this.#announcement ??= setTimeout(() => this.announce(), ANNOUNCE_MS);
  }
}

/** A record is whole or absent: a partial write on a full disk is truncated. */
function writeWhole(fd: number, record: Buffer, size: number): void {
  let at = 0;
  try {
    while (at < record.length) at += writeSync(fd, record, at, record.length - at, size + at);
  } catch (error) {
    if (at > 0) ftruncateSync(fd, size);
    throw error;
  }
}

export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already gone.
  }
}
