import type { PitonEvent, SubscriptionEntry } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import type { Change, KeptEntry, StoredBody } from '../../src/index.ts';
import { everythingIn, follower } from '../follower.ts';
import { BASE_MS, DENIED, event, RUNS, redactor, stampOf } from '../records.ts';
import type { Bench } from './bench.ts';

const DAY = 86_400_000;
const OWN_RUNS = redactor.value<readonly SubscriptionEntry[]>([
  {
    ...{ hook: 'tell', scope: 'user', event: 'session-started', did: 'ran', exitCode: 0, startedUs: 9, durationMs: 3 },
    ...{ said: { decision: 'observe' }, stdout: '', stderr: '' },
  },
]);
const ENTRY: KeptEntry = {
  ...{ kind: 'prompt', at: null, text: null, cut: 0, model: null, name: null, useId: null, failed: null, tokens: null },
};

/** Numbers from a seed: a run that failed can be run again. */
function random(seed: number) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Random writes to a store. Each says what it must have changed, by what it did and not by what the store tells. */
function writer(bench: Bench, roll: (below: number) => number) {
  let n = 0;
  const late: number[] = [];
  const live: number[] = [];
  const own: string[] = [];
  const pushed: string[] = [];
  const sessionIds = new Map<string, string>();
  const pick = <T>(list: readonly T[]): T | undefined => list[roll(list.length)];
  const ref = (): string => `ref-${roll(3)}`;
  const refOf = new Map<number, string>();
  const eventKey = (at: number): string => `event ${stampOf(at)}`;
  const sessionKey = (at: number): string => `session ${sessionIds.get(refOf.get(at) as string)}`;

  const add = async (isLate: boolean): Promise<string[]> => {
    const at = ++n;
    const session = ref();
    refOf.set(at, session);
    (isLate ? late : live).push(at);
    const name = pick(['pre_tool_use', 'user_prompt_submit', 'stop', 'notification', 'session_end'] as const) ?? 'stop';
    await bench.record(event(at, { event: name, session, late: isLate, prompt: `prompt ${at}`, tool: { command: `echo ${at}` } }));
    if (!sessionIds.has(session)) sessionIds.set(session, stampOf(at));
    return [eventKey(at), sessionKey(at)];
  };
  const ways: (() => Promise<string[]>)[] = [
    () => add(false),
    () => add(false),
    () => add(true),
    async () => {
      const at = late.shift();
      if (at === undefined) return add(true);
      await bench.record(event(at, { event: 'pre_tool_use', session: refOf.get(at) as string, outcome: DENIED }));
      live.push(at);
      return [eventKey(at), sessionKey(at)];
    },
    async () => {
      const at = live.shift();
      if (at === undefined) return add(false);
      await bench.store.addRuns(stampOf(at), RUNS);
      return [eventKey(at)];
    },
    async () => {
      const [session] = sessionIds.values();
      if (session === undefined) return add(false);
      const path = `/t-${roll(2)}.jsonl`;
      await bench.store.addTranscript({
        ...{ session, path: redactor.text(path), agentId: null, format: 'lines', notes: redactor.value([]), redaction: redactor.version },
        mark: { file: '1:2', size: ++n, modifiedMs: 5, consumed: n, tail: 'x', reader: 1, memory: '' },
        entries: [{ key: Buffer.from(`k-${roll(4)}`.padEnd(16)), entry: redactor.value({ ...ENTRY, text: `said ${n}` }) }],
      });
      return [`transcript of ${path}`];
    },
    async () => {
      const id = stampOf(++n);
      const body = redactor.value<PitonEvent>({
        ...{ event: 'session-started', id, time: new Date(BASE_MS + n).toISOString(), checkpoint_id: null, commit_sha: null },
        ...{ session_id: 's', agent: 'claude', branch: null, repo: null, source: null },
      });
      await bench.store.recordPitonEvents([{ event: body, projectPath: '/x', redaction: redactor.version }]);
      own.push(id);
      return [`piton-event ${id}`];
    },
    async () => {
      const id = own.shift();
      if (id === undefined) return add(false);
      await bench.store.addSubscriptionRuns(id, OWN_RUNS);
      return [`piton-event ${id}`];
    },
    async () => {
      const session = pick([...sessionIds.values()]);
      if (session === undefined) return add(false);
      const id = stampOf(++n);
      const kind = pick(['crash', 'commit', 'note'] as const) ?? 'note';
      await bench.store.observe({
        ...{ id, session, kind, wallUs: BigInt(BASE_MS + n) * 1000n, body: redactor.value({ n }), redaction: redactor.version },
      });
      return [`observation ${id}`, `session ${session}`];
    },
    async () => {
      const id = stampOf(++n);
      pushed.push(id);
      await bench.store.recordPush({
        ...{ id, repo: '/x', remote: redactor.text('origin'), url: redactor.text('u'), ref: redactor.text('refs/heads/main') },
        ...{ oldSha: 'a', newSha: id, commits: [id], wallUs: n, redaction: redactor.version },
      });
      return [`push ${id}`];
    },
    async () => {
      const of = pick(['event', 'piton-event', 'push', 'observation', 'transcript'] as const) ?? 'event';
      const body = pick(await bench.store.bodies({ of, afterSeq: 0, limit: 1000 }));
      return body === undefined ? add(false) : [await rewrite(bench, body)];
    },
    async () => {
      // The clock stands still in these tests: with a negative age everything is old.
      const before = new Set((await bench.store.events({ limit: 1000 })).filter(({ expired }) => !expired).map(({ eventId }) => eventId));
      await bench.store.expire({ now: BASE_MS, days: -1, maxBytes: Number.MAX_SAFE_INTEGER, of: ['events'] });
      return [...before].map((id) => `event ${id}`);
    },
  ];
  return { pushed, write: (): Promise<string[]> => (pick(ways) as (typeof ways)[number])() };
}

/** What is stored is redacted again, and reads otherwise afterwards. */
async function rewrite(bench: Bench, stored: StoredBody): Promise<string> {
  const { seq } = stored;
  const redaction = 'better';
  switch (stored.of) {
    case 'event':
      await bench.store.rewriteBodies([{ of: 'event', seq, redaction, body: redactor.value({ ...stored.body, prompt: 'rewritten' }) }]);
      return `event ${stored.id}`;
    case 'piton-event':
      await bench.store.rewriteBodies([{ of: 'piton-event', seq, redaction, body: redactor.value(stored.body) }]);
      return `piton-event ${stored.id}`;
    case 'push':
      await bench.store.rewriteBodies([{ of: 'push', seq, redaction, body: redactor.value({ ...stored.body, url: 'rewritten' }) }]);
      return `push ${stored.id}`;
    case 'observation':
      await bench.store.rewriteBodies([{ of: 'observation', seq, redaction, body: redactor.value({ rewritten: true }) }]);
      return `observation ${stored.id}`;
    case 'transcript':
      await bench.store.rewriteBodies([{ of: 'transcript', seq, redaction, body: redactor.value({ ...stored.body, text: 'rewritten' }) }]);
      return 'a transcript';
    case 'ledger':
      throw new Error('a ledger has no numbers of its own: its rows are read beside their event');
  }
}

export const changes = (bench: Bench) =>
  describe('the change sequence', () => {
    const keys = (list: readonly Change[]): string[] => list.map(({ kind, id }) => `${kind} ${id}`);

    it('numbers what is new, once, in order, and begins with nothing', async () => {
      expect(await bench.store.changesSince(0, 10)).toEqual([]);
      const { store, seq } = await bench.store.lastChange();
      expect(seq).toBe(0);
      await bench.record(event(1), event(2, { session: '' }));
      const all = await bench.store.changesSince(0, 10);
      expect(keys(all).sort()).toEqual([`event ${stampOf(1)}`, `event ${stampOf(2)}`, `session ${stampOf(1)}`]);
      expect(await bench.store.changesSince(all[0]?.seq as number, 1)).toEqual([all[1]]);
      expect(await bench.store.lastChange()).toEqual({ store, seq: all.at(-1)?.seq });
    });

    it('replaces the number of what changes, and gives a replay none', async () => {
      await bench.record(event(1, { late: true, session: '' }), event(2, { session: '' }));
      const before = await bench.store.lastChange();
      await bench.record(event(2, { session: '' }));
      expect(await bench.store.lastChange()).toEqual(before);
      await bench.record(event(1, { session: '' }));
      const again = await bench.store.changesSince(before.seq, 10);
      expect(keys(again)).toEqual([`event ${stampOf(1)}`]);
      expect(await bench.store.loadChange(again[0] as Change)).toMatchObject({ kind: 'event', value: { late: false } });
      expect(keys(await bench.store.changesSince(0, 10))).toEqual([`event ${stampOf(2)}`, `event ${stampOf(1)}`]);
      await bench.store.addRuns(stampOf(2), RUNS);
      const runs = await bench.store.changesSince((again[0] as Change).seq, 10);
      expect(await bench.store.loadChange(runs[0] as Change)).toMatchObject({ value: { hookRuns: [{ hook: 'watch', startedUs: 700 }] } });
    });

    it.each(Array.from({ length: 12 }, (_, seed) => seed))(
      'misses nothing that a reader asks for at odd moments (seed %i)',
      async (seed) => {
        const roll = random(seed + 1);
        const reader = follower(bench.store);
        const { write, pushed } = writer(bench, roll);
        const owed = new Set<string>();
        for (let round = 0; round < 120; round++) {
          for (const key of await write()) owed.add(key);
          if (roll(3) === 0) for (const key of await reader.step(1 + roll(6))) owed.delete(key);
        }
        for (const key of await reader.catchUp()) owed.delete(key);
        owed.delete('a transcript');
        expect([...owed]).toEqual([]);
        expect(reader.held).toEqual(await everythingIn(bench.store, pushed));
        expect(await bench.store.changesSince(0, 1_000_000)).toHaveLength(reader.held.size);
      },
    );

    it('numbers what expires', async () => {
      await bench.record(event(1, { session: '' }));
      bench.setNow(BASE_MS + 40 * DAY);
      const { seq } = await bench.store.lastChange();
      await bench.store.expire({ now: BASE_MS + 40 * DAY, days: 30, maxBytes: Number.MAX_SAFE_INTEGER });
      expect(keys(await bench.store.changesSince(seq, 10))).toEqual([`event ${stampOf(1)}`]);
    });

    it('wakes a waiting reader, and releases one that aborts', async () => {
      const { seq } = await bench.store.lastChange();
      const waiting = bench.store.waitForChange(seq, new AbortController().signal);
      await bench.record(event(1));
      await waiting;
      const gone = new AbortController();
      const forever = bench.store.waitForChange(Number.MAX_SAFE_INTEGER, gone.signal);
      gone.abort();
      await forever;
    });

    it('keeps the position of a reader', async () => {
      expect(await bench.store.readerPosition('sink')).toBe(0);
      for (const seq of [5, 9]) expect(await bench.store.moveReader('sink', seq)).toMatchObject({ ok: true });
      expect(await bench.store.readerPosition('sink')).toBe(9);
      expect(await bench.store.readerPosition('other')).toBe(0);
    });
  });
