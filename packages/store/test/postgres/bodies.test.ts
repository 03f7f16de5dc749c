import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuditEntry, openTeamStore, type TeamStore, type Viewer } from '../../src/postgres/team/index.ts';
import { asSuperuser, batchOf, change, hasPostgres, newTenant, type TeamBed, type TestTenant, teamBed } from './bed.ts';

const AUDITOR: Viewer = { person: null, role: 'auditor' };
const SAID = 'what Ada asked for';
const LOOK = { ...AUDITOR, actor: 'Grace', reason: 'incident 7' };

describe.skipIf(!hasPostgres)('texts of people on PostgreSQL', () => {
  let bed: TeamBed;
  let team: TeamStore;
  let tenant: TestTenant;
  let machine: string;
  beforeAll(async () => {
    bed = await teamBed();
    team = bed.open();
  }, 120_000);
  afterAll(() => bed?.end());
  beforeEach(async () => {
    tenant = await newTenant(team);
    machine = await tenant.machine();
  });
  const ref = (seq: number) => ({ machine, epoch: 'epoch-1', seq });
  const send = (seq: number, body: string | null = SAID) => tenant.store.ingest(batchOf(machine, seq - 1, [change(seq, { body })]));
  const agree = async (): Promise<void> => {
    await tenant.store.changeSettings({ bodies: true });
    await tenant.store.changeConsent(tenant.admin, true);
  };

  it('are dropped unread unless both the tenant and the person agree', async () => {
    expect(await send(1)).toMatchObject({ ok: true, dropped: 1 });
    await tenant.store.changeSettings({ bodies: true });
    expect(await send(2)).toMatchObject({ dropped: 1 });
    await tenant.store.changeSettings({ bodies: false });
    await tenant.store.changeConsent(tenant.admin, true);
    expect(await send(3)).toMatchObject({ dropped: 1 });
    await tenant.store.changeSettings({ bodies: true });
    expect(await send(4)).toMatchObject({ dropped: 0 });
    const bodies = await Promise.all([1, 2, 3, 4].map((seq) => tenant.store.body(ref(seq), LOOK)));
    expect(bodies).toEqual([undefined, undefined, undefined, SAID]);
    expect((await tenant.store.events({}, AUDITOR)).map(({ seq, hasBody }) => [seq, hasBody]).sort()).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, true],
    ]);
  });

  it('lie in no table as they are, and open with no other secret and under no other number', async () => {
    await agree();
    await send(1);
    await send(2, 'another');
    const tables = await asSuperuser<{ name: string }>(
      bed.superuser,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'piton'::regnamespace AND relkind = 'r'`,
    );
    for (const { name } of tables) {
      const found = await asSuperuser<{ t: string }>(bed.superuser, `SELECT t::text AS t FROM piton.${name} t`);
      const hex = Buffer.from(SAID).toString('hex');
      expect(
        found.filter(({ t }) => t.includes(SAID) || t.includes(hex)),
        name,
      ).toEqual([]);
    }
    const stranger = openTeamStore({ url: bed.app, secret: randomBytes(32) });
    await expect(stranger.tenant(tenant.store.id).body(ref(1), LOOK)).rejects.toThrow(/cannot be decrypted/);
    await stranger.close();
    const move =
      'UPDATE piton.bodies SET body = (SELECT body FROM piton.bodies WHERE machine_id = $1 AND seq = 1) WHERE machine_id = $1 AND seq = 2';
    await asSuperuser(bed.superuser, move, [machine]);
    await expect(tenant.store.body(ref(2), LOOK)).rejects.toThrow(/cannot be decrypted/);
  });

  it('are read by others only with an entry in the audit log, under a pseudonym', async () => {
    await agree();
    await send(1);
    await tenant.store.body(ref(1), { person: tenant.admin, role: 'member', actor: 'Ada', reason: 'mine' });
    expect(await tenant.store.auditEntries({})).toEqual([]);
    expect(await tenant.store.body(ref(1), LOOK)).toBe(SAID);
    expect(await tenant.store.body(ref(9), LOOK)).toBeUndefined();
    const { pseudonym } = (await tenant.store.person(tenant.admin)) as { pseudonym: string };
    const [entry, ...more] = await tenant.store.auditEntries({});
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      number: 1,
      actor: 'Grace',
      action: 'body.read',
      subject: pseudonym,
      detail: { seq: 1, reason: 'incident 7' },
    });
  });

  it('are gone with the key of the person, who is exported before', async () => {
    await agree();
    for (const seq of [1, 2, 3]) await send(seq, `text ${seq}`);
    const first = await tenant.store.exportPerson(tenant.admin, '', 2);
    const rest = await tenant.store.exportPerson(tenant.admin, first.next as string, 2);
    expect([...first.records, ...rest.records].map(({ body }) => body)).toEqual(['text 1', 'text 2', 'text 3']);
    expect(await tenant.store.exportPerson(tenant.admin, rest.next as string, 2)).toMatchObject({ records: [], next: null });
    expect(first.person).toMatchObject({ name: 'Ada' });
    await tenant.store.audit({ actor: 'Ada', action: 'left', subject: 'x' });

    await tenant.store.deletePerson(tenant.admin);
    expect(await tenant.store.body(ref(1), LOOK)).toBeUndefined();
    expect((await tenant.store.exportPerson(tenant.admin, '', 10)).records.map(({ body, hasBody }) => [body, hasBody])).toEqual(
      [1, 2, 3].map(() => [null, false]),
    );
    expect(await tenant.store.person(tenant.admin)).toMatchObject({ name: 'deleted', email: null, subject: `deleted ${tenant.admin}` });
    expect(await send(4)).toMatchObject({ problem: 'unknown-machine' });
    const keys = await asSuperuser(bed.superuser, 'SELECT FROM piton.person_keys WHERE person_id = $1', [tenant.admin]);
    expect(keys).toEqual([]);
    expect(await tenant.store.verifyAudit()).toMatchObject({ ok: true, entries: 1 });
  });

  it('leave a chain in the audit log that shows every change', async () => {
    const { store } = tenant;
    await Promise.all(Array.from({ length: 12 }, (_, n) => store.audit({ actor: `a${n}`, action: 'did', subject: 's', detail: { n } })));
    const good = await store.verifyAudit();
    expect(good).toMatchObject({ ok: true, entries: 12 });
    expect((await store.auditEntries({ limit: 100 })).map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    const tamper = async (sql: string): Promise<unknown> => {
      const quiet = (does: string): string => `ALTER TABLE piton.audit ${does} TRIGGER only_appends;`;
      await asSuperuser(
        bed.superuser,
        `CREATE TABLE kept AS SELECT * FROM piton.audit; ${quiet('DISABLE')} ${sql.replaceAll('$1', `'${store.id}'`)}`,
      );
      const verdict = await store.verifyAudit();
      await asSuperuser(
        bed.superuser,
        `DELETE FROM piton.audit; INSERT INTO piton.audit SELECT * FROM kept; DROP TABLE kept; ${quiet('ENABLE')}`,
      );
      return verdict;
    };
    const where = 'WHERE tenant_id = $1 AND number';
    expect(await tamper(`UPDATE piton.audit SET actor = 'nobody' ${where} = 5`)).toMatchObject({ ok: false, number: 5 });
    expect(await tamper(`UPDATE piton.audit SET at = at + interval '1 hour' ${where} = 12`)).toMatchObject({ ok: false, number: 12 });
    expect(await tamper(`UPDATE piton.audit SET detail = '{"n":99}' ${where} = 1`)).toMatchObject({ ok: false, number: 1 });
    expect(await tamper(`DELETE FROM piton.audit ${where} = 7`)).toMatchObject({ ok: false, number: 7 });
    expect(await tamper(`DELETE FROM piton.audit ${where} = 7; UPDATE piton.audit SET number = number - 1 ${where} > 7`)).toMatchObject({
      ok: false,
      number: 7,
    });
    // Whoever changes an entry and its hash has to change the next one too.
    const [before, changed] = (await store.auditEntries({ after: 3, limit: 2 })) as [AuditEntry, AuditEntry];
    const forged = createHash('sha256')
      .update(Buffer.from(before.hash, 'hex'))
      .update(JSON.stringify([5, changed.at.toISOString(), 'nobody', 'did', 's', JSON.stringify(changed.detail)]))
      .digest('hex');
    expect(await tamper(`UPDATE piton.audit SET actor = 'nobody', hash = '\\x${forged}' ${where} = 5`)).toMatchObject({
      ok: false,
      number: 6,
    });
    // The end is missed by nobody but who kept the head.
    expect(await tamper(`DELETE FROM piton.audit ${where} = 12`)).not.toMatchObject({ head: (good as { head: string }).head });
    expect(await store.verifyAudit()).toEqual(good);
    await expect(asSuperuser(bed.owner, `DELETE FROM piton.audit`)).rejects.toThrow('only appends');
  });
});
