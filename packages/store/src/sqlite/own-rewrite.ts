import type { OwnTexts, PushTexts, RewrittenBody, StoredBody } from '../records.ts';
import type { Sql } from './driver.ts';

/** What may be looked over again of Piton's own events, of what subscriptions said, and of pushes. */
export function ownBodies(sql: Sql, of: 'own' | 'push', afterSeq: number, limit: number): readonly StoredBody[] {
  const table = of === 'own' ? 'own_events' : 'pushes';
  return sql.all(`SELECT * FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`, afterSeq, limit).map((row) => {
    const header = { seq: row.seq as number, id: row.id as string, redaction: row.redaction as string };
    if (of === 'push') return { of, ...header, body: { remote: row.remote, url: row.url, ref: row.ref } as PushTexts };
    const notes = sql
      .all('SELECT at, note FROM own_runs WHERE seq = ? AND note IS NOT NULL', header.seq)
      .map(({ at, note }) => ({ at: at as number, note: note as string }));
    return { of, ...header, body: { event: JSON.parse(row.body as string), notes } as OwnTexts };
  });
}

export function rewriteOwn(sql: Sql, one: Extract<RewrittenBody, { of: 'own' | 'push' }>): void {
  if (one.of === 'push') {
    const { remote, url, ref } = one.body;
    sql.run('UPDATE pushes SET remote = ?, url = ?, ref = ?, redaction = ? WHERE seq = ?', remote, url, ref, one.redaction, one.seq);
    return;
  }
  sql.run('UPDATE own_events SET body = ?, redaction = ? WHERE seq = ?', JSON.stringify(one.body.event), one.redaction, one.seq);
  for (const { at, note } of one.body.notes) sql.run('UPDATE own_runs SET note = ? WHERE seq = ? AND at = ?', note, one.seq, at);
}
