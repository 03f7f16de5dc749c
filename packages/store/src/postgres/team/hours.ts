import type { Tx } from '../database/pool.ts';
import { BY_INDEX, type Place, SETTLED } from './following.ts';
import type { TeamHour } from './queries.ts';
import { NEWEST } from './records.ts';

/** Counts the hours again in which something is new. Of a thing that came twice only the newest counts, so nothing is added up. */
export async function rollUp(tx: Tx, tenant: string, limit: number): Promise<number> {
  await tx.rows('INSERT INTO piton.counted (tenant_id, xact, place) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING', [tenant]);
  const [from] = await tx.rows<Place>('SELECT xact, place FROM piton.counted WHERE tenant_id = $1 FOR UPDATE', [tenant]);
  await tx.rows(BY_INDEX);
  const fresh = await tx.rows<Place & { readonly hour: Date }>(
    `SELECT c.xact, c.place, date_trunc('hour', c.at, 'UTC') AS hour FROM piton.changes c
     WHERE c.tenant_id = $1 AND (c.xact, c.place) > ($2::bigint, $3::bigint) AND ${SETTLED} ORDER BY c.xact, c.place LIMIT $4`,
    [tenant, from?.xact, from?.place, limit],
  );
  // A few hours by their index, however many rows there are: it takes their range for a ninth of all, and would read every row.
  await tx.rows(`SELECT set_config(name, setting, true) FROM (VALUES ('enable_sort', 'on'), ('enable_seqscan', 'off'),
    ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off')) AS planner (name, setting)`);
  const last = fresh.at(-1);
  if (last === undefined) return 0;
  const hours = [...new Set(fresh.map(({ hour }) => hour.getTime()))].map((time) => new Date(time));
  await tx.rows('DELETE FROM piton.hours WHERE tenant_id = $1 AND hour = ANY($2::timestamptz[])', [tenant, hours]);
  await tx.rows(
    `INSERT INTO piton.hours (tenant_id, hour, agent, repo, events, denials, sessions, machines, input, output, cache_read, cache_write)
     SELECT $1, h.hour, coalesce(c.agent, ''), coalesce(c.repo, ''), count(*) FILTER (WHERE c.kind = 'event'),
       count(*) FILTER (WHERE c.kind = 'event' AND c.decision = 'deny'), count(DISTINCT (c.machine_id, c.session)) FILTER (WHERE c.session IS NOT NULL),
       count(DISTINCT c.machine_id), coalesce(sum(c.input), 0), coalesce(sum(c.output), 0), coalesce(sum(c.cache_read), 0), coalesce(sum(c.cache_write), 0)
     FROM unnest($2::timestamptz[]) AS h (hour)
     JOIN piton.changes c ON c.tenant_id = $1 AND c.at >= h.hour AND c.at < h.hour + interval '1 hour' AND ${NEWEST}
     GROUP BY h.hour, coalesce(c.agent, ''), coalesce(c.repo, '')`,
    [tenant, hours],
  );
  await tx.rows('UPDATE piton.counted SET xact = $2, place = $3 WHERE tenant_id = $1', [tenant, last.xact, last.place]);
  return fresh.length;
}

interface Row extends Omit<TeamHour, 'tokens'> {
  readonly input: string;
  readonly output: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
}

export async function queryHours(
  tx: Tx,
  tenant: string,
  { since, until, repo, agent }: { readonly since: Date; readonly until?: Date; readonly repo?: string; readonly agent?: string },
): Promise<TeamHour[]> {
  const rows = await tx.rows<Row>(
    `SELECT hour, agent, repo, events, denials, sessions, machines, input, output, cache_read AS "cacheRead", cache_write AS "cacheWrite"
     FROM piton.hours WHERE tenant_id = $1 AND hour >= date_trunc('hour', $2::timestamptz, 'UTC') AND ($3::timestamptz IS NULL OR hour < $3)
       AND ($4::text IS NULL OR repo = $4) AND ($5::text IS NULL OR agent = $5) ORDER BY hour, agent, repo LIMIT 100000`,
    [tenant, since, until ?? null, repo ?? null, agent ?? null],
  );
  return rows.map(({ input, output, cacheRead, cacheWrite, ...row }) => ({
    ...row,
    tokens: { input: Number(input), output: Number(output), cacheRead: Number(cacheRead), cacheWrite: Number(cacheWrite) },
  }));
}
