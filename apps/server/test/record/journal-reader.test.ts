import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@piton/store';
import { execute } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { journalRecord, RECORD } from '../../src/journal/journal-record.ts';
import { EventWriter } from '../../src/record/event-writer.ts';
import { JournalReader } from '../../src/record/journal-reader.ts';
import { liveRedactor } from '../../src/record/live-redactor.ts';
import type { FromRecorder } from '../../src/record/recorder-messages.ts';

const SEGMENT = '00000001.log';
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FA1';
let directory: string;
let store: Store;
let posted: FromRecorder['kind'][];
let reader: JournalReader;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'piton-reader-'));
  const opened = await openStore({ kind: 'sqlite', file: join(directory, 'piton.db') });
  if (!opened.ok) throw new Error(opened.error);
  store = opened.store;
  posted = [];
  const post = ({ kind }: FromRecorder): void => void posted.push(kind);
  const redactor = liveRedactor(Buffer.alloc(32, 1), directory, () => {});
  reader = new JournalReader({
    directory,
    writer: new EventWriter({ redactor, quarantine: join(directory, 'aside'), post }),
    post,
    beforeStore: () => {},
  });
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Appends a record to the journal and reads it. */
async function grow(type: number, value: object, sealed = true): Promise<boolean> {
  const path = join(directory, SEGMENT);
  appendFileSync(path, journalRecord(type, Buffer.from(JSON.stringify(value))));
  reader.grown(SEGMENT, statSync(path).size, sealed);
  return reader.readOn(store);
}
const own = (waits: boolean) => ({
  ...{ cwd: '/w', sessionRoot: null, child: false, attempt: 1, waits },
  event: {
    ...{ event: 'session-ended', id: ID, time: '2026-01-05T12:00:00.000Z', checkpoint_id: null, commit_sha: null },
    ...{ session_id: 's', agent: 'claude', branch: null, repo: null, reason: null },
  },
});

it('an event of Piton is stored at once, and its segment stays until it is delivered', async () => {
  expect(await grow(RECORD.pitonEvent, own(true))).toBe(false);
  expect(await store.pitonEvents({})).toHaveLength(1);
  expect(posted).toEqual([]);
  expect(await grow(RECORD.subscriptionRuns, { id: ID, trace: [] })).toBe(true);
  expect(posted).toEqual(['segment-done', 'drained']);
});

it('one without subscribers does not keep its segment', async () => {
  expect(await grow(RECORD.pitonEvent, own(false))).toBe(true);
  expect(posted).toEqual(['segment-done', 'drained']);
});

it('records that the store could not write are read again, and counted once', async () => {
  const path = join(directory, 'piton.db');
  execute(path, `CREATE TRIGGER none BEFORE INSERT ON own_events BEGIN SELECT RAISE(ABORT, 'not now'); END`);
  await expect(grow(RECORD.pitonEvent, own(true), false)).rejects.toThrow('not now');
  execute(path, 'DROP TRIGGER none');
  expect(await reader.readOn(store)).toBe(false);
  expect(await grow(RECORD.subscriptionRuns, { id: ID, trace: [] })).toBe(true);
  expect(await store.pitonEvents({})).toHaveLength(1);
});
