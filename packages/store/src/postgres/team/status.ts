import { teamFailureOf } from '../database/failure.ts';
import type { Pool } from '../database/pool.ts';
import { LAST_MIGRATION } from '../migrations/index.ts';
import type { TeamStatus } from './port.ts';

interface Row {
  readonly schema: string | null;
  readonly ours: boolean;
  readonly ahead: number;
  readonly behind: number;
}

const QUERY = `SELECT (SELECT name FROM piton.migrations ORDER BY id DESC LIMIT 1) AS schema,
  (SELECT identifier = (SELECT system_identifier::text FROM pg_control_system()) FROM piton.cluster) AS ours,
  (SELECT count(*)::int - 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'piton.changes'::regclass AND right(c.relname, 8) >= to_char(now() AT TIME ZONE 'utc', 'YYYYMMDD')) AS ahead,
  coalesce((SELECT extract(epoch FROM max(now() - xact_start)) FROM pg_stat_activity WHERE backend_xid IS NOT NULL), 0)::float8 AS behind`;

export async function readStatus(pool: Pool): Promise<TeamStatus> {
  const expected = LAST_MIGRATION;
  try {
    const [row] = await pool.asNobody((tx) => tx.rows<Row>(QUERY));
    const { schema, ours, ahead, behind } = row as Row;
    const about = { schema, expected, partitionsAhead: ahead, behindSeconds: behind };
    const bad = (problem: TeamStatus['problem'], error: string): TeamStatus => ({ ok: false, problem, error, ...about });
    // A newer schema is one that this program can live with: migrations are made so.
    if (schema === null || schema < expected)
      return bad('not-migrated', `the database has ${schema ?? 'no schema'}: run \`piton team migrate\``);
    if (!ours) return bad('not-migrated', 'the database was restored elsewhere: run `piton team migrate`');
    if (ahead < 0) return bad('no-partition', 'there is no partition for today: run `piton team maintain`');
    return { ok: true, problem: null, error: null, ...about };
  } catch (error) {
    const { problem, error: text } = teamFailureOf(error);
    return { ok: false, problem, error: text, schema: null, expected, partitionsAhead: 0, behindSeconds: 0 };
  }
}
