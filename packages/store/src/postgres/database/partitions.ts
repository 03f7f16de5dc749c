import type pg from 'pg';
import { asOwner } from './owner.ts';

const PARTITIONED = ['changes', 'bodies', 'words'] as const;
type Partitioned = (typeof PARTITIONED)[number];
const DAY_MS = 86_400_000;

const dayAt = (today: string, days: number): string => new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);

async function todayOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ day: string }>(`SELECT ((now() AT TIME ZONE 'utc')::date)::text AS day`);
  return rows[0]?.day as string;
}

async function partitionsOf(
  client: pg.Client,
  table: Partitioned,
): Promise<readonly { readonly name: string; readonly day: string; readonly leaving: boolean }[]> {
  const { rows } = await client.query<{ name: string; leaving: boolean }>(
    `SELECT c.relname AS name, i.inhdetachpending AS leaving FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = ('piton.' || $1)::regclass ORDER BY c.relname`,
    [table],
  );
  return rows.map(({ name, leaving }) => ({ name, leaving, day: name.slice(-8).replace(/(....)(..)(..)/, '$1-$2-$3') }));
}

/** Made apart and then attached, which holds up neither readers nor writers. */
export async function makePartitions(client: pg.Client, ahead: number): Promise<void> {
  const today = await todayOf(client);
  for (const table of PARTITIONED) {
    const there = new Set((await partitionsOf(client, table)).map(({ day }) => day));
    for (let at = 0; at <= ahead; at++) {
      const day = dayAt(today, at);
      if (there.has(day)) continue;
      const name = `piton.${table}_${day.replaceAll('-', '')}`;
      await client.query(`BEGIN;
        CREATE TABLE ${name} (LIKE piton.${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
        ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${name} FORCE ROW LEVEL SECURITY;
        ALTER TABLE piton.${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${dayAt(today, at + 1)}');
        COMMIT`);
    }
  }
}

export interface MaintainOptions {
  /** The owner's URL. */
  readonly url: string;
  readonly keepDays: number;
  readonly keepBodyDays: number;
  readonly partitionsAhead?: number;
}

/** Partitions ahead, and retention: whole days are dropped. Returns the partitions that were. */
export function maintainTeamStore({ url, keepDays, keepBodyDays, partitionsAhead = 14 }: MaintainOptions): Promise<readonly string[]> {
  return asOwner(url, async (client) => {
    await makePartitions(client, partitionsAhead);
    const today = await todayOf(client);
    const dropped: string[] = [];
    for (const table of PARTITIONED) {
      const oldest = dayAt(today, -(table === 'bodies' ? keepBodyDays : keepDays));
      for (const { name, day, leaving } of await partitionsOf(client, table)) {
        if (day >= oldest && !leaving) continue;
        // Detached first, beside readers. One that was interrupted here is finished.
        await client.query(`ALTER TABLE piton.${table} DETACH PARTITION piton.${name} ${leaving ? 'FINALIZE' : 'CONCURRENTLY'}`);
        await client.query(`DROP TABLE piton.${name}`);
        dropped.push(name);
      }
    }
    return dropped;
  });
}
