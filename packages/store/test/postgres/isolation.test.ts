import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../src/postgres/database/pool.ts';
import type { TeamEventQuery, TeamStore, TenantStore, Viewer } from '../../src/postgres/team/index.ts';
import { asSuperuser, batchOf, change, hasPostgres, newTenant, type TeamBed, type TestTenant, teamBed } from './bed.ts';

const ADMIN: Viewer = { person: null, role: 'admin' };
const NEVER = 'only-of-the-victim';
const SQL = [
  `' OR 1=1 --`,
  `'; DROP TABLE piton.changes; --`,
  `$1`,
  `\\'; SELECT set_config('piton.tenant', '', false)`,
  `%' OR '%'='`,
  `"`,
  `\0`,
];

describe.skipIf(!hasPostgres)('tenants on PostgreSQL', () => {
  let bed: TeamBed;
  let team: TeamStore;
  let victim: TestTenant;
  let attacker: TestTenant;
  let machine: string;
  let theirs: string;
  let client: pg.Client;
  beforeAll(async () => {
    bed = await teamBed();
    team = bed.open(1); // every transaction on one connection: what it kept of the one before would be seen
    victim = await newTenant(team);
    attacker = await newTenant(team);
    machine = await victim.machine();
    theirs = await attacker.machine();
    await victim.store.changeSettings({ bodies: true });
    await victim.store.changeConsent(victim.admin, true);
    await victim.store.ingest(
      batchOf(machine, 0, [change(1, { header: { tool: NEVER }, repo: NEVER, body: NEVER }), change(2, { kind: 'session', id: NEVER })], {
        gaps: [],
      }),
    );
    await victim.store.report(machine, { pitonVersion: '1', inventory: { NEVER }, canary: {} });
    await victim.store.audit({ actor: NEVER, action: 'a', subject: 's' });
    await victim.store.issueToken({ kind: 'ci', name: NEVER, role: 'admin', seconds: 60 });
    await team.rollUp(100);
    client = new pg.Client({ connectionString: bed.app });
    await client.connect();
  }, 120_000);
  afterAll(async () => {
    await client?.end();
    await bed?.end();
  });

  /** Every method that reads, with ids of the victim and of the attacker's own choice. */
  const reads = (store: TenantStore, text: string): readonly (() => Promise<unknown>)[] => {
    const query: TeamEventQuery = { session: text, repo: text, agent: text, event: text, decision: text };
    const ref = { machine, epoch: 'epoch-1', seq: 1 };
    const since = new Date(0);
    return [
      () => store.events({}, ADMIN),
      () => store.events({ machine }, ADMIN),
      () => store.events({ person: victim.admin }, ADMIN),
      () => store.events(query, ADMIN),
      () => store.events({ kinds: ['event', text as 'event'] }, ADMIN),
      () => store.events({ before: { at: new Date(4e12), machine, epoch: text, seq: 9 } }, { person: victim.admin, role: 'member' }),
      () => store.sessions({}, ADMIN),
      () => store.sessions({ repo: text }, ADMIN),
      () => store.hours({ since }),
      () => store.hours({ since, repo: text, agent: text }),
      () => store.search(NEVER, {}, ADMIN),
      () => store.search(text, query, ADMIN),
      () => store.since('', 100),
      () => store.body(ref, { ...ADMIN, actor: text, reason: text }),
      () => store.machine(machine),
      () => store.machine(text),
      () => store.machines({ person: victim.admin, role: 'member' }),
      () => store.person(victim.admin),
      () => store.person(text),
      () => store.personBySubject(text),
      () => store.people(),
      () => store.tokens(),
      () => store.auditEntries({}),
      () => store.verifyAudit(),
      () => store.exportPerson(victim.admin, '', 100),
      () => store.acknowledged(machine, 'epoch-1'),
      () => store.acknowledged(machine, text),
      () => store.settings(),
    ];
  };
  const rowsOf = async (store: TenantStore): Promise<unknown> => [
    (await store.since('', 100)).records.map(({ seq, id, repo, header }) => ({ seq, id, repo, header })),
    await store.people(),
    (await store.machines(ADMIN)).map(({ id, name, leftAt, inventory }) => ({ id, name, leftAt, inventory })),
    await store.tokens(),
    await store.settings(),
    await store.verifyAudit(),
  ];

  it.each([...SQL, NEVER])('read nothing of one another, whatever they ask (%j)', async (text) => {
    const secrets = [NEVER, victim.admin, machine, victim.store.id];
    for (const store of [attacker.store, team.tenant('99999999-9999-9999-9999-999999999999')]) {
      for (const read of reads(store, text)) {
        // The victim is asked between, on the same connection.
        await victim.store.people();
        const said = JSON.stringify(await read().catch((error: Error) => `refused: ${error.message.replaceAll(text, '')}`)) ?? '';
        for (const secret of secrets) expect(said, String(read)).not.toContain(secret);
      }
    }
  });

  it('finds what is there when the tenant itself asks, so that nothing above is empty by accident', async () => {
    for (const read of reads(victim.store, NEVER).slice(0, 3)) expect(await read()).not.toEqual([]);
    expect(await victim.store.search(NEVER, {}, ADMIN)).toHaveLength(1);
    expect(await victim.store.hours({ since: new Date(0) })).not.toEqual([]);
    expect(await victim.store.body({ machine, epoch: 'epoch-1', seq: 1 }, { ...ADMIN, actor: 'a', reason: 'r' })).toBe(NEVER);
    expect(await attacker.store.events({}, ADMIN)).toEqual([]);
  });

  it.each(SQL)('change nothing of one another, whatever they write (%j)', async (text) => {
    const before = await rowsOf(victim.store);
    const { store } = attacker;
    const writes: (() => Promise<unknown>)[] = [
      () => store.ingest(batchOf(machine, 2, [change(3)])),
      () =>
        store.ingest(
          batchOf(
            theirs,
            0,
            [
              change(1, {
                id: text,
                repo: text,
                session: text,
                agent: text,
                event: text,
                decision: text,
                header: { [text]: text },
                body: text,
              }),
            ],
            { epoch: `${text} e` },
          ),
        ),
      () => store.changeRole(victim.admin, 'member'),
      () => store.changeConsent(victim.admin, false),
      () => store.personLeft(victim.admin),
      () => store.deletePerson(victim.admin),
      () => store.machineLeft(machine),
      () => store.report(machine, { pitonVersion: text, inventory: { text }, canary: {} }),
      () => store.report(theirs, { pitonVersion: text, inventory: { [text]: text }, canary: {} }),
      () => store.makeJoinCode({ person: victim.admin, seconds: 60 }),
      () => store.issueToken({ kind: 'machine', machine, seconds: 60 }),
      () => store.issueToken({ kind: 'person', person: victim.admin, seconds: 60 }),
      () => store.issueToken({ kind: 'ci', name: text, role: 'admin', seconds: 60 }),
      () => store.putPerson({ subject: text, name: text, email: text, role: 'member' }),
      () => store.audit({ actor: text, action: text, subject: text, detail: { [text]: text } }),
      async () => Promise.all((await victim.store.tokens()).map(({ id }) => store.revokeToken(id))),
    ];
    for (const write of writes) await write().catch(() => {});
    expect(await rowsOf(victim.store)).toEqual(before);
    expect(await attacker.store.verifyAudit()).toMatchObject({ ok: true });
  });

  it('take no token, join code or tenant that was put together', async () => {
    const { token } = await victim.store.issueToken({ kind: 'ci', name: 'build', role: 'auditor', seconds: 60 });
    expect(await team.authenticate(token)).toMatchObject({ kind: 'ci', tenant: victim.store.id, role: 'auditor' });
    const own = await attacker.store.issueToken({ kind: 'ci', name: 'own', role: 'admin', seconds: 60 });
    const [prefix, tenant, id, secret] = token.split('.') as [string, string, string, string];
    const [, ownTenant, ownId, ownSecret] = own.token.split('.') as [string, string, string, string];
    const forged = [
      [prefix, ownTenant, id, secret],
      [prefix, tenant, ownId, ownSecret],
      [prefix, tenant, id, ownSecret],
      ['piton-join', tenant, id, secret],
      [prefix, `${tenant}'`, id, secret],
      [prefix, tenant, id, secret, 'x'],
      [prefix, tenant, id, ''],
      [''],
    ];
    for (const parts of forged) expect(await team.authenticate(parts.join('.')), parts.join('.')).toBeUndefined();
    for (const id of [...SQL, '', '*']) await expect(team.tenant(id).people()).rejects.toThrow('not the id of a tenant');
  });

  it('end the tokens of who has left, of their machines, and what has run out', async () => {
    const person = await victim.member('leaver');
    const laptop = await victim.machine(person);
    const seconds = 60;
    const issued = await Promise.all([
      victim.store.issueToken({ kind: 'machine', machine: laptop, seconds }),
      victim.store.issueToken({ kind: 'person', person, seconds }),
    ]);
    const code = await victim.store.makeJoinCode({ person, seconds });
    for (const { token } of issued) expect(await team.authenticate(token)).toMatchObject({ person });
    await victim.store.personLeft(person);
    for (const { token } of issued) expect(await team.authenticate(token)).toBeUndefined();
    const machine_ = { name: 'm', publicKey: 'k', os: 'l', pitonVersion: '1' };
    expect(await team.join(code, machine_)).toBeUndefined();
    const late = await victim.store.issueToken({ kind: 'ci', name: 'old', role: 'member', seconds: 0 });
    expect(await team.authenticate(late.token)).toBeUndefined();
    const once = await victim.store.makeJoinCode({ person: victim.admin, seconds });
    const joined = await Promise.all([1, 2, 3].map(() => team.join(once, machine_)));
    expect(joined.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it('show a member own sessions only, unless the tenant says otherwise', async () => {
    const member = await victim.member('reader');
    const viewer: Viewer = { person: member, role: 'member' };
    expect(await victim.store.events({}, viewer)).toEqual([]);
    expect(await victim.store.search(NEVER, {}, viewer)).toEqual([]);
    expect(await victim.store.machines(viewer)).toEqual([]);
    expect(await victim.store.events({}, { person: null, role: 'member' })).toEqual([]);
    const body = { machine, epoch: 'epoch-1', seq: 1 };
    expect(await victim.store.body(body, { ...viewer, actor: 'a', reason: 'r' })).toBeUndefined();
    await victim.store.changeSettings({ openSessions: true });
    expect(await victim.store.events({}, viewer)).not.toEqual([]);
    await victim.store.changeSettings({ openSessions: false });
  });

  describe('in the database itself, as the application role', () => {
    const asTenant = async (tenant: string | null, sql: string): Promise<unknown[]> => {
      await client.query('BEGIN');
      try {
        if (tenant !== null) await client.query(`SELECT set_config('piton.tenant', $1, true)`, [tenant]);
        return (await client.query(sql)).rows;
      } finally {
        await client.query('ROLLBACK');
      }
    };
    const TABLES = `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'piton'::regnamespace AND c.relkind IN ('r', 'p')
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')`;

    it('row-level security is forced on every table with a tenant, which is first in every key', async () => {
      const tables = await asSuperuser<{ name: string; forced: boolean; first: boolean }>(
        bed.superuser,
        `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
          NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND (i.indisprimary OR i.indisunique)
            AND i.indkey[0] <> (SELECT attnum FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')) AS first
         FROM pg_class c WHERE c.relname IN (${TABLES.replace('c.relname AS name', 'c.relname')}) AND c.relnamespace = 'piton'::regnamespace`,
      );
      expect(tables.length).toBeGreaterThan(20);
      expect(tables.filter(({ forced, first }) => !forced || !first)).toEqual([]);
      const all = await asSuperuser<{ name: string }>(
        bed.superuser,
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'piton'::regnamespace AND relkind IN ('r', 'p')`,
      );
      const names = new Set(tables.map(({ name }) => name));
      expect(
        all
          .map(({ name }) => name)
          .filter((name) => !names.has(name))
          .sort(),
      ).toEqual(['cluster', 'migrations']);
    });

    it('owns nothing, and may do nothing but what is listed', async () => {
      const owned = `SELECT relname FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname IN ('app', 'piton_app')`;
      expect(await asSuperuser(bed.superuser, owned)).toEqual([]);
      const forbidden = [
        'UPDATE piton.changes SET repo = NULL',
        'DELETE FROM piton.changes',
        'TRUNCATE piton.changes',
        'UPDATE piton.audit SET actor = NULL',
        'DELETE FROM piton.audit',
        'TRUNCATE piton.audit',
        'DELETE FROM piton.people',
        'ALTER TABLE piton.changes DISABLE ROW LEVEL SECURITY',
        'DROP POLICY tenant ON piton.changes',
        'CREATE TABLE piton.mine (x int)',
        'UPDATE piton.cluster SET added = 0',
        'SET row_security = off; SELECT * FROM piton.changes',
        'SET ROLE owner',
        'CREATE FUNCTION piton.f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      ];
      for (const sql of forbidden) {
        await expect(asTenant(attacker.store.id, sql), sql).rejects.toThrow(
          /permission denied|must be owner|affected by row-level security/,
        );
      }
    });

    it('shows no table and no partition without a tenant, or as another', async () => {
      const tables = (await asSuperuser<{ name: string }>(bed.superuser, TABLES)).map(({ name }) => name);
      for (const tenant of [null, '', attacker.store.id]) {
        for (const name of tables) {
          const seen = await asTenant(tenant, `SELECT * FROM piton.${name}`).catch((error: Error) => {
            if (!/permission denied/.test(error.message)) throw error;
            return [];
          });
          const text = JSON.stringify(seen);
          for (const secret of [NEVER, victim.store.id, machine]) expect(text, name).not.toContain(secret);
        }
      }
    });

    it('writes nothing under the name of another tenant', async () => {
      const as = victim.store.id;
      const insert = `INSERT INTO piton.audit VALUES ('${as}', 99, now(), 'a', 'b', 'c', '{}', '')`;
      for (const sql of [insert, `INSERT INTO piton.tenants (tenant_id, name) VALUES (gen_random_uuid(), 'x')`]) {
        await expect(asTenant(attacker.store.id, sql)).rejects.toThrow(/row-level security/);
      }
      const moved = `UPDATE piton.people SET tenant_id = '${as}'`;
      await expect(asTenant(attacker.store.id, moved)).rejects.toThrow(/row-level security/);
    });

    it('searches as the tenant of its transaction alone', async () => {
      const search = (of: string, words: string): string => `SELECT * FROM piton.search('${of}', '${words}', 100)`;
      const [mine, other] = [attacker.store.id, victim.store.id];
      await expect(asTenant(mine, search(other, NEVER))).rejects.toThrow('not of this tenant');
      await expect(asTenant(mine, `SELECT * FROM piton.search(NULL, 'x', 100)`)).rejects.toThrow('not of this tenant');
      for (const words of [NEVER, `tenant:${other}`, `${NEVER} | ${NEVER}`, `!zzz`, `'':* | ''${NEVER}`, `\\`, `<->`])
        expect(await asTenant(mine, search(mine, words)), words).toEqual([]);
      expect(await asTenant(null, search(other, NEVER))).toHaveLength(1);
      // A function or operator of the caller's own must not run with the owner's rights.
      const shadowed = `CREATE FUNCTION pg_temp.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS $$ SELECT $2 $$; SET LOCAL search_path = pg_temp, pg_catalog;`;
      await expect(asTenant(mine, shadowed + search(other, NEVER))).rejects.toThrow('not of this tenant');
    });

    it('uses the index of words', async () => {
      const plan = await asSuperuser<Record<string, string>>(
        bed.owner,
        `SET enable_seqscan = off; SET piton.tenant = '${victim.store.id}'; EXPLAIN SELECT seq FROM piton.words w
         WHERE w.tenant_id = '${victim.store.id}' AND w.words @@ '''tenant:x'' & ''y'':*'::tsquery`,
      );
      expect(JSON.stringify(plan)).toMatch(/Bitmap Index Scan on words_\d+_words_idx/);
    });
  });

  it('keep no pooled connection, after success, failure or a broken transaction', async () => {
    const pool = openPool({ url: bed.app, maxConnections: 1 });
    const left = (): Promise<{ tenant: string | null; rows: number }[]> =>
      pool.asNobody((tx) =>
        tx.rows(`SELECT current_setting('piton.tenant', true) AS tenant, (SELECT count(*) FROM piton.changes) AS rows`),
      );
    const of = victim.store.id;
    await pool.asTenant(of, (tx) => tx.rows('SELECT 1'));
    expect(await left()).toMatchObject([{ rows: 0 }]);
    await expect(pool.asTenant(of, (tx) => tx.rows('SELECT 1/0'))).rejects.toThrow();
    expect(await left()).toMatchObject([{ rows: 0 }]);
    await expect(pool.asTenant(of, () => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
    expect(await left()).toMatchObject([{ rows: 0 }]);
    await expect(pool.asTenant(of, (tx) => tx.rows('SELECT pg_terminate_backend(pg_backend_pid())'))).rejects.toThrow();
    expect(await left()).toMatchObject([{ rows: 0 }]);
    expect(await pool.asTenant(of, (tx) => tx.rows('SELECT count(*) AS rows FROM piton.changes'))).toMatchObject([{ rows: 2 }]);
    await pool.close();
  });
});
