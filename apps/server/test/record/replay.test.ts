import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFrame, type Frame } from '@piton/contracts';
import { openStore, type Store } from '@piton/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { journalRecord, RECORD } from '../../src/journal/journal-record.ts';
import { EventWriter } from '../../src/record/event-writer.ts';
import { liveRedactor } from '../../src/record/live-redactor.ts';
import type { FromRecorder } from '../../src/record/recorder-messages.ts';
import { replay } from '../../src/record/replay.ts';

const SECRET = `ghp${'_'}${'Q7w'.repeat(12)}`;
const STAMP = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
let root: string;
let store: Store;
let posted: FromRecorder[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'piton-replay-'));
  posted = [];
  const opened = await openStore({ kind: 'sqlite', file: join(root, 'store.db') }, {});
  if (!opened.ok) throw new Error(opened.error);
  store = opened.store;
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

const frame: Frame = {
  agent: 'claude',
  nativeEvent: 'PreToolUse',
  scope: 'user',
  timeoutMs: 60_000,
  args: [],
  stamp: STAMP,
  bootId: 'boot',
  wallUs: 1_700_000_000_000_000n,
  monotonicUs: 1n,
  pid: 1,
  ppid: 1,
  depth: 0,
  run: '',
  cwd: '/w',
  terminal: false,
  truncated: false,
  resent: false,
  variables: {},
  sender: 'test',
  canary: '',
  payloadSize: 0,
  payload: Buffer.from(JSON.stringify({ session_id: 's', tool_name: 'Bash', tool_input: { command: `echo ${SECRET}` } })),
};

/** The journal of a server that crashed for the third time, and the frame that it was working on. */
async function replayAfter(workingOn: string): Promise<void> {
  const directory = join(root, 'journal');
  mkdirSync(directory);
  const bytes = encodeFrame(frame);
  // On the wire a frame is magic, length, body; the journal keeps the body.
  writeFileSync(join(directory, '000001.log'), journalRecord(RECORD.frame, bytes.subarray(bytes.length - bodyLength(bytes))));
  writeFileSync(join(directory, 'replays'), '3');
  writeFileSync(join(directory, 'working-on'), workingOn);
  const redactor = liveRedactor(Buffer.alloc(32, 2), root, () => {});
  const post = (message: FromRecorder) => posted.push(message);
  await replay(directory, store, new EventWriter({ redactor, quarantine: join(root, 'aside'), post }), post);
}
const bodyLength = (bytes: Buffer): number => bytes.readUInt32LE(4);
const quarantined = (): string[] => readdirSync(join(root, 'aside')).map((name) => readFileSync(join(root, 'aside', name), 'utf8'));

describe('a frame that crashed the server three times', () => {
  it('is quarantined, redacted, and reported', async () => {
    await replayAfter(STAMP);
    expect(quarantined().join()).toContain('echo [redacted:github:');
    expect(quarantined().join()).not.toContain(SECRET);
    expect(posted).toContainEqual(expect.objectContaining({ kind: 'problem', what: expect.stringContaining('three times') }));
    expect(readFileSync(join(root, 'journal', 'working-on'), 'utf8')).toBe(`${STAMP} redacting`);
  });

  it('is kept as an outline if its redaction crashed too', async () => {
    await replayAfter(`${STAMP} redacting`);
    const [outline = ''] = quarantined();
    expect(JSON.parse(outline)).toMatchObject({ stamp: STAMP, agent: 'claude', nativeEvent: 'PreToolUse', bytes: frame.payload.length });
    expect(quarantined().join()).not.toMatch(/echo|ghp_|redacted/);
  });

  it('is stored normally if another frame caused the crashes', async () => {
    await replayAfter('01ARZ3NDEKTSV4RRFFQ69G5FAX');
    expect(await store.event(STAMP)).toMatchObject({ found: 'one', value: { eventId: STAMP } });
  });
});

describe('the journal of a server that died during a delivery', () => {
  const fired = (id: string, waits: boolean) => ({
    ...{ cwd: '/w', sessionRoot: null, child: false, attempt: 1, waits },
    event: {
      ...{ event: 'session-ended', id, time: '2026-01-05T12:00:00.000Z', checkpoint_id: null, commit_sha: null },
      ...{ session_id: 's', agent: 'claude', branch: null, repo: null, reason: `by ${SECRET}` },
    },
  });
  const json = (type: number, value: object): Buffer => journalRecord(type, Buffer.from(JSON.stringify(value)));

  it('yields undelivered events again, and stores all of them redacted', async () => {
    const directory = join(root, 'journal');
    mkdirSync(directory);
    const [delivered, undelivered, unsubscribed] = [
      '01ARZ3NDEKTSV4RRFFQ69G5FA1',
      '01ARZ3NDEKTSV4RRFFQ69G5FA2',
      '01ARZ3NDEKTSV4RRFFQ69G5FA3',
    ];
    const records = [
      json(RECORD.pitonEvent, fired(delivered as string, true)),
      json(RECORD.pitonEvent, fired(undelivered as string, true)),
      json(RECORD.subscriptionRuns, { id: delivered, trace: [] }),
      json(RECORD.pitonEvent, fired(unsubscribed as string, false)),
    ];
    writeFileSync(join(directory, '00000001.log'), Buffer.concat(records));
    const redactor = liveRedactor(Buffer.alloc(32, 1), root, () => {});
    const post = (message: FromRecorder): void => void posted.push(message);
    await replay(directory, store, new EventWriter({ redactor, quarantine: join(root, 'aside'), post }), post);
    expect(posted.map(({ kind }) => kind)).toEqual(['undelivered', 'replayed']);
    expect(posted[0]).toMatchObject({ fired: { attempt: 1, event: { id: undelivered } } });
    const kept = await store.pitonEvents({});
    expect(kept.map(({ event }) => event.id)).toEqual([unsubscribed, undelivered, delivered]);
    expect(JSON.stringify(kept)).not.toContain(SECRET);
  });

  it('records a push that found no server', async () => {
    const redactor = liveRedactor(Buffer.alloc(32, 1), root, () => {});
    const writer = new EventWriter({ redactor, quarantine: join(root, 'aside'), post: () => {} });
    const [sha, gone] = ['a'.repeat(40), '0'.repeat(40)];
    const input = `refs/heads/main ${sha} refs/heads/main ${gone}\n(delete) ${gone} refs/heads/old ${sha}\n`;
    const push = { ...frame, agent: 'git', args: ['pre-push', 'origin', `https://u:${SECRET}@host/x`], payload: Buffer.from(input) };
    await writer.write(store, [{ frame: push, frameOutcome: { stamp: STAMP, kind: 'late' } }], []);
    const pushes = await store.pushesOf(sha);
    expect(pushes).toMatchObject([{ remote: 'origin', ref: 'refs/heads/main', repo: '/w' }]);
    expect(pushes[0]?.url).not.toContain(SECRET);
    expect(await store.events({})).toEqual([]);
  });
});
