import { randomUUID } from 'node:crypto';
import type { Tx } from '../database/pool.ts';
import { cleanJson, cleanText } from './clean.ts';
import type { Machine, MachineReport, NewMachine } from './people.ts';

const MACHINE = `machine_id AS id, person_id AS person, name, public_key AS "publicKey", os, piton_version AS "pitonVersion",
  joined_at AS "joinedAt", left_at AS "leftAt", last_seen_at AS "lastSeenAt", last_event_at AS "lastEventAt",
  clock_off_us AS "clockOffUs", inventory, canary, reported_at AS "reportedAt",
  (SELECT count(*) FROM piton.gaps g WHERE g.tenant_id = m.tenant_id AND g.machine_id = m.machine_id) AS gaps`;

export async function addMachine(tx: Tx, tenant: string, person: string, machine: NewMachine): Promise<string> {
  const id = randomUUID();
  const { name, publicKey, os, pitonVersion } = machine;
  await tx.rows(
    `INSERT INTO piton.machines (tenant_id, machine_id, person_id, name, public_key, os, piton_version) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [tenant, id, person, ...[name, publicKey, os, pitonVersion].map(cleanText)],
  );
  return id;
}

export async function readMachine(tx: Tx, tenant: string, id: string): Promise<Machine | undefined> {
  const [row] = await tx.rows<Machine>(`SELECT ${MACHINE} FROM piton.machines m WHERE tenant_id = $1 AND machine_id = $2`, [tenant, id]);
  return row;
}

/** `person`: only of this one; null for all. */
export const listMachines = (tx: Tx, tenant: string, person: string | null): Promise<Machine[]> =>
  tx.rows<Machine>(
    `SELECT ${MACHINE} FROM piton.machines m WHERE tenant_id = $1 AND ($2::uuid IS NULL OR person_id = $2) ORDER BY name, machine_id`,
    [tenant, person],
  );

export async function recordReport(
  tx: Tx,
  tenant: string,
  machine: string,
  { pitonVersion, inventory, canary }: MachineReport,
): Promise<void> {
  const values = [tenant, machine, cleanText(pitonVersion), cleanJson(inventory), cleanJson(canary)];
  await tx.rows(
    `WITH known AS (UPDATE piton.machines SET piton_version = $3, inventory = $4, canary = $5, reported_at = now(), last_seen_at = now()
       WHERE tenant_id = $1 AND machine_id = $2 AND left_at IS NULL RETURNING machine_id)
     INSERT INTO piton.reports (tenant_id, machine_id, piton_version, inventory, canary) SELECT $1, machine_id, $3, $4, $5 FROM known`,
    values,
  );
}

export async function machineLeft(tx: Tx, tenant: string, machine: string): Promise<void> {
  await tx.rows('UPDATE piton.machines SET left_at = coalesce(left_at, now()) WHERE tenant_id = $1 AND machine_id = $2', [tenant, machine]);
  await tx.rows('UPDATE piton.tokens SET revoked_at = coalesce(revoked_at, now()) WHERE tenant_id = $1 AND machine_id = $2', [
    tenant,
    machine,
  ]);
}
