import type { Tx } from '../database/pool.ts';
import { appendAudit } from './audit.ts';
import type { BodyKeys } from './body-keys.ts';
import { recordsSince } from './following.ts';
import type { PersonExport, TeamPosition, Viewer } from './queries.ts';
import { visibleTo } from './records.ts';

export interface BodyRef {
  readonly machine: string;
  readonly epoch: string;
  readonly seq: number;
}

/** The entry in the audit log is committed with the answer or there is none. Looking at one's own is not logged. */
export async function readBody(
  tx: Tx,
  tenant: string,
  { machine, epoch, seq }: BodyRef,
  viewer: Viewer & { readonly actor: string; readonly reason: string },
  keys: BodyKeys,
): Promise<string | undefined> {
  const [row] = await tx.rows<{ person: string; pseudonym: string; body: Buffer }>(
    `SELECT b.person_id AS person, p.pseudonym, b.body FROM piton.bodies b JOIN piton.people p USING (tenant_id, person_id)
     WHERE b.tenant_id = $1 AND b.machine_id = $2 AND b.epoch = $3 AND b.seq = $4`,
    [tenant, machine, epoch, seq],
  );
  if (row === undefined) return undefined;
  const onlyOf = await visibleTo(tx, tenant, viewer);
  if (onlyOf !== null && onlyOf !== row.person) return undefined;
  const key = await keys.forReading(tx, tenant, row.person);
  if (key === undefined) return undefined;
  if (viewer.person !== row.person) {
    const { actor, reason } = viewer;
    await appendAudit(tx, tenant, { actor, action: 'body.read', subject: row.pseudonym, detail: { machine, epoch, seq, reason } });
  }
  return keys.unseal(key, row.body, { tenant, machine, epoch, seq });
}

export async function exportPerson(
  tx: Tx,
  tenant: string,
  person: string,
  after: TeamPosition,
  limit: number,
  keys: BodyKeys,
): Promise<PersonExport> {
  const [about = {}] = await tx.rows(
    `SELECT person_id AS id, subject, name, email, role, consent, pseudonym, left_at AS "leftAt" FROM piton.people WHERE tenant_id = $1 AND person_id = $2`,
    [tenant, person],
  );
  const machines = await tx.rows(
    `SELECT machine_id AS id, name, os, piton_version AS "pitonVersion", joined_at AS "joinedAt", left_at AS "leftAt", inventory, canary
     FROM piton.machines WHERE tenant_id = $1 AND person_id = $2 ORDER BY joined_at`,
    [tenant, person],
  );
  const { records, position } = await recordsSince(tx, tenant, after, limit, person);
  const key = await keys.forReading(tx, tenant, person);
  const sealed = await tx.rows<BodyRef & { body: Buffer }>(
    `SELECT b.machine_id AS machine, b.epoch, b.seq, b.body FROM unnest($2::uuid[], $3::text[], $4::bigint[]) AS r (machine_id, epoch, seq)
     JOIN piton.bodies b ON b.tenant_id = $1 AND b.machine_id = r.machine_id AND b.epoch = r.epoch AND b.seq = r.seq`,
    [tenant, records.map(({ machine }) => machine), records.map(({ epoch }) => epoch), records.map(({ seq }) => seq)],
  );
  const nameOf = ({ machine, epoch, seq }: BodyRef): string => JSON.stringify([machine, epoch, seq]);
  const bodies = new Map(sealed.map((of) => [nameOf(of), of.body]));
  const bodyOf = (of: BodyRef): string | null => {
    const body = bodies.get(nameOf(of));
    const { machine, epoch, seq } = of;
    return key === undefined || body === undefined ? null : keys.unseal(key, body, { tenant, machine, epoch, seq });
  };
  return {
    ...{ person: about, machines, records: records.map((record) => ({ ...record, body: bodyOf(record) })) },
    next: records.length === 0 ? null : position,
  };
}
