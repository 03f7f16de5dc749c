import { crc32 } from 'node:zlib';

/** A journal segment is a sequence of records: type, length, checksum, body. */
export const RECORD = {
  /** A frame's body, as received. */
  frame: 0x46,
  /** The name of a file next to the segment that holds one large frame. */
  frameFile: 0x47,
  /** The outcome of a frame: JSON with its stamp. A frame without one is late. */
  outcome: 0x4f,
  /** Hooks that ran after the answer: JSON with the stamp. */
  runs: 0x52,
  /** An event that Piton emits: JSON. If it has subscribers, it waits for a `subscriptionRuns` with its id. */
  pitonEvent: 0x45,
  /** The runs of its subscriptions: JSON. */
  subscriptionRuns: 0x53,
  /** What git was about to push: JSON. */
  push: 0x50,
} as const;

const HEAD = 9;

export interface JournalRecord {
  readonly type: number;
  readonly body: Buffer;
}

export function journalRecord(type: number, body: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(HEAD + body.length);
  record.writeUInt8(type);
  record.writeUInt32LE(body.length, 1);
  record.writeUInt32LE(crc32(body), 5);
  record.set(body, HEAD);
  return record;
}

/** Reads whole records; `consumed` is where to continue. Reading ends at a broken record: nothing after it can be trusted. */
export function readRecords(bytes: Buffer): { records: JournalRecord[]; consumed: number; broken: boolean } {
  const records: JournalRecord[] = [];
  let at = 0;
  while (bytes.length - at >= HEAD) {
    const length = bytes.readUInt32LE(at + 1);
    if (bytes.length - at - HEAD < length) break;
    const body = bytes.subarray(at + HEAD, at + HEAD + length);
    if (crc32(body) !== bytes.readUInt32LE(at + 5)) return { records, consumed: at, broken: true };
    records.push({ type: bytes.readUInt8(at), body });
    at += HEAD + length;
  }
  return { records, consumed: at, broken: false };
}
