import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Postgres, postgresHere, startPostgres } from '../../../../scripts/postgres.mjs';
import { migrateTeamStore, openTeamStore } from '../../src/postgres/team/index.ts';
import { asSuperuser, batchOf, change, hasPostgres, newTenant, SECRET, type TeamBed, teamBed } from './bed.ts';

describe.skipIf(!hasPostgres)('a team restored into an empty server', () => {
  let bed: TeamBed;
  let other: Postgres;
  beforeAll(async () => {
    bed = await teamBed();
    other = await startPostgres();
  }, 120_000);
  afterAll(async () => {
    await other?.remove();
    await bed?.end();
  });
  const run = (program: string, ...args: string[]): string =>
    execFileSync(join(postgresHere() as string, program), args, { encoding: 'utf8', maxBuffer: 1 << 28 });

  it('goes on where it was: machines send again what came after the backup, and followers miss nothing', async () => {
    const team = bed.open();
    const tenant = await newTenant(team);
    const machine = await tenant.machine();
    await tenant.store.changeSettings({ bodies: true });
    await tenant.store.changeConsent(tenant.admin, true);
    // Transactions of the first server have far greater numbers than those of the second will.
    await asSuperuser(bed.superuser, 'DO $$ BEGIN FOR n IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$');
    await tenant.store.ingest(batchOf(machine, 0, [change(1, { body: 'said' }), change(2)]));
    await tenant.store.audit({ actor: 'a', action: 'b', subject: 'c' });
    const { position } = await tenant.store.since('', 10);
    const dump = run('pg_dump', '--dbname', bed.superuser, '--no-password');
    await tenant.store.ingest(batchOf(machine, 2, [change(3)])); // after the backup: lost, but for the machine

    await asSuperuser(
      other.url(),
      'CREATE ROLE owner LOGIN CREATEROLE; CREATE ROLE piton_app NOLOGIN; CREATE ROLE app LOGIN IN ROLE piton_app',
    );
    await asSuperuser(other.url(), 'CREATE DATABASE team OWNER owner');
    execFileSync(join(postgresHere() as string, 'psql'), ['--quiet', '--set=ON_ERROR_STOP=1', '--dbname', other.url('team')], {
      input: dump,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const restored = openTeamStore({ url: other.url('team', 'app'), secret: SECRET });
    const store = restored.tenant(tenant.store.id);
    expect(await restored.status()).toMatchObject({ ok: false, problem: 'not-migrated' });
    expect(await store.ingest(batchOf(machine, 2, [change(3)]))).toMatchObject({ ok: false, problem: 'not-migrated' });
    await migrateTeamStore({ url: other.url('team', 'owner'), partitionsAhead: 3 });
    expect(await restored.status()).toMatchObject({ ok: true });

    expect(await store.ingest(batchOf(machine, 3, [change(4)]))).toMatchObject({ problem: 'out-of-order', acknowledged: 2 });
    expect(await store.ingest(batchOf(machine, 2, [change(3), change(4)]))).toMatchObject({ ok: true, stored: 2 });
    expect((await store.since(position, 10)).records.map(({ seq }) => seq)).toEqual([3, 4]);
    expect((await store.since('', 10)).records.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const viewer = { person: null, role: 'auditor', actor: 'g', reason: 'r' } as const;
    expect(await store.body({ machine, epoch: 'epoch-1', seq: 1 }, viewer)).toBe('said');
    expect(await store.verifyAudit()).toMatchObject({ ok: true, entries: 2 });
    await restored.close();
  }, 60_000);
});
