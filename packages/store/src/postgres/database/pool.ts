import pg from 'pg';
import { TeamStoreError, teamErrorOf } from './failure.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A transaction of one tenant. */
export interface Tx {
  rows<T = Row>(sql: string, values?: readonly unknown[]): Promise<T[]>;
  /** The same, planned once a connection. */
  prepared<T = Row>(name: string, sql: string, values: readonly unknown[]): Promise<T[]>;
}

export interface Pool {
  /** All or nothing, and only what belongs to this tenant. The tenant ends with the transaction, so that no pooled connection keeps it. */
  asTenant<T>(tenant: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Without a tenant, where nothing of any is visible. */
  asNobody<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isUuid = (text: string): boolean => UUID.test(text);
const NOBODY = '00000000-0000-0000-0000-000000000000';

// Numbers that PostgreSQL counts are below 2^53 here; as text they would be compared wrongly.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections?: number;
  readonly statementMs?: number;
}

/** Row-level security holds only below the owner: whoever is above it sees every tenant, also by mistake. */
const ABOVE = `SELECT r.rolsuper OR r.rolbypassrls OR coalesce(pg_has_role(r.oid, c.relowner, 'MEMBER'), false) AS above
  FROM pg_roles r LEFT JOIN pg_class c ON c.oid = to_regclass('piton.changes') WHERE r.rolname = current_user`;
const ROLE_IS_ABOVE = 'this role owns the tables or is above row-level security: connect as a member of piton_app that owns nothing';

export function openPool({ url, maxConnections = 10, statementMs = 30_000 }: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5000,
    application_name: 'piton-team',
    types,
  });
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', () => {});
  const known = new WeakSet<pg.PoolClient>();
  /** Once a connection, before anything else is asked on it. */
  const settleRole = async (client: pg.PoolClient): Promise<void> => {
    if (known.has(client)) return;
    const { rows } = await client.query<{ above: boolean }>(ABOVE);
    if (rows[0]?.above !== false) throw new TeamStoreError('role', ROLE_IS_ABOVE);
    known.add(client);
  };
  const transaction = async <T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw teamErrorOf(error);
    }
    let broken = false;
    const lost = (): void => {
      broken = true;
    };
    client.on('error', lost);
    const query = async <Q>(config: pg.QueryConfig): Promise<Q[]> => (await client.query(config)).rows as Q[];
    const tx: Tx = {
      rows: (text, values = []) => query({ text, values: [...values] }),
      prepared: (name, text, values) => query({ name, text, values: [...values] }),
    };
    try {
      await settleRole(client);
      await client.query(begin);
      const result = await work(tx);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(lost);
      // A client whose connection ended says so in words of its own, and in different ones.
      if (broken) throw new TeamStoreError('unavailable', (error as Error).message, { cause: error });
      throw teamErrorOf(error);
    } finally {
      client.off('error', lost);
      client.release(broken);
    }
  };
  const limits = `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = 10000`;
  return {
    asTenant(tenant, work) {
      // It goes into the text of a statement: nothing but a UUID may.
      if (!isUuid(tenant)) return Promise.reject(new TeamStoreError('invalid', 'not the id of a tenant'));
      return transaction(`BEGIN; SET LOCAL piton.tenant = '${tenant}'; ${limits}`, work);
    },
    asNobody: (work) => transaction(`BEGIN; SET LOCAL piton.tenant = '${NOBODY}'; ${limits}`, work),
    close: () => pool.end(),
  };
}
