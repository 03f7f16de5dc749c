import type { EventRecord } from '../../records.ts';
import type { TrackedSession, WrittenTurn } from '../../sessions/tracked-session.ts';
import type { Sql } from '../database/driver.ts';

export function insertSession(sql: Sql, id: string, { envelope, depth, parentId }: EventRecord): void {
  const { provider, providerRef, projectPath } = envelope;
  sql.run(
    `INSERT INTO sessions (id, agent, provider_ref, phase, depth, parent_id, project_path, started_us, last_us, events, turns, tools, denials, compactions, commits, boot_id, pid, ppid, state)
     VALUES (?, ?, ?, 'idle', ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, '', 0, 0, '{}')`,
    ...[id, provider, providerRef, depth, parentId, projectPath],
  );
}

/** A subagent with its own session belongs to the session that started it. */
export function linkSession(sql: Sql, id: string, agent: string, parentRef: string): void {
  sql.run(
    `UPDATE sessions SET parent_id = (SELECT id FROM sessions WHERE agent = ? AND provider_ref = ?) WHERE id = ? AND parent_id IS NULL`,
    ...[agent, parentRef, id],
  );
}

const UPSERT_TURN = `INSERT INTO turns (session_id, id, number, started_us, ended_us, closed, tools, denials, commits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session_id, id) DO UPDATE SET number = excluded.number, ended_us = excluded.ended_us, closed = excluded.closed,
  tools = excluded.tools, denials = excluded.denials, commits = excluded.commits`;

export function writeTurns(sql: Sql, session: string, turns: readonly WrittenTurn[]): void {
  for (const { turn, endedUs, closed } of turns) {
    const { id, number, opened, tools, denials, commits } = turn;
    sql.run(UPSERT_TURN, session, id, number, opened.wallUs, endedUs, closed, tools, denials, commits);
  }
}

const UPDATE_SESSION = `UPDATE sessions SET phase = ?, started_us = ?, last_us = ?, ended_us = ?, end_reason = ?, events = events + ?,
  turns = ?, tools = ?, denials = ?, compactions = ?, commits = ?, state = ? WHERE id = ?`;
/** Like `mergeNames`: merges the names of the batch into the stored ones. */
const UPDATE_NAMES = `UPDATE sessions SET repo = coalesce(repo, ?), branch = coalesce(?, branch), model = coalesce(?, model), source = coalesce(source, ?),
  transcript_path = coalesce(?, transcript_path), boot_id = ?, pid = ?, ppid = ? WHERE id = ?`;

export function writeSession(sql: Sql, { id, state, names, added }: TrackedSession): void {
  const { phase, startedUs, lastUs, ended, turns, tools, denials, compactions, commits } = state;
  const times = [startedUs ?? 0, lastUs ?? 0, ended?.wallUs ?? null, ended?.reason ?? null] as const;
  sql.run(UPDATE_SESSION, phase, ...times, added, turns, tools, denials, compactions, commits, JSON.stringify(state), id);
  if (names === null) return;
  const { repo, branch, model, source, transcriptPath, bootId, pid, ppid } = names;
  sql.run(UPDATE_NAMES, repo, branch, model, source, transcriptPath, bootId, pid, ppid, id);
}
