import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFrame, type Frame } from '@piton/contracts';
import { openStore, type Store } from '@piton/store';
import { seededRandom } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

const bodyLength = (bytes: Buffer): number => bytes.readUInt32LE(4);
const quarantined = (): string[] => readdirSync(join(root, 'aside')).map((name) => readFileSync(join(root, 'aside', name), 'utf8'));
const stampAt = (index: number): string => `${STAMP.slice(0, -2)}${String(index).padStart(2, '0')}`;

/** A journal of so many frames, left by a server that died. */
function journalOf(count: number): string {
  const directory = join(root, 'journal');
  mkdirSync(directory);
  const records = Array.from({ length: count }, (_, index) => {
    const bytes = encodeFrame({ ...frame, stamp: stampAt(index) });
    // On the wire a frame is magic, length, body; the journal keeps the body.
    return journalRecord(RECORD.frame, bytes.subarray(bytes.length - bodyLength(bytes)));
  });
  writeFileSync(join(directory, '000001.log'), Buffer.concat(records));
  return directory;
}

/**
 * One server's life: it replays the journal, and is gone where it is at what kills it. A dead process answers nothing
 * more and keeps nothing but its files: what it had in memory is left behind with its modules.
 */
async function live(directory: string, killsAt: (stamp: string, redacting: boolean) => boolean): Promise<'died' | 'replayed'> {
  vi.resetModules();
  const { replay } = await import('../../src/record/replay.ts');
  const { EventWriter } = await import('../../src/record/event-writer.ts');
  const file = join(directory, 'working-on');
  /** What was on disk when it died in the middle of what cannot be left but by an error. */
  let left = Buffer.alloc(0);
  let died: () => void = () => {};
  const death = new Promise<'died'>((resolve) => {
    died = () => resolve('died');
  });
  class Mortal extends EventWriter {
    override async write(...[store, part, runs]: Parameters<InstanceType<typeof EventWriter>['write']>): Promise<void> {
      if (!part.some((one) => killsAt(one.frame.stamp, false))) return super.write(store, part, runs);
      died();
      await new Promise(() => {});
    }
    override quarantine(name: string, bytes: Uint8Array, why: string): void {
      if (!killsAt(name, true)) return super.quarantine(name, bytes, why);
      left = readFileSync(file);
      throw new Killed();
    }
  }
  const redactor = liveRedactor(Buffer.alloc(32, 2), root, () => {});
  const post = (message: FromRecorder): void => void posted.push(message);
  const replayed = replay(directory, store, new Mortal({ redactor, quarantine: join(root, 'aside'), post }), post);
  return Promise.race([death, replayed.then(() => 'replayed' as const)]).catch((error) => {
    if (!(error instanceof Killed)) throw error;
    writeFileSync(file, left);
    return 'died' as const;
  });
}
class Killed extends Error {}

/** How many lives it took until one came to the end of the journal. */
async function liveOn(directory: string, killsAt: (stamp: string, redacting: boolean) => boolean): Promise<number> {
  for (let life = 1; life <= 20; life++) if ((await live(directory, killsAt)) === 'replayed') return life;
  throw new Error('every server died');
}

const isStored = async (stamp: string): Promise<boolean> => (await store.event(stamp)).found === 'one';

describe('a frame that crashed the server three times', () => {
  it.each([0, 1, 2, 3])('is quarantined, redacted, and reported, as number %i of four; the others are stored', async (deadly) => {
    const directory = journalOf(4);
    expect(await liveOn(directory, (stamp, redacting) => stamp === stampAt(deadly) && !redacting)).toBeLessThanOrEqual(6);
    expect(quarantined().join()).toContain('echo [redacted:github:');
    expect(quarantined().join()).not.toContain(SECRET);
    expect(posted).toContainEqual(expect.objectContaining({ kind: 'problem', what: expect.stringContaining(`${stampAt(deadly)} was`) }));
    for (const index of [0, 1, 2, 3]) expect(await isStored(stampAt(index))).toBe(index !== deadly);
  });

  it.each([0, 3])('is kept as an outline if its redaction crashes too, as number %i of four', async (deadly) => {
    const directory = journalOf(4);
    expect(await liveOn(directory, (stamp) => stamp === stampAt(deadly))).toBeLessThanOrEqual(9);
    const outline = readFileSync(join(root, 'aside', `${stampAt(deadly)}.frame`), 'utf8');
    expect(JSON.parse(outline)).toMatchObject({
      ...{ stamp: stampAt(deadly), agent: 'claude', nativeEvent: 'PreToolUse', bytes: frame.payload.length },
    });
    expect(quarantined().join()).not.toMatch(/echo|ghp_|redacted/);
    for (const index of [0, 1, 2, 3]) expect(await isStored(stampAt(index))).toBe(index !== deadly);
  });

  it.each(['', STAMP, `${STAMP} redacting`, '{"at":', '{"at":7,"deaths":{"x":"y"}}', 'null'])(
    'is none where the file of the earlier replay says %j',
    async (text) => {
      const directory = journalOf(1);
      writeFileSync(join(directory, 'replays'), '3');
      writeFileSync(join(directory, 'working-on'), text);
      expect(await live(directory, () => false)).toBe('replayed');
      expect(await isStored(stampAt(0))).toBe(true);
    },
  );
});

describe('a server that is killed by somebody at any frame of a journal', () => {
  it('stores all of them in the end, and suspects none', async () => {
    const random = seededRandom();
    console.log(`replay: PITON_SEED=${random.seed}`);
    for (let round = 0; round < 5; round++) {
      rmSync(join(root, 'journal'), { recursive: true, force: true });
      const directory = journalOf(5);
      // The first is where most are hit: what a new server does for the first time, it does there.
      for (let death = 0; death < 4; death++) {
        const hit = stampAt(random.pick([0, 0, random.below(5)]));
        await live(directory, (stamp) => stamp === hit);
      }
      expect(await live(directory, () => false)).toBe('replayed');
      for (const index of [0, 1, 2, 3, 4]) expect(await isStored(stampAt(index))).toBe(true);
    }
    expect(existsSync(join(root, 'aside'))).toBe(false);
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
