import type { Push, PushRecord } from '../piton-event-records.ts';
import type { RecordReport } from '../port.ts';
import type { Row, Sql } from './database/driver.ts';

export function recordPush(sql: Sql, push: PushRecord): RecordReport {
  return sql.transaction(() => {
    const { changes, rowid } = sql.run(
      `INSERT OR IGNORE INTO pushes (id, repo, remote, url, ref, old_sha, new_sha, wall_us, redaction) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[push.id, push.repo, push.remote, push.url, push.ref, push.oldSha, push.newSha, push.wallUs, push.redaction],
    );
    if (changes > 0) for (const sha of push.commits) sql.run('INSERT OR IGNORE INTO push_commits VALUES (?, ?)', sha, rowid);
    return { ok: true, events: [], sessions: [], rejected: [] };
  });
}

export const queryPushes = (sql: Sql, commit: string): readonly Push[] =>
  sql.all('SELECT p.* FROM push_commits c JOIN pushes p ON p.seq = c.push WHERE c.sha = ? ORDER BY p.wall_us', commit).map(pushOf);

/** One of them in full, by its number here. */
export function pushBySeq(sql: Sql, seq: number): (Push & Pick<PushRecord, 'oldSha' | 'newSha' | 'commits'>) | undefined {
  const row = sql.get('SELECT * FROM pushes WHERE seq = ?', seq);
  if (row === undefined) return undefined;
  const commits = sql.all('SELECT sha FROM push_commits WHERE push = ? ORDER BY sha', seq).map(({ sha }) => sha as string);
  return { ...pushOf(row), oldSha: row.old_sha as string, newSha: row.new_sha as string, commits };
}

const pushOf = ({ id, repo, remote, url, ref, wall_us }: Row) => ({ id, repo, remote, url, ref, wallUs: wall_us }) as Push;
