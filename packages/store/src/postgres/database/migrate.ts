import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { TEAM_MIGRATIONS, type TeamMigration } from '../migrations/index.ts';
import { asOwner } from './owner.ts';
import { makePartitions } from './partitions.ts';

export interface MigrateOptions {
  /** The owner's URL. */
  readonly url: string;
  readonly partitionsAhead?: number;
  readonly migrations?: readonly TeamMigration[];
}

/** Forward only, and while servers run: each migration is a transaction. Also after a restore. Returns what was applied. */
export function migrateTeamStore({ url, partitionsAhead = 14, migrations = TEAM_MIGRATIONS }: MigrateOptions): Promise<readonly string[]> {
  return asOwner(url, async (client) => {
    // node-pg-migrate reads files; in a bundle there are none.
    const dir = await mkdtemp(join(tmpdir(), 'piton-migrations-'));
    try {
      await Promise.all(migrations.map(({ name, sql }) => writeFile(join(dir, `${name}.sql`), sql)));
      const applied = await runner({
        ...{ dbClient: client, dir, direction: 'up', noLock: true, checkOrder: true, log: () => {} },
        ...{ migrationsTable: 'migrations', migrationsSchema: 'piton', createMigrationsSchema: true },
      });
      await makePartitions(client, partitionsAhead);
      await adoptCluster(client);
      return applied.map(({ name }) => name);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
}

/** After a restore into another cluster its transactions are numbered from the beginning: ours go on above the restored ones. */
async function adoptCluster(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT FROM piton.cluster WHERE identifier <> (SELECT system_identifier::text FROM pg_control_system())`,
  );
  if (rows.length === 0) return;
  let highest = 0n;
  for (const { id } of (await client.query<{ id: string }>('SELECT tenant_id AS id FROM piton.tenants')).rows) {
    await client.query(`SELECT set_config('piton.tenant', $1, false)`, [id]);
    const { rows } = await client.query<{ xact: string | null }>('SELECT max(xact) AS xact FROM piton.changes');
    const xact = BigInt(rows[0]?.xact ?? 0);
    if (xact > highest) highest = xact;
  }
  await client.query(`SELECT set_config('piton.tenant', '', false)`);
  await client.query('UPDATE piton.cluster SET identifier = (SELECT system_identifier::text FROM pg_control_system()), added = $1', [
    String(highest + 1n),
  ]);
}
