import { createHash } from 'node:crypto';
import type { Tx } from '../database/pool.ts';
import { cleanJson, cleanText } from './clean.ts';
import type { AuditEntry, AuditVerdict } from './queries.ts';

export interface NewAudit {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

interface Row {
  readonly number: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
  readonly hash: Buffer;
}

const START = Buffer.alloc(32);
const LOCK_CLASS = 6501;

const hashOf = (previous: Uint8Array, { number, at, actor, action, subject, detail }: Omit<Row, 'hash'>): Buffer =>
  createHash('sha256')
    .update(previous)
    .update(JSON.stringify([number, at.toISOString(), actor, action, subject, detail]))
    .digest();

const entryOf = ({ detail, hash, ...row }: Row): AuditEntry => ({ ...row, detail: JSON.parse(detail), hash: hash.toString('hex') });

/** Each entry has the hash of the one before it in its own: whoever changes or takes out one has to change all that follow. */
export async function appendAudit(tx: Tx, tenant: string, { actor, action, subject, detail = {} }: NewAudit): Promise<AuditEntry> {
  await tx.rows(`SELECT pg_advisory_xact_lock(${LOCK_CLASS}, hashtext($1))`, [tenant]);
  const [last] = await tx.rows<Row>('SELECT number, hash FROM piton.audit WHERE tenant_id = $1 ORDER BY number DESC LIMIT 1', [tenant]);
  const [now] = await tx.rows<{ at: Date }>(`SELECT date_trunc('milliseconds', clock_timestamp()) AS at`);
  const texts = { actor: cleanText(actor), action: cleanText(action), subject: cleanText(subject), detail: cleanJson(detail) };
  const entry = { number: (last?.number ?? 0) + 1, at: (now as { at: Date }).at, ...texts };
  const hash = hashOf(last?.hash ?? START, entry);
  await tx.rows(
    'INSERT INTO piton.audit (tenant_id, number, at, actor, action, subject, detail, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
    [tenant, entry.number, entry.at, entry.actor, entry.action, entry.subject, entry.detail, hash],
  );
  return entryOf({ ...entry, hash });
}

const LISTED =
  'SELECT number, at, actor, action, subject, detail, hash FROM piton.audit WHERE tenant_id = $1 AND number > $2 ORDER BY number LIMIT $3';
const PAGE = 1000;

export async function listAudit(
  tx: Tx,
  tenant: string,
  { after = 0, limit = 100 }: { readonly after?: number; readonly limit?: number },
): Promise<readonly AuditEntry[]> {
  return (await tx.rows<Row>(LISTED, [tenant, after, Math.min(limit, PAGE)])).map(entryOf);
}

/** Computes the chain again. The end cannot prove itself: keep `head` elsewhere, and compare. */
export async function verifyAudit(tx: Tx, tenant: string): Promise<AuditVerdict> {
  let previous: Uint8Array = START;
  for (let at = 0; ; ) {
    const page = await tx.rows<Row>(LISTED, [tenant, at, PAGE]);
    for (const { hash, ...row } of page) {
      if (row.number !== at + 1) return { ok: false, number: at + 1, error: `entry ${at + 1} is missing` };
      if (!hashOf(previous, row).equals(hash))
        return { ok: false, number: row.number, error: `entry ${row.number} was changed, or the one before it` };
      previous = hash;
      at = row.number;
    }
    if (page.length < PAGE) return { ok: true, entries: at, head: Buffer.from(previous).toString('hex') };
  }
}
