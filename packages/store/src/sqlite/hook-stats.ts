import type { DecisionName } from '@piton/contracts';
import type { HookRef, HookRunQuery, HookStats, RecordedRun } from '../stored-events.ts';
import type { Sql, SqlValue } from './database/driver.ts';
import { escapeLike } from './listing.ts';
import { failureRow } from './query.ts';

const LAST_RUNS = 200;
// Exactly the condition of the indices: otherwise they are not used.
const RAN = `r.did = 'ran'`;
const FAILED = '(r.failed IS NOT NULL OR r.timed_out IS NOT NULL)';

export function queryHookStats(
  sql: Sql,
  { hooks, last = LAST_RUNS }: { readonly hooks: readonly HookRef[]; readonly last?: number },
): HookStats[] {
  return hooks.map((ref) => {
    const stats = statsOf(sql, ref, last, OF_HOOKS);
    // An id belongs either to a hook or to a subscription.
    return stats.runs > 0 || stats.failures > 0 ? stats : statsOf(sql, ref, last, OF_SUBSCRIPTIONS);
  });
}

/** The table of the runs, and the table of their events. */
interface Written {
  readonly runs: string;
  readonly events: string;
  readonly id: string;
  /** The directory where the event's session began, if known. */
  readonly began?: string;
}
const OF_HOOKS: Written = { runs: 'hook_runs', events: 'events', id: 'event_id', began: 's.project_path' };
const OF_SUBSCRIPTIONS: Written = { runs: 'own_runs', events: 'own_events', id: 'id' };

function statsOf(sql: Sql, { hook, root }: HookRef, last: number, written: Written): HookStats {
  const { events, id } = written;
  const { from, values } = runsOf(hook, root, written);
  const count = (which: string): number => sql.get(`SELECT count(*) AS n ${from} AND ${which}`, ...values)?.n as number;
  const latest = sql.all(`SELECT r.duration_ms, r.seq ${from} AND ${RAN} ORDER BY r.seq DESC LIMIT ?`, ...values, last);
  const failed = sql.get(
    `SELECT r.*, f.${id} AS event_id, f.agent, f.wall_us, f.project_path FROM (SELECT r.* ${from} AND ${FAILED} ORDER BY r.seq DESC, r.at DESC LIMIT 1) r
     JOIN ${events} f ON f.seq = r.seq`,
    ...values,
  );
  const durations = latest.map((row) => row.duration_ms as number).sort((a, b) => a - b);
  const [newest] = latest;
  return {
    hook,
    root,
    runs: count(RAN),
    failures: count(FAILED),
    lastRunUs:
      newest === undefined ? null : (sql.get(`SELECT wall_us FROM ${events} WHERE seq = ?`, newest.seq as number)?.wall_us as number),
    lastFailure: failed === undefined ? null : failureRow(failed),
    p50Ms: durations[Math.ceil(durations.length * 0.5) - 1] ?? null,
    p95Ms: durations[Math.ceil(durations.length * 0.95) - 1] ?? null,
  };
}

export function queryHookRuns(sql: Sql, { hook, root, since = 0, latest, said, failed, page }: HookRunQuery): RecordedRun[] {
  const { from, values } = runsOf(hook, root, OF_HOOKS, latest);
  const chosen = [RAN, ...(said === undefined ? [] : ['r.said = ?']), ...(failed === true ? [FAILED] : [])].join(' AND ');
  const order = page === undefined ? 'r.seq, r.at' : 'r.seq DESC, r.at DESC LIMIT ? OFFSET ?';
  return sql
    .all(
      `SELECT r.*, f.event_id, f.agent, f.wall_us, f.project_path FROM (SELECT r.* ${from} AND ${chosen}) r JOIN events f ON f.seq = r.seq
       WHERE f.wall_us >= ? ORDER BY ${order}`,
      ...values,
      ...(said === undefined ? [] : [said]),
      since,
      ...(page === undefined ? [] : [page.limit, page.skip]),
    )
    .map(failureRow);
}

/** How often it returned what. */
export function queryHookDecisions(sql: Sql, { hook, root, since = 0, latest }: HookRunQuery): Partial<Record<DecisionName, number>> {
  const { from, values } = runsOf(hook, root, OF_HOOKS, latest);
  const rows = sql.all(
    `SELECT r.said, count(*) AS n FROM (SELECT r.said, r.seq ${from} AND ${RAN}) r JOIN events f ON f.seq = r.seq
     WHERE f.wall_us >= ? AND r.said IS NOT NULL GROUP BY r.said`,
    ...values,
    since,
  );
  return Object.fromEntries(rows.map(({ said, n }) => [said as string, n as number]));
}

/** The run of a project's hook: its event was in the project, or in a session that began there. */
function runsOf(
  hook: string,
  root: string | null,
  { runs, events, began }: Written,
  latest?: number,
): { from: string; values: SqlValue[] } {
  // Of a hook that ran half a million times not all are looked at.
  const looked = latest === undefined ? runs : `(SELECT * FROM ${runs} WHERE hook = ? AND did = 'ran' ORDER BY seq DESC LIMIT ?)`;
  const bound = latest === undefined ? [] : [hook, latest];
  if (root === null) return { from: `FROM ${looked} r WHERE r.hook = ?`, values: [...bound, hook] };
  const below = `${escapeLike(root)}/%`;
  const paths = ['e.project_path', ...(began === undefined ? [] : [began])];
  const inside = paths.map((path) => `${path} = ? OR ${path} LIKE ? ESCAPE '!'`).join(' OR ');
  const sessions = began === undefined ? '' : 'LEFT JOIN sessions s ON s.id = e.session_id';
  return {
    from: `FROM ${looked} r JOIN ${events} e ON e.seq = r.seq ${sessions} WHERE r.hook = ? AND (${inside})`,
    values: [...bound, hook, ...paths.flatMap(() => [root, below])],
  };
}
