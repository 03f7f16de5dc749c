import { MAX_TEAM_BATCH_BYTES, MAX_TEAM_RECORDS, machineSource, recordId, type TeamCloudEvent } from '@piton/contracts/team';
import type { ChangeStore } from '@piton/store';
import { type RecordPorts, recordOf } from './records.ts';

/** What leaves at once. */
export interface Batch {
  readonly after: number;
  /** Everything up to it that may leave is in it, or was in an earlier one. */
  readonly through: number;
  readonly records: number;
  /** The very bytes, before they are packed: a JSON array with a record on each line. */
  readonly text: string;
}

export interface BatchOptions {
  /** What the server has. */
  readonly after: number;
  /** Up to here nothing else may leave. */
  readonly scanned: number;
  /** A store before this one was lost: the server has no more of it to come. */
  readonly replaced: boolean;
  readonly now: () => number;
}

/** The reading of a store goes on for so long, so that one that may send nothing does not stop at the same place for ever. */
const MOST_SCANNED = 5000;
const PART = 500;

/** The next batch; without records if nothing may leave. */
export async function nextBatch(store: ChangeStore, ports: RecordPorts, options: BatchOptions): Promise<Batch> {
  const { after, now } = options;
  const lines: string[] = [];
  let bytes = 0;
  let through = Math.max(after, options.scanned);
  let gone: { from: number; through: number } | undefined;
  const add = (record: TeamCloudEvent): boolean => {
    const line = JSON.stringify(record);
    const size = Buffer.byteLength(line) + 2;
    if (lines.length > 0 && (lines.length >= MAX_TEAM_RECORDS || bytes + size > MAX_TEAM_BATCH_BYTES)) return false;
    lines.push(line);
    bytes += size;
    return true;
  };
  const addGap = (): boolean => {
    if (gone === undefined) return true;
    const added = add(gapRecord({ reason: 'removed', ...gone }, now(), ports));
    if (added) gone = undefined;
    return added;
  };
  if (options.replaced) add(gapRecord({ reason: 'store', from: 0, through: 0 }, now(), ports));

  let scanned = 0;
  reading: while (scanned < MOST_SCANNED && lines.length < MAX_TEAM_RECORDS) {
    const changes = await store.changesSince(through, PART);
    for (const change of changes) {
      scanned++;
      const changed = await store.loadChange(change);
      if (changed === undefined) {
        gone = { from: gone?.from ?? change.seq, through: change.seq };
        through = change.seq;
        continue;
      }
      const record = await recordOf(change, changed, ports);
      // A gap is told before what comes after it, or the next batch begins with both.
      if (record !== undefined && (!addGap() || !add(record))) break reading;
      through = change.seq;
    }
    if (changes.length < PART) break;
  }
  if (gone !== undefined && !addGap()) through = gone.from - 1;
  return { after, through, records: lines.length, text: `[${lines.join(',\n')}]\n` };
}

function gapRecord(
  gap: { readonly reason: 'removed' | 'store'; readonly from: number; readonly through: number },
  now: number,
  { machine, store }: RecordPorts,
): TeamCloudEvent {
  const time = new Date(now).toISOString();
  return {
    ...{ specversion: '1.0', id: recordId(store, gap.from), source: machineSource(machine), type: 'piton.gap.v1', time },
    ...{ datacontenttype: 'application/json', pitonchange: String(gap.from), data: { ...gap, at: time } },
  };
}
