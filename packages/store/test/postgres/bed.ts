import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { postgresHere, startPostgres } from '../../../../scripts/postgres.mjs';
import {
  migrateTeamStore,
  openTeamStore,
  type TeamBatch,
  type TeamChange,
  type TeamStore,
  type TenantStore,
} from '../../src/postgres/team/index.ts';

export const hasPostgres = postgresHere() !== undefined;
export const SECRET = randomBytes(32);

/** A real PostgreSQL with the schema of a team, its owner and an application role that owns nothing. */
export async function teamBed() {
  const postgres = await startPostgres();
  await asSuperuser(postgres.url(), 'CREATE ROLE owner LOGIN CREATEROLE');
  await asSuperuser(postgres.url(), 'CREATE DATABASE team OWNER owner');
  const owner = postgres.url('team', 'owner');
  await migrateTeamStore({ url: owner, partitionsAhead: 3 });
  await asSuperuser(postgres.url(), 'CREATE ROLE app LOGIN IN ROLE piton_app');
  const app = postgres.url('team', 'app');
  const opened: TeamStore[] = [];
  const open = (maxConnections = 4): TeamStore => {
    const store = openTeamStore({ url: app, secret: SECRET, maxConnections });
    opened.push(store);
    return store;
  };
  return {
    ...{ postgres, owner, app, open },
    superuser: postgres.url('team'),
    end: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await postgres.remove();
    },
  };
}
export type TeamBed = Awaited<ReturnType<typeof teamBed>>;

export async function asSuperuser<T = Record<string, unknown>>(url: string, sql: string, values?: readonly unknown[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await (values === undefined ? client.query(sql) : client.query(sql, [...values]));
    return (Array.isArray(result) ? result.at(-1) : result).rows as T[];
  } finally {
    await client.end();
  }
}

let tenants = 0;
export interface TestTenant {
  readonly store: TenantStore;
  readonly admin: string;
  /** A machine of that person, joined by a code. */
  machine(person?: string): Promise<string>;
  member(name: string): Promise<string>;
}
export async function newTenant(team: TeamStore): Promise<TestTenant> {
  const name = `tenant ${++tenants}`;
  const { tenant, admin } = await team.createTenant({ name, admin: { subject: `issuer admin-${name}`, name: 'Ada' } });
  const store = team.tenant(tenant);
  let machines = 0;
  return {
    ...{ store, admin },
    async machine(person = admin) {
      const code = await store.makeJoinCode({ person, seconds: 60 });
      const joined = await team.join(code, { name: `machine-${++machines}`, publicKey: 'key', os: 'linux', pitonVersion: '0.1.0' });
      return (joined as { machine: string }).machine;
    },
    member: (subject) => store.putPerson({ subject: `issuer ${subject}`, name: subject, role: 'member' }),
  };
}

export const nowUs = (): number => Date.now() * 1000;
export const change = (seq: number, also: Partial<TeamChange> = {}): TeamChange => ({
  ...{ seq, kind: 'event', id: `event-${seq}`, wallUs: nowUs(), session: 'session-1', repo: '/repo', agent: 'claude', event: 'stop' },
  ...{ decision: null, tokens: null, header: { n: seq } },
  ...also,
});
export const batchOf = (machine: string, after: number, changes: readonly TeamChange[], also: Partial<TeamBatch> = {}): TeamBatch => ({
  ...{ machine, epoch: 'epoch-1', after, upTo: changes.at(-1)?.seq ?? after, changes, sentUs: nowUs() },
  ...also,
});
