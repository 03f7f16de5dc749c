import { randomUUID } from 'node:crypto';
import type { Tx } from '../database/pool.ts';
import { cleanText } from './clean.ts';
import type { Person, Role, TenantSettings } from './people.ts';
import type { NewPerson } from './port.ts';

const PERSON = `person_id AS id, subject, name, email, role, consent, pseudonym, left_at AS "leftAt"`;

export async function putPerson(tx: Tx, tenant: string, { subject, name, email = null, role }: NewPerson): Promise<string> {
  const [row] = await tx.rows<{ id: string }>(
    `INSERT INTO piton.people (tenant_id, person_id, subject, name, email, role) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (tenant_id, subject) DO UPDATE SET name = excluded.name, email = excluded.email RETURNING person_id AS id`,
    [tenant, randomUUID(), cleanText(subject), cleanText(name), email === null ? null : cleanText(email), role],
  );
  return (row as { id: string }).id;
}

export async function readPerson(tx: Tx, tenant: string, by: 'person_id' | 'subject', value: string): Promise<Person | undefined> {
  const [row] = await tx.rows<Person>(`SELECT ${PERSON} FROM piton.people WHERE tenant_id = $1 AND ${by} = $2`, [tenant, value]);
  return row;
}

export const listPeople = (tx: Tx, tenant: string): Promise<Person[]> =>
  tx.rows<Person>(`SELECT ${PERSON} FROM piton.people WHERE tenant_id = $1 ORDER BY name, person_id`, [tenant]);

export const changeRole = (tx: Tx, tenant: string, person: string, role: Role) =>
  tx.rows('UPDATE piton.people SET role = $3 WHERE tenant_id = $1 AND person_id = $2', [tenant, person, role]);

export const changeConsent = (tx: Tx, tenant: string, person: string, consent: boolean) =>
  tx.rows('UPDATE piton.people SET consent = $3 WHERE tenant_id = $1 AND person_id = $2', [tenant, person, consent]);

export async function personLeft(tx: Tx, tenant: string, person: string): Promise<void> {
  await tx.rows('UPDATE piton.people SET left_at = coalesce(left_at, now()) WHERE tenant_id = $1 AND person_id = $2', [tenant, person]);
  await tx.rows(
    `UPDATE piton.tokens SET revoked_at = coalesce(revoked_at, now()) WHERE tenant_id = $1 AND (person_id = $2
      OR machine_id IN (SELECT machine_id FROM piton.machines WHERE tenant_id = $1 AND person_id = $2))`,
    [tenant, person],
  );
  await tx.rows('UPDATE piton.join_codes SET used_at = coalesce(used_at, now()) WHERE tenant_id = $1 AND person_id = $2', [tenant, person]);
  await tx.rows('UPDATE piton.machines SET left_at = coalesce(left_at, now()) WHERE tenant_id = $1 AND person_id = $2', [tenant, person]);
}

/** Of the person stays what has no text of theirs, under an id that leads nowhere. */
export async function deletePerson(tx: Tx, tenant: string, person: string): Promise<void> {
  await personLeft(tx, tenant, person);
  await tx.rows('DELETE FROM piton.person_keys WHERE tenant_id = $1 AND person_id = $2', [tenant, person]);
  await tx.rows(
    `UPDATE piton.people SET subject = 'deleted ' || person_id, name = 'deleted', email = NULL, consent = false
     WHERE tenant_id = $1 AND person_id = $2`,
    [tenant, person],
  );
  await tx.rows(
    `UPDATE piton.machines SET name = 'deleted', public_key = '', inventory = NULL, canary = NULL WHERE tenant_id = $1 AND person_id = $2`,
    [tenant, person],
  );
}

export async function readSettings(tx: Tx, tenant: string): Promise<(TenantSettings & { readonly name: string }) | undefined> {
  const [row] = await tx.rows<TenantSettings & { name: string }>(
    'SELECT name, bodies, open_sessions AS "openSessions", issuers FROM piton.tenants WHERE tenant_id = $1',
    [tenant],
  );
  return row;
}

export const changeSettings = (tx: Tx, tenant: string, { bodies, openSessions, issuers }: Partial<TenantSettings>) =>
  tx.rows(
    `UPDATE piton.tenants SET bodies = coalesce($2, bodies), open_sessions = coalesce($3, open_sessions), issuers = coalesce($4, issuers)
     WHERE tenant_id = $1`,
    [tenant, bodies ?? null, openSessions ?? null, issuers === undefined ? null : [...issuers]],
  );
