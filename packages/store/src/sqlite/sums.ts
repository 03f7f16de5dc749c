import { SIZE_LIMITS } from '@piton/contracts';
import { BUCKET_US, type EventSum, type SessionSum, type Sums, type SumsQuery, type UsageSum } from '../sums.ts';
import type { Row, Sql } from './database/driver.ts';
import { TOKEN_COLUMNS, tokensOf } from './transcripts/transcripts.ts';

/** So many are counted by who reads; a store that is just being counted has more. */
const MAX_AT_READING = 40;

const TOOLS = `('pre_tool_use', 'pre_shell_execution', 'pre_mcp_execution', 'pre_read_file', 'pre_file_edit')`;

/** As a session counts them: see `sessions/input.ts`. */
const COUNT_EVENTS = `SELECT e.wall_us / ${BUCKET_US} AS bucket, e.agent, coalesce(e.repo, '') AS repo,
  sum(e.event = 'user_prompt_submit' AND coalesce(e.source, '') NOT IN ('subagent', 'continuation')) AS turns,
  sum(e.event IN ${TOOLS}) AS tools, sum(e.event = 'permission_denied' OR coalesce(d.verdict, '') = 'deny') AS denials,
  sum(e.event IN ('post_tool_use_failure', 'stop_failure')) AS failures
  FROM events e LEFT JOIN decisions d ON d.seq = e.seq
  WHERE e.wall_us >= ? AND e.wall_us < ? AND e.canary = 0 AND e.derived = 0 GROUP BY 2, 3`;
const COUNT_FILES = `SELECT s.agent, coalesce(s.repo, '') AS repo, count(*) AS files FROM ledger l JOIN sessions s ON s.id = l.session_id
  WHERE l.kind = 'file' AND l.wall_us >= ? AND l.wall_us < ? GROUP BY 1, 2`;

const size = 'coalesce(e.input, 0) + coalesce(e.cache_read, 0) + coalesce(e.cache_write, 0)';
const SIZE = `CASE ${[...SIZE_LIMITS]
  .reverse()
  .map((limit) => `WHEN ${size} > ${limit} THEN ${limit + 1}`)
  .join(' ')} ELSE 0 END`;
const COUNT_USAGE = `SELECT e.transcript_id AS transcript, coalesce(unixepoch(e.at) * 1000000, s.started_us) / ${BUCKET_US} AS bucket,
  coalesce(e.model, '') AS model, e.model IS NOT NULL AS has_model, ${SIZE} AS size, count(*) AS requests,
  ${TOKEN_COLUMNS.map(([column]) => `sum(coalesce(e.${column}, 0)) AS ${column}`).join(', ')}
  FROM transcript_entries e JOIN transcripts t ON t.id = e.transcript_id JOIN sessions s ON s.id = t.session_id
  WHERE e.transcript_id = ? AND e.kind = 'usage' GROUP BY 2, 3, 4, 5`;

const range = (bucket: number): [number, number] => [bucket * BUCKET_US, (bucket + 1) * BUCKET_US];

/** Of one quarter of an hour, from the events themselves. */
function countBucket(sql: Sql, bucket: number): EventSum[] {
  const counted = new Map<string, EventSum>();
  const none = { fromUs: bucket * BUCKET_US, turns: 0, tools: 0, denials: 0, failures: 0, files: 0 };
  for (const row of sql.all(COUNT_EVENTS, ...range(bucket)))
    counted.set(`${row.agent}\0${row.repo}`, { ...none, ...eventSumOf({ ...row, files: 0 }) });
  for (const { agent, repo, files } of sql.all(COUNT_FILES, ...range(bucket))) {
    const known = counted.get(`${agent}\0${repo}`) ?? { ...none, agent: agent as string, repo: (repo as string) || null };
    counted.set(`${agent}\0${repo}`, { ...known, files: files as number });
  }
  return [...counted.values()];
}

const eventSumOf = (row: Row): EventSum => ({
  fromUs: (row.bucket as number) * BUCKET_US,
  agent: row.agent as string,
  repo: (row.repo as string) || null,
  turns: row.turns as number,
  tools: row.tools as number,
  denials: row.denials as number,
  failures: row.failures as number,
  files: row.files as number,
});

/** Counts again what has changed, up to so many quarters and transcripts; returns how many are left. */
export function refreshSums(sql: Sql, limit: number): number {
  return sql.transaction(() => {
    for (const { bucket } of sql.all('SELECT bucket FROM sums_again ORDER BY bucket DESC LIMIT ?', limit)) {
      sql.run('DELETE FROM sums WHERE bucket = ?', bucket as number);
      for (const { agent, repo, turns, tools, denials, failures, files } of countBucket(sql, bucket as number))
        sql.run(
          'INSERT INTO sums VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
          bucket as number,
          agent,
          repo ?? '',
          turns,
          tools,
          denials,
          failures,
          files,
        );
      sql.run('DELETE FROM sums_again WHERE bucket = ?', bucket as number);
    }
    for (const { transcript } of sql.all('SELECT transcript FROM usage_again ORDER BY transcript DESC LIMIT ?', limit)) {
      sql.run('DELETE FROM usage_sums WHERE transcript = ?', transcript as number);
      sql.run(`INSERT INTO usage_sums ${COUNT_USAGE}`, transcript as number);
      sql.run('DELETE FROM usage_again WHERE transcript = ?', transcript as number);
    }
    return sql.get('SELECT (SELECT count(*) FROM sums_again) + (SELECT count(*) FROM usage_again) AS n')?.n as number;
  });
}

export function querySums(sql: Sql, { sinceUs, repo }: SumsQuery): Sums {
  const first = Math.floor(sinceUs / BUCKET_US);
  const pending = sql.all('SELECT bucket FROM sums_again WHERE bucket >= ? ORDER BY bucket DESC LIMIT ?', first, MAX_AT_READING + 1);
  const counted = pending.slice(0, MAX_AT_READING).flatMap(({ bucket }) => countBucket(sql, bucket as number));
  const kept = sql.all(`SELECT * FROM sums WHERE bucket >= ? AND bucket NOT IN (SELECT bucket FROM sums_again)`, first).map(eventSumOf);
  const isHere = (one: { readonly repo: string | null }): boolean => repo === undefined || one.repo === repo;
  const usage = usageSince(sql, first);
  return {
    events: [...kept, ...counted].filter(isHere),
    sessions: sessionsSince(sql, sinceUs).filter(isHere),
    usage: usage.found.filter(isHere),
    counting: pending.length > MAX_AT_READING || usage.counting,
  };
}

const sessionsSince = (sql: Sql, sinceUs: number): SessionSum[] =>
  sql
    .all(
      `SELECT started_us / ${BUCKET_US} AS bucket, agent, repo, count(*) AS n FROM sessions WHERE last_us >= ? AND started_us >= ? GROUP BY 1, 2, 3`,
      sinceUs,
      sinceUs,
    )
    .map((row) => ({
      ...{ fromUs: (row.bucket as number) * BUCKET_US, agent: row.agent as string, repo: row.repo as string | null },
      sessions: row.n as number,
    }));

const WITH_SESSION = 'u.*, s.id AS session, s.agent, s.repo, t.format FROM';
const ITS_SESSION = 'JOIN transcripts t ON t.id = u.transcript JOIN sessions s ON s.id = t.session_id';

function usageSince(sql: Sql, first: number): { readonly found: UsageSum[]; readonly counting: boolean } {
  const pending = sql.all('SELECT transcript FROM usage_again ORDER BY transcript DESC LIMIT ?', MAX_AT_READING + 1);
  const kept = sql.all(
    `SELECT ${WITH_SESSION} usage_sums u ${ITS_SESSION} WHERE u.bucket >= ? AND u.transcript NOT IN (SELECT transcript FROM usage_again)`,
    first,
  );
  const counted = pending.slice(0, MAX_AT_READING).flatMap(({ transcript }) => countUsage(sql, transcript as number));
  const found = [...kept, ...counted.filter(({ bucket }) => (bucket as number) >= first)].map(usageSumOf);
  return { found, counting: pending.length > MAX_AT_READING };
}

const countUsage = (sql: Sql, transcript: number): Row[] => sql.all(`SELECT ${WITH_SESSION} (${COUNT_USAGE}) u ${ITS_SESSION}`, transcript);

/** Of these sessions, whenever it was: what is not counted yet is counted here. */
export function queryUsageSums(sql: Sql, sessions: readonly string[]): readonly UsageSum[] {
  const ids = JSON.stringify(sessions);
  const OF = 't.session_id IN (SELECT value FROM json_each(?))';
  const kept = sql.all(
    `SELECT ${WITH_SESSION} usage_sums u ${ITS_SESSION} WHERE ${OF} AND u.transcript NOT IN (SELECT transcript FROM usage_again)`,
    ids,
  );
  const pending = sql.all(`SELECT t.id FROM transcripts t JOIN usage_again a ON a.transcript = t.id WHERE ${OF}`, ids);
  return [...kept, ...pending.flatMap(({ id }) => countUsage(sql, id as number))].map(usageSumOf);
}

const usageSumOf = (row: Row): UsageSum => ({
  fromUs: (row.bucket as number) * BUCKET_US,
  session: row.session as string,
  agent: row.agent as string,
  repo: row.repo as string | null,
  format: row.format as string,
  model: row.has_model === 1 ? (row.model as string) : null,
  size: row.size as number,
  requests: row.requests as number,
  tokens: tokensOf(row),
});
