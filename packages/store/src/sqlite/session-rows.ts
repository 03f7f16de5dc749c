import type { EventRecord } from '../records.ts';
import type { CloseReason, Effect, SessionState, Turn } from '../session-machine.ts';
import type { Sql } from './driver.ts';

const UPSERT_TURN = `INSERT INTO turns (session_id, id, number, started_us, ended_us, closed, tools, denials, commits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session_id, id) DO UPDATE SET number = excluded.number, ended_us = excluded.ended_us, closed = excluded.closed,
  tools = excluded.tools, denials = excluded.denials, commits = excluded.commits`;

/** The turns that were closed, and the one that is open. */
export function writeTurns(sql: Sql, session: string, state: SessionState, effects: readonly Effect[]): void {
  const write = ({ id, number, opened, tools, denials, commits }: Turn, endedUs: number | null, why: CloseReason | null): void =>
    void sql.run(UPSERT_TURN, session, id, number, opened.wallUs, endedUs, why, tools, denials, commits);
  for (const effect of effects) {
    if (effect.kind === 'turn-closed') write(effect.turn, effect.at.wallUs, effect.why);
  }
  if (state.turn !== null) write(state.turn, null, null);
}

/** What a session is called: source and repository keep their first word, the others take the newest, never back to nothing. */
export interface SessionNames {
  readonly repo: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly source: string | null;
  readonly transcriptPath: string | null;
  readonly bootId: string;
  readonly pid: number;
  readonly ppid: number;
}

export function mergeNames(names: SessionNames | null, record: EventRecord): SessionNames {
  const { repo, branch, model, transcriptPath, bootId, pid, ppid } = record;
  const source = record.envelope.event === 'session_start' ? record.source : null;
  if (names === null) return { repo, branch, model, source, transcriptPath, bootId, pid, ppid };
  return {
    repo: names.repo ?? repo,
    branch: branch ?? names.branch,
    model: model ?? names.model,
    source: names.source ?? source,
    transcriptPath: transcriptPath ?? names.transcriptPath,
    bootId,
    pid,
    ppid,
  };
}

const UPDATE_SESSION = `UPDATE sessions SET phase = ?, started_us = ?, last_us = ?, ended_us = ?, end_reason = ?, events = events + ?,
  turns = ?, tools = ?, denials = ?, compactions = ?, commits = ?, state = ? WHERE id = ?`;
const UPDATE_NAMES = `UPDATE sessions SET repo = coalesce(repo, ?), branch = coalesce(?, branch), model = coalesce(?, model), source = coalesce(source, ?),
  transcript_path = coalesce(?, transcript_path), boot_id = ?, pid = ?, ppid = ? WHERE id = ?`;

export function writeSession(sql: Sql, session: string, state: SessionState, names: SessionNames | null, added: number): void {
  const { phase, startedUs, lastUs, ended, turns, tools, denials, compactions, commits } = state;
  const times = [startedUs ?? 0, lastUs ?? 0, ended?.wallUs ?? null, ended?.reason ?? null] as const;
  sql.run(UPDATE_SESSION, phase, ...times, added, turns, tools, denials, compactions, commits, JSON.stringify(state), session);
  if (names === null) return;
  const { repo, branch, model, source, transcriptPath, bootId, pid, ppid } = names;
  sql.run(UPDATE_NAMES, repo, branch, model, source, transcriptPath, bootId, pid, ppid, session);
}
