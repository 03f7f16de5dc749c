import pg from 'pg';

/** Our own advisory lock: whoever migrates or maintains holds it. Another one waits. */
const LOCK = 6_501_650_165;

/** Runs as the owner, whose URL a server never gets. */
export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'piton-team-owner' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${LOCK})`);
    // A migration that waits for a lock makes everybody behind it wait: it gives up instead.
    await client.query(`SET lock_timeout = '5s'`);
    return await work(client);
  } finally {
    await client.end();
  }
}
