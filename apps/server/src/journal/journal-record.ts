import { crc32 } from 'node:zlib';

/** A segment of the journal is a row of records: type, length, checksum, body. */
export const RECORD = {
  /** A frame's body, as it came. */
  frame: 0x46,
  /** A frame that lies in a file of its own beside the segment: its name. */
  frameFile: 0x47,
  /** What became of a frame: JSON with its stamp. Every frame gets one; without it the frame is late. */
  verdict: 0x4f,
  /** Hooks that ran after the answer: JSON with the stamp. */
  runs: 0x52,
  /** One of Piton's own events: JSON. Where somebody is to hear it, it waits for an `ownRuns` with its id. */
  own: 0x45,
  /** What subscriptions did with it: JSON. */
  ownRuns: 0x53,
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

/** Reads whole records; `consumed` is where to go on. A broken one ends the reading: nothing after it can be trusted. */
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
