import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEAM_MIGRATIONS } from '../../src/postgres/migrations/index.ts';
import {
  maintainTeamStore,
  migrateTeamStore,
  openTeamStore,
  type TeamBatch,
  type TeamStore,
  type TenantStore,
} from '../../src/postgres/team/index.ts';
import { asSuperuser, batchOf, change, hasPostgres, newTenant, type TeamBed, teamBed } from './bed.ts';

const ADMIN = { person: null, role: 'admin' } as const;

/** Sends until it is acknowledged, as a machine does; what was acknowledged is the truth of the test. */
async function sender(store: TenantStore, machine: string, numbers: number, done: Set<string>): Promise<void> {
  let acknowledged = 0;
  while (acknowledged < numbers) {
    const upTo = Math.min(numbers, acknowledged + 7);
    const changes = Array.from({ length: upTo - acknowledged }, (_, n) =>
      change(acknowledged + n + 1, { id: `${machine} ${acknowledged + n + 1}` }),
    );
    const batch: TeamBatch = batchOf(machine, acknowledged, changes);
    const said = await store.ingest(batch);
    if (said.ok) {
      for (const { seq } of changes) done.add(`${machine} ${seq}`);
      acknowledged = said.acknowledged;
    } else if (said.problem === 'unavailable' || said.problem === 'busy') await sleep(50);
    else throw new Error(`${said.problem}: ${said.error}`);
  }
}

describe.skipIf(!hasPostgres)('following a team on PostgreSQL', () => {
  let bed: TeamBed;
  let team: TeamStore;
  beforeAll(async () => {
    bed = await teamBed();
    team = bed.open(8);
  }, 120_000);
  afterAll(() => bed?.end());

  it('misses nothing of transactions that commit in another order than they began', async () => {
    const tenant = await newTenant(team);
    const machine = await tenant.machine();
    const slow = new pg.Client({ connectionString: bed.app });
    await slow.connect();
    await slow.query(`BEGIN; SET LOCAL piton.tenant = '${tenant.store.id}'`);
    // It has its transaction number and its place before the others, and commits after them.
    const insert = `INSERT INTO piton.changes (tenant_id, machine_id, epoch, seq, xact, at, kind, id, person_id, has_body, header)
      SELECT $1, $2, 'slow', 1, added + pg_current_xact_id()::text::bigint, now(), 'event', 'slow', $3, false, '{}' FROM piton.cluster`;
    await slow.query(insert, [tenant.store.id, machine, tenant.admin]);
    await tenant.store.ingest(batchOf(machine, 0, [change(1, { id: 'fast' })]));
    const early = await tenant.store.since('', 100);
    await slow.query('COMMIT');
    await slow.end();
    const late = await tenant.store.since(early.position, 100);
    expect([...early.records, ...late.records].map(({ id }) => id).sort()).toEqual(['fast', 'slow']);
  });

  it('misses nothing while many write, and reads nothing twice', async () => {
    const tenant = await newTenant(team);
    const machines = await Promise.all(Array.from({ length: 6 }, () => tenant.machine()));
    const sent = new Set<string>();
    let writing = true;
    const seen: string[] = [];
    const follow = (async () => {
      for (let position = '', last = false; ; ) {
        const { records, position: next } = await tenant.store.since(position, 5);
        seen.push(...records.map(({ id }) => id));
        position = next;
        if (records.length === 0 && last) return;
        last = !writing && records.length === 0;
      }
    })();
    await Promise.all(machines.map((machine) => sender(tenant.store, machine, 120, sent)));
    writing = false;
    await follow;
    expect(seen.sort()).toEqual([...sent].sort());
  });

  it('has all that was acknowledged, once, when PostgreSQL is killed in the middle again and again', async () => {
    const tenant = await newTenant(team);
    const machines = await Promise.all(Array.from({ length: 4 }, () => tenant.machine()));
    const sent = new Set<string>();
    let busy = true;
    const all = Promise.all(machines.map((machine) => sender(tenant.store, machine, 400, sent))).finally(() => {
      busy = false;
    });
    let kills = 0;
    while (busy && kills < 4) {
      const before = sent.size;
      while (busy && sent.size < before + 150) await sleep(5);
      if (!busy) break;
      await bed.postgres.kill();
      expect(await team.status()).toMatchObject({ ok: false, problem: 'unavailable' });
      await bed.postgres.start();
      kills++;
    }
    await all;
    expect(kills).toBeGreaterThan(1);
    expect(sent.size).toBe(1600);
    const rows = await asSuperuser<{ id: string }>(bed.superuser, 'SELECT id FROM piton.changes WHERE tenant_id = $1', [tenant.store.id]);
    expect(rows.map(({ id }) => id).sort()).toEqual([...sent].sort());
  }, 120_000);

  it('is migrated while machines send, by two at once', async () => {
    const tenant = await newTenant(team);
    const machine = await tenant.machine();
    const sent = new Set<string>();
    const sending = sender(tenant.store, machine, 700, sent);
    const next = {
      name: '0002_test',
      sql: `ALTER TABLE piton.changes ADD COLUMN later text; CREATE TABLE piton.later (x int); SELECT pg_sleep(0.3)`,
    };
    const migrations = [...TEAM_MIGRATIONS, next];
    const both = await Promise.all([1, 2].map(() => migrateTeamStore({ url: bed.owner, migrations, partitionsAhead: 3 })));
    expect(both.flat()).toEqual(['0002_test']);
    await sending;
    expect(sent.size).toBe(700);
    // This program is older than the database now, and can live with it.
    expect(await team.status()).toMatchObject({ ok: true, schema: '0002_test' });
    await expect(migrateTeamStore({ url: bed.owner, partitionsAhead: 3 })).resolves.toEqual([]);
    await asSuperuser(bed.superuser, `DELETE FROM piton.migrations WHERE name = '0002_test'`);
  });

  it('leaves nothing of a migration that fails, and goes on', async () => {
    const broken = { name: '0002_broken', sql: 'CREATE TABLE piton.half (x int); SELECT 1/0' };
    await expect(migrateTeamStore({ url: bed.owner, migrations: [...TEAM_MIGRATIONS, broken], partitionsAhead: 3 })).rejects.toThrow(
      'division by zero',
    );
    expect(await asSuperuser(bed.superuser, `SELECT to_regclass('piton.half') AS half`)).toEqual([{ half: null }]);
    expect(await team.status()).toMatchObject({ ok: true });
  });

  it('says what has to be done where the database has no schema, or no partition for today', async () => {
    await asSuperuser(bed.postgres.url(), 'CREATE DATABASE empty OWNER owner');
    const empty = openTeamStore({ url: bed.postgres.url('empty', 'app'), secret: Buffer.alloc(32) });
    expect(await empty.status()).toMatchObject({ ok: false, problem: 'not-migrated' });
    await empty.close();
  });

  it('does nothing for a role that may more than it has to, and nothing of the owner for one that may less', async () => {
    for (const url of [bed.owner, bed.superuser]) {
      const above = openTeamStore({ url, secret: Buffer.alloc(32) });
      const refused = { problem: 'role', message: expect.stringContaining('piton_app') };
      expect(await above.status()).toMatchObject({ ok: false, problem: 'role' });
      await expect(above.createTenant({ name: 'x', admin: { subject: 'x', name: 'x' } })).rejects.toMatchObject(refused);
      await expect(above.rollUp(1)).rejects.toMatchObject(refused);
      await expect(above.tenant((await newTenant(team)).store.id).people()).rejects.toMatchObject(refused);
      await above.close();
    }
    // Also on a day on which there is nothing to do.
    await maintainTeamStore({ url: bed.owner, keepDays: 30, keepBodyDays: 7, partitionsAhead: 3 });
    const less = { problem: 'role', message: expect.stringContaining('does not own') };
    await expect(maintainTeamStore({ url: bed.app, keepDays: 30, keepBodyDays: 7, partitionsAhead: 3 })).rejects.toMatchObject(less);
    await expect(migrateTeamStore({ url: bed.app })).rejects.toMatchObject(less);
  });

  it('drops days that are too old whole, and refuses what has no day', async () => {
    const tenant = await newTenant(team);
    const machine = await tenant.machine();
    await tenant.store.ingest(batchOf(machine, 0, [change(1)]));
    const names = async (table: string): Promise<string[]> =>
      (
        await asSuperuser<{ name: string }>(
          bed.superuser,
          `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'piton.${table}'::regclass ORDER BY 1`,
        )
      ).map(({ name }) => name);
    const before = await names('changes');
    expect(before).toHaveLength(4);
    await maintainTeamStore({ url: bed.owner, keepDays: 30, keepBodyDays: 7, partitionsAhead: 5 });
    expect(await names('changes')).toHaveLength(6);
    // In the days to come today is old.
    const dropped = await maintainTeamStore({ url: bed.owner, keepDays: -1, keepBodyDays: -1, partitionsAhead: 0 });
    expect(dropped).toHaveLength(3);
    expect(await tenant.store.events({}, ADMIN)).toEqual([]);
    expect(await tenant.store.ingest(batchOf(machine, 1, [change(2)]))).toMatchObject({ ok: false, problem: 'no-partition' });
    expect(await team.status()).toMatchObject({ ok: true, partitionsAhead: 4 });
    await maintainTeamStore({ url: bed.owner, keepDays: 30, keepBodyDays: 7 });
    expect(await tenant.store.ingest(batchOf(machine, 1, [change(2)]))).toMatchObject({ ok: true, stored: 1 });
  });
});
