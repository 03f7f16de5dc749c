import { TeamStoreError } from '../database/failure.ts';
import type { Tx } from '../database/pool.ts';
import type { TeamPosition, TeamRecord } from './queries.ts';
import { COLUMNS, type PlacedRow, recordOf } from './records.ts';

export interface Place {
  readonly xact: number;
  readonly place: number;
}

export function parsePosition(position: TeamPosition): Place {
  if (position === '') return { xact: 0, place: 0 };
  const found = /^(\d{1,15})\.(\d{1,15})$/.exec(position);
  if (found === null) throw new TeamStoreError('invalid', 'not a position');
  return { xact: Number(found[1]), place: Number(found[2]) };
}

export const formatPosition = ({ xact, place }: Place): TeamPosition => (xact === 0 ? '' : `${xact}.${place}`);

/**
 * Numbers of a sequence become visible in the order of commits. So a row is ordered by its transaction first, and read only once that
 * one and all before it have ended: below the oldest that is open nothing can come any more.
 */
export const SETTLED = `c.xact < (SELECT added + pg_snapshot_xmin(pg_current_snapshot())::text::bigint FROM piton.cluster)`;

/** A page of an order that an index has. The planner takes what follows for few rows, and would sort all of them. */
export const BY_INDEX = 'SET LOCAL enable_sort = off';

export async function recordsSince(
  tx: Tx,
  tenant: string,
  position: TeamPosition,
  limit: number,
  person: string | null = null,
): Promise<{ readonly records: readonly TeamRecord[]; readonly position: TeamPosition }> {
  const { xact, place } = parsePosition(position);
  await tx.rows(BY_INDEX);
  const rows = await tx.rows<PlacedRow>(
    `SELECT ${COLUMNS}, c.xact, c.place FROM piton.changes c
     WHERE c.tenant_id = $1 AND (c.xact, c.place) > ($2::bigint, $3::bigint) AND ${SETTLED} AND ($5::uuid IS NULL OR c.person_id = $5)
     ORDER BY c.xact, c.place LIMIT $4`,
    [tenant, xact, place, Math.min(limit, 10_000), person],
  );
  const last = rows.at(-1);
  return { records: rows.map(recordOf), position: last === undefined ? position : formatPosition(last) };
}
