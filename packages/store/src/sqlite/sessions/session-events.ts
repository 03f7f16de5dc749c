import type { EventName, Verdict } from '@piton/contracts';
import { sessionEventOf } from '../../sessions/input.ts';
import type { SessionEvent } from '../../sessions/machine.ts';
import type { Row, Sql } from '../database/driver.ts';

/** What the session machine needs of each event and observation, read from the headers. */
export function sessionEventsOf(sql: Sql, session: string, depth: number): SessionEvent[] {
  const events = sql.all(
    `SELECT e.event_id AS stamp, e.boot_id, e.monotonic_us, e.wall_us, e.event, e.source, e.derived, e.depth, d.verdict, d.continued
     FROM events e LEFT JOIN decisions d ON d.seq = e.seq WHERE e.session_id = ?`,
    session,
  );
  const observations = sql.all(
    `SELECT id AS stamp, boot_id, monotonic_us, wall_us, kind FROM observations WHERE session_id = ? AND kind IN ('crash', 'commit')`,
    session,
  );
  return [
    ...events.map((row) => sessionEventOf(factsIn(row), depth)),
    ...observations.map(
      (row): SessionEvent => ({ position: positionIn(row), input: { kind: row.kind as 'crash' | 'commit' }, denied: false }),
    ),
  ];
}

const factsIn = (row: Row) => ({
  position: positionIn(row),
  event: row.event as EventName,
  source: row.source as string | null,
  derived: row.derived === 1,
  depth: row.depth as number,
  continued: row.continued === 1,
  verdict: row.verdict as Verdict | null,
});

const positionIn = (row: Row) => ({
  bootId: row.boot_id as string,
  monotonicUs: row.monotonic_us as number,
  stamp: row.stamp as string,
  wallUs: row.wall_us as number,
});
