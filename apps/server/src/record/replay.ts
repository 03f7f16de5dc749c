import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFrame, type Frame, readFrameFile } from '@piton/contracts';
import type { FrameOutcome, LaterRuns } from '@piton/lifecycle';
import type { Store } from '@piton/store';
import { readIfThere, readPart } from '../file-parts.ts';
import { type JournalRecord, RECORD, readRecords } from '../journal/journal-record.ts';
import { noPitonRecords, type PitonRecords, takePitonRecord } from '../journal/piton-records.ts';
import type { Fired } from '../subscriptions/fired.ts';
import type { EventWriter } from './event-writer.ts';
import type { FromRecorder } from './recorder-messages.ts';
import { ReplaySuspects } from './replay-suspects.ts';

const BATCH = 500;
const REPLAYS_BEFORE_ONE_BY_ONE = 2;

interface Orphan {
  readonly frame: Frame;
  frameOutcome: FrameOutcome;
  readonly runs: LaterRuns[];
}

/** Stores the journal of a server that died. A frame without an outcome is late. */
export async function replay(directory: string, store: Store, writer: EventWriter, post: (message: FromRecorder) => void): Promise<void> {
  // Counted once per process: a retry because the store is busy is not a crash.
  if (!begun.has(directory))
    begun.set(directory, countReplay(directory) > REPLAYS_BEFORE_ONE_BY_ONE ? new ReplaySuspects(directory) : undefined);
  const suspects = begun.get(directory);
  const orphans = new Map<string, Orphan>();
  const pitonRecords = noPitonRecords();
  const segments = readdirSync(directory).filter((name) => name.endsWith('.log'));
  for (const name of segments.sort()) {
    const path = join(directory, name);
    const { records, broken } = readRecords(readPart(path, 0, statSync(path).size));
    if (broken)
      post({
        kind: 'problem',
        what: `the journal ${name} of an earlier server is damaged at its end`,
        remedy: 'nothing to do. It was read up to there',
      });
    for (const record of records) if (!takePitonRecord(pitonRecords, record)) collect(record, directory, orphans, writer);
  }
  const all = [...orphans.values()];
  if (suspects) await writeOneByOne(all, suspects, store, writer);
  else for (let at = 0; at < all.length; at += BATCH) await writeAll(all.slice(at, at + BATCH), store, writer);
  await writer.writePitonEvents(store, pitonRecords);
  for (const fired of undelivered(pitonRecords)) post({ kind: 'undelivered', fired });
  post({ kind: 'replayed', directory });
}

/** Events whose delivery was not finished. They are delivered again. */
function undelivered({ events, runs }: PitonRecords): Fired[] {
  const delivered = new Set(runs.map(({ id }) => id));
  const last = new Map(events.filter(({ waits, event }) => waits && !delivered.has(event.id)).map((one) => [one.event.id, one]));
  return [...last.values()].map(({ waits: _, ...fired }) => fired);
}

/** The journals whose replay this process has begun, with the suspects of those that are stored one by one. */
const begun = new Map<string, ReplaySuspects | undefined>();

async function writeAll(part: readonly Orphan[], store: Store, writer: EventWriter): Promise<void> {
  const runs = part.flatMap((orphan) => orphan.runs);
  await writer.write(store, part, runs);
}

/** Suspects come last: who is killed beside them has stored the others. */
async function writeOneByOne(all: readonly Orphan[], suspects: ReplaySuspects, store: Store, writer: EventWriter): Promise<void> {
  const inOrder = [...all].sort((one, other) => suspects.deathsAt(one.frame.stamp) - suspects.deathsAt(other.frame.stamp));
  try {
    for (const orphan of inOrder) {
      if (suspects.isDeadly(orphan.frame.stamp)) quarantineDeadly(orphan.frame, suspects, writer);
      else {
        suspects.begin(orphan.frame.stamp);
        await writeAll([orphan], store, writer);
      }
    }
  } finally {
    suspects.end();
  }
}

/** It is redacted and quarantined. If that is deadly too, only an outline is kept: no raw text outside the journal. */
function quarantineDeadly(frame: Frame, suspects: ReplaySuspects, writer: EventWriter): void {
  const redaction = `${frame.stamp} redacting`;
  if (suspects.isDeadly(redaction)) {
    writer.quarantineOutline(frame, 'it crashed the server three times, and then its redaction did too');
    return;
  }
  suspects.begin(redaction);
  writer.quarantine(frame.stamp, frame.payload, 'it crashed the server three times');
}

function collect(record: JournalRecord, directory: string, orphans: Map<string, Orphan>, writer: EventWriter): void {
  if (record.type === RECORD.frame || record.type === RECORD.frameFile) {
    const frame = frameOf(record, directory);
    if (frame === undefined) return; // its file was removed when it was stored
    if (frame.ok)
      orphans.set(frame.frame.stamp, { frame: frame.frame, frameOutcome: { stamp: frame.frame.stamp, kind: 'late' }, runs: [] });
    else writer.quarantineUnreadable(record.body, frame.error);
    return;
  }
  const parsed = JSON.parse(record.body.toString('utf8')) as FrameOutcome | LaterRuns;
  const orphan = orphans.get(parsed.stamp);
  if (orphan && record.type === RECORD.outcome) orphan.frameOutcome = parsed as FrameOutcome;
  if (orphan && record.type === RECORD.runs) orphan.runs.push(parsed as LaterRuns);
}

function frameOf(record: JournalRecord, directory: string): ReturnType<typeof decodeFrame> | undefined {
  if (record.type === RECORD.frame) return decodeFrame(record.body);
  const bytes = readIfThere(join(directory, record.body.toString('utf8')));
  return bytes && readFrameFile(bytes);
}

function countReplay(directory: string): number {
  const file = join(directory, 'replays');
  const count = Number(readIfThere(file)?.toString() ?? 0) + 1;
  writeFileSync(file, String(count), { mode: 0o600 });
  return count;
}
