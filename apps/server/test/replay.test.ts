import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFrame, type Frame } from '@piton/contracts';
import { openStore, type Store } from '@piton/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { journalRecord, RECORD } from '../src/journal-record.ts';
import { liveRedactor } from '../src/live-redactor.ts';
import type { FromRecorder } from '../src/recorder-messages.ts';
import { replay } from '../src/replay.ts';
import { Shelf } from '../src/shelf.ts';

const SECRET = `ghp${'_'}${'Q7w'.repeat(12)}`;
const STAMP = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
let root: string;
let store: Store;
let said: FromRecorder[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'piton-replay-'));
  said = [];
  const opened = await openStore(join(root, 'store.db'), {});
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

/** The journal that a server left which died the third time, and what it was at when it died. */
async function replayAfter(workingOn: string): Promise<void> {
  const directory = join(root, 'journal');
  mkdirSync(directory);
  const bytes = encodeFrame(frame);
  // On the wire a frame is magic, length, body; the journal keeps the body.
  writeFileSync(join(directory, '000001.log'), journalRecord(RECORD.frame, bytes.subarray(bytes.length - bodyLength(bytes))));
  writeFileSync(join(directory, 'replays'), '3');
  writeFileSync(join(directory, 'working-on'), workingOn);
  const redactor = liveRedactor(Buffer.alloc(32, 2), root, () => {});
  const say = (message: FromRecorder) => said.push(message);
  await replay(directory, store, new Shelf({ redactor, aside: join(root, 'aside'), say }), say);
}
const bodyLength = (bytes: Buffer): number => bytes.readUInt32LE(4);
const aside = (): string[] => readdirSync(join(root, 'aside')).map((name) => readFileSync(join(root, 'aside', name), 'utf8'));

describe('a frame over which servers died', () => {
  it('is set aside, redacted, and reported', async () => {
    await replayAfter(STAMP);
    expect(aside().join()).toContain('echo [redacted:github:');
    expect(aside().join()).not.toContain(SECRET);
    expect(said).toContainEqual(expect.objectContaining({ kind: 'trouble', what: expect.stringContaining('three times') }));
    expect(readFileSync(join(root, 'journal', 'working-on'), 'utf8')).toBe(`${STAMP} redacting`);
  });

  it('is kept in outline if its redaction was deadly too', async () => {
    await replayAfter(`${STAMP} redacting`);
    const [outline = ''] = aside();
    expect(JSON.parse(outline)).toMatchObject({ stamp: STAMP, agent: 'claude', nativeEvent: 'PreToolUse', bytes: frame.payload.length });
    expect(aside().join()).not.toMatch(/echo|ghp_|redacted/);
  });

  it('is stored like any other if the deaths were over another one', async () => {
    await replayAfter('01ARZ3NDEKTSV4RRFFQ69G5FAX');
    expect(await store.event(STAMP)).toMatchObject({ found: 'one', value: { eventId: STAMP } });
  });
});
