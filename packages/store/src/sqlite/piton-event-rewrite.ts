import type { PitonEventTexts, PushTexts, RewrittenBody, StoredBody } from '../records.ts';
import type { Sql } from './database/driver.ts';

/** The texts of Piton's events, of subscription runs and of pushes, to be redacted again. */
export function pitonEventBodies(sql: Sql, of: 'piton-event' | 'push', afterSeq: number, limit: number): readonly StoredBody[] {
  const table = of === 'piton-event' ? 'own_events' : 'pushes';
  return sql.all(`SELECT * FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`, afterSeq, limit).map((row) => {
    const header = { seq: row.seq as number, id: row.id as string, redaction: row.redaction as string };
    if (of === 'push') return { of, ...header, body: { remote: row.remote, url: row.url, ref: row.ref } as PushTexts };
    const notes = sql
      .all('SELECT at, note FROM own_runs WHERE seq = ? AND note IS NOT NULL', header.seq)
      .map(({ at, note }) => ({ at: at as number, note: note as string }));
    return { of, ...header, body: { event: JSON.parse(row.body as string), notes } as PitonEventTexts };
  });
}

export function rewritePitonEvents(sql: Sql, one: Extract<RewrittenBody, { of: 'piton-event' | 'push' }>): void {
  if (one.of === 'push') {
    const { remote, url, ref } = one.body;
    sql.run('UPDATE pushes SET remote = ?, url = ?, ref = ?, redaction = ? WHERE seq = ?', remote, url, ref, one.redaction, one.seq);
    return;
  }
  sql.run('UPDATE own_events SET body = ?, redaction = ? WHERE seq = ?', JSON.stringify(one.body.event), one.redaction, one.seq);
  for (const { at, note } of one.body.notes) sql.run('UPDATE own_runs SET note = ? WHERE seq = ? AND at = ?', note, one.seq, at);
}
