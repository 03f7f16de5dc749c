import { maintainTeamStore, migrateTeamStore, openTeamStore, type TeamStore } from '@piton/store/team';
import { describeMachines, type MachineLine } from './machine-list.ts';

export interface AdminPorts {
  readonly url: string;
  readonly secret: Uint8Array;
}

async function withStore<T>({ url, secret }: AdminPorts, ask: (store: TeamStore) => Promise<T>): Promise<T> {
  const store = openTeamStore({ url, secret, maxConnections: 2 });
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

/** As the owner of the database: brings it to this version, and makes the partitions of the next days. */
export const migrate = (url: string): Promise<readonly string[]> => migrateTeamStore({ url });

/** As the owner, each day: makes partitions ahead, and drops those that are too old. */
export const maintain = (url: string, keepDays: number, keepBodyDays: number): ReturnType<typeof maintainTeamStore> =>
  maintainTeamStore({ url, keepDays, keepBodyDays });

export const makeTenant = (ports: AdminPorts, name: string, admin: string): Promise<{ readonly tenant: string; readonly admin: string }> =>
  withStore(ports, (store) => store.createTenant({ name, admin: { subject: `local ${admin}`, name: admin } }));

/** A code for one machine of a person, who is added if they are new. */
export const makeCode = (ports: AdminPorts, tenant: string, person: string, seconds: number): Promise<string> =>
  withStore(ports, async (store) => {
    const own = store.tenant(tenant);
    await own.settings(); // there is such a team
    const known = await own.personBySubject(`local ${person}`);
    return own.makeJoinCode({
      person: known?.id ?? (await own.putPerson({ subject: `local ${person}`, name: person, role: 'member' })),
      seconds,
    });
  });

export const listMachines = (ports: AdminPorts, tenant: string, silentHours: number): Promise<readonly MachineLine[]> =>
  withStore(ports, (store) => describeMachines(store.tenant(tenant), { person: null, role: 'auditor' }, { silentHours, now: new Date() }));
