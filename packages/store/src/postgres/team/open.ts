import { randomUUID } from 'node:crypto';
import { openPool } from '../database/pool.ts';
import { bodyKeys } from './body-keys.ts';
import { cleanText } from './clean.ts';
import { identityOf, parseCredential, useJoinCode } from './credentials.ts';
import { rollUp } from './hours.ts';
import { addMachine } from './machine-rows.ts';
import { putPerson } from './people-rows.ts';
import type { TeamStore, TeamTarget } from './port.ts';
import { readStatus } from './status.ts';
import { createTenantStore } from './tenant-store.ts';

/** Connects when it is asked something, and never migrates: see `migrateTeamStore`. */
export function openTeamStore({ url, secret, maxConnections = 10 }: TeamTarget): TeamStore {
  const pool = openPool({ url, maxConnections });
  const keys = bodyKeys(secret);
  return {
    status: () => readStatus(pool),
    async createTenant({ name, admin }) {
      const tenant = randomUUID();
      const id = await pool.asTenant(tenant, async (tx) => {
        await tx.rows('INSERT INTO piton.tenants (tenant_id, name) VALUES ($1, $2)', [tenant, cleanText(name)]);
        return putPerson(tx, tenant, { ...admin, role: 'admin' });
      });
      return { tenant, admin: id };
    },
    async authenticate(token) {
      const credential = parseCredential('piton-token', token);
      return credential && pool.asTenant(credential.tenant, (tx) => identityOf(tx, credential));
    },
    async join(code, machine) {
      const credential = parseCredential('piton-join', code);
      if (credential === undefined) return undefined;
      const { tenant } = credential;
      return pool.asTenant(tenant, async (tx) => {
        const person = await useJoinCode(tx, credential);
        return person === undefined ? undefined : { tenant, machine: await addMachine(tx, tenant, person, machine), person };
      });
    },
    tenant: (id) => createTenantStore(pool, id, keys),
    async rollUp(limit) {
      const ids = await pool.asNobody((tx) => tx.rows<{ id: string }>('SELECT piton.tenant_ids() AS id'));
      let counted = 0;
      for (const { id } of ids) counted += await pool.asTenant(id, (tx) => rollUp(tx, id, limit));
      return counted;
    },
    close: () => pool.close(),
  };
}
