import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TeamStore } from '../../src/postgres/team/index.ts';
import { asSuperuser, batchOf, change, hasPostgres, newTenant, nowUs, type TeamBed, type TestTenant, teamBed } from './bed.ts';

const ADMIN = { person: null, role: 'admin' } as const;

describe.skipIf(!hasPostgres)('what machines send to PostgreSQL', () => {
  let bed: TeamBed;
  let team: TeamStore;
  let tenant: TestTenant;
  let machine: string;
  beforeAll(async () => {
    bed = await teamBed();
    team = bed.open();
  }, 120_000);
  afterAll(() => bed?.end());
  const fresh = async () => {
    tenant = await newTenant(team);
    machine = await tenant.machine();
    return tenant.store;
  };
  const seqs = async (): Promise<number[]> =>
    (await tenant.store.events({ limit: 1000 }, ADMIN)).map(({ seq }) => seq).sort((a, b) => a - b);

  it('is ready for the application role, and not for one above it', async () => {
    expect(await team.status()).toMatchObject({ ok: true, schema: '0001_team', partitionsAhead: 3 });
  });

  it('stores a batch once that is sent twice, one after the other and at once', async () => {
    const store = await fresh();
    const batch = batchOf(machine, 0, [change(1), change(4)], { upTo: 9 });
    expect(await store.ingest(batch)).toEqual({ ok: true, acknowledged: 9, stored: 2, replayed: 0, dropped: 0 });
    expect(await store.ingest(batch)).toEqual({ ok: true, acknowledged: 9, stored: 0, replayed: 2, dropped: 0 });
    const next = batchOf(machine, 9, [change(10), change(11)]);
    const both = await Promise.all([store.ingest(next), store.ingest(next), store.ingest(next)]);
    expect(both.map((one) => (one.ok ? one.stored : -1)).sort()).toEqual([0, 0, 2]);
    expect(await seqs()).toEqual([1, 4, 10, 11]);
    expect(await store.acknowledged(machine, 'epoch-1')).toBe(11);
    expect(await store.acknowledged(machine, 'another')).toBe(0);
  });

  it('stores a batch once that comes again on another day', async () => {
    const store = await fresh();
    await store.ingest(batchOf(machine, 0, [change(1)]));
    await asSuperuser(bed.superuser, `UPDATE piton.changes SET day = day + 1 WHERE machine_id = $1`, [machine]);
    expect(await store.ingest(batchOf(machine, 0, [change(1), change(2)]))).toMatchObject({ stored: 1, replayed: 1 });
    expect(await seqs()).toEqual([1, 2]);
  });

  it('refuses a batch that leaves something out, and names where to go on', async () => {
    const store = await fresh();
    await store.ingest(batchOf(machine, 0, [change(3)]));
    expect(await store.ingest(batchOf(machine, 7, [change(8)]))).toMatchObject({ ok: false, problem: 'out-of-order', acknowledged: 3 });
    expect(await seqs()).toEqual([3]);
    const gaps = [{ from: 4, to: 7, reason: 'retention' }];
    expect(await store.ingest(batchOf(machine, 7, [change(8)], { gaps }))).toMatchObject({ ok: true, acknowledged: 8 });
    expect(await store.machine(machine)).toMatchObject({ gaps: 1 });
  });

  it('reads the newest of what came several times, and keeps each', async () => {
    const store = await fresh();
    await store.ingest(batchOf(machine, 0, [change(1, { id: 'a', decision: null }), change(2, { id: 'b' })]));
    await store.ingest(batchOf(machine, 2, [change(3, { id: 'a', decision: 'deny' })]));
    expect((await store.events({}, ADMIN)).map(({ id, seq, decision }) => [id, seq, decision]).sort()).toEqual([
      ['a', 3, 'deny'],
      ['b', 2, null],
    ]);
    expect((await store.since('', 100)).records.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    // Another machine, or the same after its store was replaced, means something else by the same id.
    await store.ingest(batchOf(machine, 0, [change(1, { id: 'a' })], { epoch: 'epoch-2' }));
    expect((await store.events({}, ADMIN)).map(({ id }) => id).sort()).toEqual(['a', 'a', 'b']);
  });

  it('dates what a wrong clock says by how wrong it is, and what cannot be by its receipt', async () => {
    const store = await fresh();
    const year = 366 * 86_400_000_000;
    const at = nowUs();
    const ahead = batchOf(machine, 0, [change(1, { wallUs: at + year - 60_000_000 })], { sentUs: at + year });
    const never = batchOf(machine, 1, [change(2, { wallUs: 0 }), change(3, { wallUs: at + 9 * year }), change(4, { wallUs: null })]);
    await store.ingest(ahead);
    await store.ingest(never);
    const off = (await store.events({}, ADMIN)).map(({ seq, at: said }) => [seq, Math.round((said.getTime() * 1000 - at) / 30_000_000)]);
    expect(Object.fromEntries(off)).toEqual({ 1: -2, 2: 0, 3: 0, 4: 0 });
    expect(Math.abs((await store.machine(machine))?.clockOffUs as number)).toBeLessThan(60_000_000);
  });

  it('keeps what JSON allows and PostgreSQL does not', async () => {
    const store = await fresh();
    const odd = 'a\u0000b\ud800c\'"\\$1{x}';
    const header = { [odd]: [odd, { deep: odd }], big: 2 ** 60, empty: {} };
    expect(await store.ingest(batchOf(machine, 0, [change(1, { id: odd, repo: odd, header })]))).toMatchObject({ stored: 1 });
    const clean = 'a\ufffdb\ufffdc\'"\\$1{x}';
    const kept = { [clean]: [clean, { deep: clean }], big: 2 ** 60, empty: {} };
    expect(await store.events({}, ADMIN)).toMatchObject([{ id: clean, repo: clean, header: kept }]);
  });

  it.each([
    ['numbers that go back', [change(2), change(1)]],
    ['one number twice', [change(1), change(1)]],
    ['a number that is none', [change(1.5)]],
    ['a time that is none', [change(1, { wallUs: Number.NaN })]],
    ['a text without end', [change(1, { repo: 'x'.repeat(5000) })]],
    ['negative tokens', [change(1, { tokens: { input: -1, output: 0, cacheRead: 0, cacheWrite: 0 } })]],
  ])('refuses %s, and stores nothing of the batch', async (_, changes) => {
    const store = await fresh();
    expect(await store.ingest(batchOf(machine, 0, [...changes], { upTo: 10 }))).toMatchObject({ ok: false, problem: 'invalid' });
    expect(await seqs()).toEqual([]);
    expect(await store.acknowledged(machine, 'epoch-1')).toBe(0);
  });

  it('refuses a machine that is unknown, of another tenant, or has left', async () => {
    const other = await newTenant(team);
    const theirs = await other.machine();
    const store = await fresh();
    const unknown = { ok: false, problem: 'unknown-machine' };
    expect(await store.ingest(batchOf('11111111-1111-1111-1111-111111111111', 0, [change(1)]))).toMatchObject(unknown);
    expect(await store.ingest(batchOf(theirs, 0, [change(1)]))).toMatchObject(unknown);
    await store.machineLeft(machine);
    expect(await store.ingest(batchOf(machine, 0, [change(1)]))).toMatchObject(unknown);
    expect(await other.store.events({}, ADMIN)).toEqual([]);
  });

  it('counts hours from the newest of each thing, however often it comes', async () => {
    const store = await fresh();
    const tokens = { input: 10, output: 5, cacheRead: 1, cacheWrite: 2 };
    const wallUs = nowUs();
    await store.ingest(batchOf(machine, 0, [change(1, { id: 'a', wallUs }), change(2, { id: 't', kind: 'transcript', wallUs, tokens })]));
    await team.rollUp(1000);
    const again = { id: 't', kind: 'transcript', wallUs, tokens: { ...tokens, input: 30 } } as const;
    await store.ingest(batchOf(machine, 2, [change(3, { id: 'a', wallUs, decision: 'deny' }), change(4, again)]));
    while ((await team.rollUp(1)) > 0);
    const hours = await store.hours({ since: new Date(wallUs / 1000 - 3_600_000) });
    expect(hours).toMatchObject([{ agent: 'claude', repo: '/repo', events: 1, denials: 1, sessions: 1, machines: 1 }]);
    expect(hours[0]?.tokens).toEqual({ ...tokens, input: 30 });
  });

  it('finds by words in headers, beginnings of words too', async () => {
    const store = await fresh();
    const listed = [change(1, { header: { tool: 'WebFetch' } }), change(2, { header: { tool: 'Edit' }, decision: 'deny' })];
    await store.ingest(batchOf(machine, 0, listed));
    const found = async (words: string) => (await store.search(words, {}, ADMIN)).map(({ seq }) => seq);
    expect(await found('webf')).toEqual([1]);
    expect(await found('edit deny')).toEqual([2]);
    expect(await found('edit webfetch')).toEqual([]);
    expect(await found(' & | ! ')).toEqual([]);
  });
});
