import type { Lookup } from '../../port.ts';
import type { HookTime } from '../../stored-events.ts';
import type { ObservationSummary, SessionDetail, SessionPlace, SessionQuery, SessionSummary, TurnRecord } from '../../stored-sessions.ts';
import type { Row, Sql, SqlValue } from '../database/driver.ts';
import { DEFAULT_LIMIT, escapeLike } from '../listing.ts';

const SELECT = `SELECT s.*, (SELECT e.prompt FROM turns t JOIN events e ON e.event_id = t.id
  WHERE t.session_id = s.id AND e.prompt IS NOT NULL ORDER BY t.number LIMIT 1) AS first_prompt,
  (SELECT count(*) FROM ledger l WHERE l.session_id = s.id AND l.kind = 'commit') AS linked FROM sessions s`;

/** A commit is in the ledger once it is linked, which may be when the session has long ended: no event of it counts them. */
const TURNS = `SELECT t.*, e.prompt,
  (SELECT count(*) FROM ledger l WHERE l.session_id = t.session_id AND l.kind = 'commit' AND (t.number = 1 OR l.wall_us >= t.started_us)
    AND NOT EXISTS (SELECT 1 FROM turns n WHERE n.session_id = t.session_id AND n.number = t.number + 1 AND l.wall_us >= n.started_us)) AS linked
  FROM turns t LEFT JOIN events e ON e.event_id = t.id WHERE t.session_id = ? ORDER BY t.number`;

export function querySessions(sql: Sql, query: SessionQuery): readonly SessionSummary[] {
  const { text, values } = conditionOf(query);
  return sql.all(`${SELECT} ${text} ORDER BY s.last_us DESC, s.id DESC LIMIT ?`, ...values, query.limit ?? DEFAULT_LIMIT).map(summaryOf);
}

export function countSessions(sql: Sql, query: SessionQuery): number {
  const { text, values } = conditionOf(query);
  return sql.get(`SELECT count(*) AS n FROM sessions s ${text}`, ...values)?.n as number;
}

function conditionOf({ agent, since, phase, path, after, ids, parent, denied }: SessionQuery): {
  readonly text: string;
  readonly values: readonly SqlValue[];
} {
  const where: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, ...more: SqlValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  if (agent !== undefined) add('s.agent = ?', agent);
  if (since !== undefined) add('s.last_us >= ?', since);
  if (phase !== undefined) add('s.phase = ?', phase);
  if (after !== undefined) add('(s.last_us, s.id) < (?, ?)', after.lastUs, after.id);
  if (ids !== undefined) add('s.id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  if (parent === null) add('s.parent_id IS NULL');
  else if (parent !== undefined) add('s.parent_id = ?', parent);
  if (denied) add('s.denials > 0');
  if (path !== undefined) {
    const below = `${escapeLike(path.replace(/\/+$/, ''))}/%`;
    add(`(s.project_path = ? OR s.project_path LIKE ? ESCAPE '!' OR s.repo = ? OR s.repo LIKE ? ESCAPE '!')`, path, below, path, below);
  }
  return { text: where.length > 0 ? `WHERE ${where.join(' AND ')}` : '', values };
}

export const querySessionPlaces = (sql: Sql): readonly SessionPlace[] =>
  sql
    .all('SELECT repo, count(*) AS n, max(last_us) AS last FROM sessions WHERE repo IS NOT NULL GROUP BY repo ORDER BY last DESC')
    .map((row) => ({ root: row.repo as string, sessions: row.n as number, lastUs: row.last as number }));

export const countChildren = (sql: Sql, sessions: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    sql
      .all(
        'SELECT parent_id, count(*) AS n FROM sessions WHERE parent_id IN (SELECT value FROM json_each(?)) GROUP BY parent_id',
        JSON.stringify(sessions),
      )
      .map((row) => [row.parent_id as string, row.n as number]),
  );

export const queryHookTimes = (sql: Sql, session: string): readonly HookTime[] =>
  sql
    .all(
      `SELECT e.wall_us, sum(r.duration_ms) AS ms FROM events e JOIN hook_runs r ON r.seq = e.seq
       WHERE e.session_id = ? AND r.did = 'ran' AND r.observed = 0 GROUP BY e.seq ORDER BY e.seq`,
      session,
    )
    .map((row) => ({ wallUs: row.wall_us as number, ms: row.ms as number }));

const WHOLE_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** By Piton's id or the agent's id, in full or by a unique prefix. A full id wins over longer ids. */
export function findSession(sql: Sql, ref: string): Lookup<string> {
  if (ref === '') return { found: 'none' };
  // Without the index of a whole id every session is read, and some answers ask for a hundred.
  if (WHOLE_ID.test(ref) && sql.get('SELECT 1 FROM sessions WHERE id = ?', ref)) return { found: 'one', value: ref };
  const whole = sql.all('SELECT id FROM sessions WHERE id = ? OR provider_ref = ? LIMIT 10', ref.toUpperCase(), ref);
  const like = `${escapeLike(ref)}%`;
  const rows =
    whole.length > 0
      ? whole
      : sql.all(`SELECT id FROM sessions WHERE id LIKE ? ESCAPE '!' OR provider_ref LIKE ? ESCAPE '!' LIMIT 10`, like, like);
  const ids = rows.map((row) => row.id as string);
  const [only] = ids;
  if (only === undefined) return { found: 'none' };
  return ids.length > 1 ? { found: 'many', ids } : { found: 'one', value: only };
}

export function querySession(sql: Sql, ref: string): Lookup<SessionDetail> {
  const found = findSession(sql, ref);
  return found.found === 'one' ? { found: 'one', value: sessionById(sql, found.value) as SessionDetail } : found;
}

/** By Piton's full id. */
export function sessionById(sql: Sql, id: string): SessionDetail | undefined {
  const row = sql.get(`${SELECT} WHERE s.id = ?`, id);
  if (row === undefined) return undefined;
  const turns = sql.all(TURNS, id);
  const observations = sql.all('SELECT * FROM observations WHERE session_id = ? ORDER BY wall_us, id', id);
  return { ...summaryOf(row), turnList: turns.map(turnOf), observations: observations.map(observationOf) };
}

export function observationById(sql: Sql, id: string): (ObservationSummary & { readonly session: string }) | undefined {
  const row = sql.get('SELECT * FROM observations WHERE id = ?', id);
  return row && { ...observationOf(row), session: row.session_id as string };
}

const summaryOf = (row: Row): SessionSummary => ({
  id: row.id as string,
  agent: row.agent as string,
  providerRef: row.provider_ref as string,
  phase: row.phase as SessionSummary['phase'],
  depth: row.depth as number,
  parentId: row.parent_id as string | null,
  projectPath: row.project_path as string,
  repo: row.repo as string | null,
  branch: row.branch as string | null,
  model: row.model as string | null,
  source: row.source as string | null,
  transcriptPath: row.transcript_path as string | null,
  startedUs: row.started_us as number,
  lastUs: row.last_us as number,
  endedUs: row.ended_us as number | null,
  endReason: row.end_reason as string | null,
  events: row.events as number,
  turns: row.turns as number,
  tools: row.tools as number,
  denials: row.denials as number,
  compactions: row.compactions as number,
  commits: (row.commits as number) + (row.linked as number),
  bootId: row.boot_id as string,
  pid: row.pid as number,
  ppid: row.ppid as number,
  firstPrompt: row.first_prompt as string | null,
});

const turnOf = (row: Row): TurnRecord => ({
  id: row.id as string,
  number: row.number as number,
  prompt: row.prompt as string | null,
  startedUs: row.started_us as number,
  endedUs: row.ended_us as number | null,
  closed: row.closed as TurnRecord['closed'],
  tools: row.tools as number,
  denials: row.denials as number,
  commits: (row.commits as number) + (row.linked as number),
});

const observationOf = (row: Row): ObservationSummary => ({
  id: row.id as string,
  kind: row.kind as ObservationSummary['kind'],
  wallUs: row.wall_us as number,
  body: JSON.parse(row.body as string) as unknown,
});
