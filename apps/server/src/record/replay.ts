import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFrame, type Frame, readFrameFile } from '@piton/contracts';
import type { FrameOutcome, LaterRuns } from '@piton/lifecycle';
import type { Store } from '@piton/store';
import { readIfThere, readPart } from '../file-parts.ts';
import { unlinkQuietly } from '../journal/journal.ts';
import { type JournalRecord, RECORD, readRecords } from '../journal/journal-record.ts';
import { noOwnPart, type OwnPart, takeOwn } from '../journal/own-journal.ts';
import type { Fired } from '../subscriptions/fired.ts';
import type { EventWriter } from './event-writer.ts';
import type { FromRecorder } from './recorder-messages.ts';

const BATCH = 500;
const WORKING_ON = 'working-on';
const REPLAYS_BEFORE_CARE = 2;

interface Orphan {
  readonly frame: Frame;
  verdict: FrameOutcome;
  readonly runs: LaterRuns[];
}

/** The journal of a server that died: what has no verdict is late. */
export async function replay(directory: string, store: Store, writer: EventWriter, say: (message: FromRecorder) => void): Promise<void> {
  // Once in a process: a store that is busy is no crash.
  if (!begun.has(directory)) begun.set(directory, countReplay(directory));
  const careful = (begun.get(directory) ?? 0) > REPLAYS_BEFORE_CARE;
  const orphans = new Map<string, Orphan>();
  const own = noOwnPart();
  const segments = readdirSync(directory).filter((name) => name.endsWith('.log'));
  for (const name of segments.sort()) {
    const path = join(directory, name);
    const { records, broken } = readRecords(readPart(path, 0, statSync(path).size));
    if (broken)
      say({
        kind: 'trouble',
        what: `the journal ${name} of an earlier server is damaged at its end`,
        remedy: 'nothing to do. It was read up to there',
      });
    for (const record of records) if (!takeOwn(own, record)) collect(record, directory, orphans, writer);
  }
  const all = [...orphans.values()];
  for (let at = 0; at < all.length; at += careful ? 1 : BATCH) {
    const part = all.slice(at, at + (careful ? 1 : BATCH));
    const [first] = part;
    if (!careful || !first || !quarantinePoison(directory, writer, first.frame)) await putPart(directory, store, writer, part);
  }
  await writer.writePitonEvents(store, own);
  for (const fired of untold(own)) say({ kind: 'own-pending', fired });
  say({ kind: 'replayed', directory });
}

/** What somebody was to hear, and perhaps has not: it is told again. */
function untold({ events, runs }: OwnPart): Fired[] {
  const told = new Set(runs.map(({ id }) => id));
  const last = new Map(events.filter(({ waits, event }) => waits && !told.has(event.id)).map((one) => [one.event.id, one]));
  return [...last.values()].map(({ waits: _, ...fired }) => fired);
}

/** How often the journal of each directory had been begun when this process did so. */
const begun = new Map<string, number>();

async function putPart(directory: string, store: Store, writer: EventWriter, part: readonly Orphan[]): Promise<void> {
  const runs = part.flatMap((orphan) => orphan.runs);
  try {
    await writer.write(store, part, runs);
  } catch (error) {
    unlinkQuietly(join(directory, WORKING_ON)); // it is alive: nobody died over this
    throw error;
  }
}

function collect(record: JournalRecord, directory: string, orphans: Map<string, Orphan>, writer: EventWriter): void {
  if (record.type === RECORD.frame || record.type === RECORD.frameFile) {
    const frame = frameOf(record, directory);
    if (frame === undefined) return; // its file went when it was stored
    if (frame.ok) orphans.set(frame.frame.stamp, { frame: frame.frame, verdict: { stamp: frame.frame.stamp, kind: 'late' }, runs: [] });
    else writer.quarantine(`unreadable-${Date.now()}`, record.body, frame.error);
    return;
  }
  const said = JSON.parse(record.body.toString('utf8')) as FrameOutcome | LaterRuns;
  const orphan = orphans.get(said.stamp);
  if (orphan && record.type === RECORD.verdict) orphan.verdict = said as FrameOutcome;
  if (orphan && record.type === RECORD.runs) orphan.runs.push(said as LaterRuns);
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

/**
 * In careful mode the frame that is worked on is named on disk first; whoever finds its name there died over it. Then it
 * is redacted and set aside, and if that was deadly too, only what it was is kept: no raw text outside the journal.
 */
function quarantinePoison(directory: string, writer: EventWriter, frame: Frame): boolean {
  const file = join(directory, WORKING_ON);
  const redacting = `${frame.stamp} redacting`;
  const found = readIfThere(file)?.toString();
  if (found === redacting) {
    writer.quarantineOutline(frame, 'it crashed the server three times, and then its redaction did too');
    return true;
  }
  const deadly = found === frame.stamp;
  writeFileSync(file, deadly ? redacting : frame.stamp, { mode: 0o600 });
  if (deadly) writer.quarantine(frame.stamp, frame.payload, 'it crashed the server three times');
  return deadly;
}
