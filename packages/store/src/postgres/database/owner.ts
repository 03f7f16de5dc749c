import pg from 'pg';
import { TeamStoreError } from './failure.ts';

/** Our own advisory lock: whoever migrates or maintains holds it. Another one waits. */
const LOCK = 6_501_650_165;

/** Said before anything is done: a day on which nothing has to be made would pass with any role, and the next one fail. */
async function settleOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owns: boolean }>(
    `SELECT bool_and(pg_has_role(current_user, owner, 'USAGE')) AS owns FROM (SELECT nspowner FROM pg_namespace WHERE nspname = 'piton'
       UNION ALL SELECT relowner FROM pg_class WHERE oid = to_regclass('piton.changes')) AS there (owner)`,
  );
  if (rows[0]?.owns === false) throw new TeamStoreError('role', 'this role does not own the tables: connect as their owner');
}

/** Runs as the owner, whose URL a server never gets. */
export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'piton-team-owner' });
  client.on('error', () => {});
  await client.connect();
  try {
    await settleOwner(client);
    await client.query(`SELECT pg_advisory_lock(${LOCK})`);
    // A migration that waits for a lock makes everybody behind it wait: it gives up instead.
    await client.query(`SET lock_timeout = '5s'`);
    return await work(client);
  } finally {
    await client.end();
  }
}
