import { createHmac, hkdfSync } from 'node:crypto';
import {
  type AuditEntry,
  type AuditVerdict,
  maintainTeamStore,
  migrateTeamStore,
  openTeamStore,
  type Person,
  type TeamStore,
  TeamStoreError,
  type TenantStore,
} from '@piton/store/team';
import { describeMachines, type MachineLine } from './machine-list.ts';

export interface AdminPorts {
  readonly url: string;
  readonly secret: Uint8Array;
  /** Who runs the command on its machine. */
  readonly user: string;
}

async function withStore<T>({ url, secret }: AdminPorts, ask: (store: TeamStore) => Promise<T>): Promise<T> {
  const store = openTeamStore({ url, secret, maxConnections: 2 });
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

/** A tenant that there is. */
const withTenant = <T>(ports: AdminPorts, tenant: string, ask: (own: TenantStore) => Promise<T>): Promise<T> =>
  withStore(ports, async (store) => {
    const own = store.tenant(tenant);
    await own.settings();
    return ask(own);
  });

/** The audit log names nobody, and stays when they go: the same user is the same word in it, and only who has the secret can tell whose. */
export const actorOf = ({ secret, user }: AdminPorts): string =>
  `command ${createHmac('sha256', Buffer.from(hkdfSync('sha256', secret, '', 'piton team actor', 32)))
    .update(user)
    .digest('hex')
    .slice(0, 16)}`;

/** As the owner of the database: brings it to this version, and makes the partitions of the next days. */
export const migrate = (url: string): Promise<readonly string[]> => migrateTeamStore({ url });

/** As the owner, each day: makes partitions ahead, and drops those that are too old. */
export const maintain = (url: string, keepDays: number, keepBodyDays: number): ReturnType<typeof maintainTeamStore> =>
  maintainTeamStore({ url, keepDays, keepBodyDays });

export const makeTenant = (ports: AdminPorts, name: string, admin: string): Promise<{ readonly tenant: string; readonly admin: string }> =>
  withStore(ports, (store) => store.createTenant({ name, admin: { subject: `local ${admin}`, name: admin } }));

/** A code for one machine of a person, who is added if they are new. */
export const makeCode = (ports: AdminPorts, tenant: string, person: string, seconds: number): Promise<string> =>
  withTenant(ports, tenant, async (own) => {
    const known = await own.personBySubject(`local ${person}`);
    return own.makeJoinCode({
      person: known?.id ?? (await own.putPerson({ subject: `local ${person}`, name: person, role: 'member' })),
      seconds,
    });
  });

export const listMachines = (ports: AdminPorts, tenant: string, silentHours: number): Promise<readonly MachineLine[]> =>
  withStore(ports, (store) => describeMachines(store.tenant(tenant), { person: null, role: 'auditor' }, { silentHours, now: new Date() }));

/** The one that is meant by its id, or by a name that only one has. */
function theOne<T extends { readonly id: string; readonly name: string }>(all: readonly T[], ref: string, kind: string): T {
  const found = all.filter(({ id, name }) => id === ref || name === ref);
  const [one, ...others] = found.find(({ id }) => id === ref) ? found.filter(({ id }) => id === ref) : found;
  if (one === undefined) throw new TeamStoreError('invalid', `no ${kind} of this team has this name or id`);
  if (others.length > 0) throw new TeamStoreError('invalid', `${found.length} have this name: name one by its id, ${ids(found)}`);
  return one;
}
const ids = (all: readonly { readonly id: string }[]): string => all.map(({ id }) => id).join(', ');

export interface MachineToEnd {
  readonly machine: string;
  readonly name: string;
  readonly leftAt: string | null;
  readonly lastSeenAt: string | null;
}

/** What would be ended, and then, unless it is only looked at, is: its key and its tokens are good for nothing from then on. */
export const endMachine = (ports: AdminPorts, tenant: string, ref: string, isMeant: boolean): Promise<MachineToEnd> =>
  withTenant(ports, tenant, async (own) => {
    const all = await own.machines({ person: null, role: 'auditor' });
    // A name may be that of one that has left, too: one that is there is meant.
    const there = all.filter(({ leftAt }) => leftAt === null);
    const one = theOne(there.some(({ id, name }) => id === ref || name === ref) ? there : all, ref, 'machine');
    if (isMeant && one.leftAt === null) {
      await own.audit({ actor: actorOf(ports), action: 'machine.ended', subject: one.id });
      await own.machineLeft(one.id);
    }
    const at = (date: Date | null): string | null => date?.toISOString() ?? null;
    return { machine: one.id, name: one.name, leftAt: at(one.leftAt), lastSeenAt: at(one.lastSeenAt) };
  });

export const readBodiesSetting = (ports: AdminPorts, tenant: string): Promise<boolean> =>
  withTenant(ports, tenant, async (own) => (await own.settings()).bodies);

/** Whatever anybody agreed to before was for something else: each is asked again. */
export const changeBodiesSetting = (ports: AdminPorts, tenant: string, bodies: boolean): Promise<void> =>
  withTenant(ports, tenant, async (own) => {
    if ((await own.settings()).bodies === bodies) return;
    await own.audit({ actor: actorOf(ports), action: bodies ? 'bodies.on' : 'bodies.off', subject: tenant });
    for (const { id, consent } of await own.people()) if (consent) await own.changeConsent(id, false);
    await own.changeSettings({ bodies });
  });

export type AuditChecked = AuditVerdict | { readonly ok: false; readonly number: null; readonly error: string };

/** With a `head` that was kept elsewhere also that nothing was cut off behind it. */
export const verifyAudit = (ports: AdminPorts, tenant: string, head: string | undefined): Promise<AuditChecked> =>
  withTenant(ports, tenant, async (own) => {
    const verdict = await own.verifyAudit();
    if (!verdict.ok || head === undefined || verdict.head === head) return verdict;
    for (let after = 0; ; ) {
      const page = await own.auditEntries({ after, limit: 1000 });
      if (page.some(({ hash }) => hash === head)) return verdict;
      const last = page.at(-1);
      if (last === undefined) return { ok: false, number: null, error: 'the entry with this head is not there: the end was cut off' };
      after = last.number;
    }
  });

export const listAudit = (ports: AdminPorts, tenant: string, after: number, limit: number): Promise<readonly AuditEntry[]> =>
  withTenant(ports, tenant, (own) => own.auditEntries({ after, limit }));

export interface PersonLine {
  readonly person: string;
  readonly name: string;
  readonly role: Person['role'];
  readonly consent: boolean;
  readonly pseudonym: string;
  readonly leftAt: string | null;
  readonly machines: number;
}

const machinesOf = async (own: TenantStore, person: string): Promise<number> =>
  (await own.machines({ person: null, role: 'auditor' })).filter((machine) => machine.person === person).length;

const lineOf = async (own: TenantStore, { id, name, role, consent, pseudonym, leftAt }: Person): Promise<PersonLine> => ({
  ...{ person: id, name, role, consent, pseudonym, leftAt: leftAt?.toISOString() ?? null, machines: await machinesOf(own, id) },
});

export const listPeople = (ports: AdminPorts, tenant: string): Promise<readonly PersonLine[]> =>
  withTenant(ports, tenant, async (own) => {
    const lines: PersonLine[] = [];
    for (const person of await own.people()) lines.push(await lineOf(own, person));
    return lines;
  });

export const findPerson = (ports: AdminPorts, tenant: string, ref: string): Promise<PersonLine> =>
  withTenant(ports, tenant, async (own) => lineOf(own, theOne(await own.people(), ref, 'person')));

/** Who may still change things must not be nobody. A team of one may go. */
export const refuseLastAdmin = (ports: AdminPorts, tenant: string, id: string): Promise<void> =>
  withTenant(ports, tenant, async (own) => {
    const there = (await own.people()).filter(({ leftAt }) => leftAt === null);
    const others = there.filter((person) => person.id !== id);
    const isAdmin = there.some((person) => person.id === id && person.role === 'admin');
    if (isAdmin && others.length > 0 && others.every(({ role }) => role !== 'admin'))
      throw new TeamStoreError('invalid', 'the team would have no admin: make somebody else one with piton team person role');
  });

export const changeRole = (ports: AdminPorts, tenant: string, id: string, role: Person['role']): Promise<void> =>
  withTenant(ports, tenant, async (own) => {
    const person = theOne(await own.people(), id, 'person');
    await own.audit({ actor: actorOf(ports), action: 'person.role', subject: person.pseudonym, detail: { from: person.role, to: role } });
    await own.changeRole(id, role);
  });

const EXPORTED_AT_ONCE = 500;

/** All that is known of a person, a line at a time: themselves, their machines, then every record with its body. */
export const exportPerson = (ports: AdminPorts, tenant: string, id: string, write: (line: object) => void): Promise<number> =>
  withTenant(ports, tenant, async (own) => {
    const person = theOne(await own.people(), id, 'person');
    await own.audit({ actor: actorOf(ports), action: 'person.exported', subject: person.pseudonym });
    let count = 0;
    for (let after = ''; ; ) {
      const page = await own.exportPerson(id, after, EXPORTED_AT_ONCE);
      if (after === '') write({ person: page.person, machines: page.machines });
      for (const record of page.records) write({ record });
      count += page.records.length;
      if (page.next === null) return count;
      after = page.next;
    }
  });

export const deletePerson = (ports: AdminPorts, tenant: string, id: string): Promise<void> =>
  withTenant(ports, tenant, async (own) => {
    const person = theOne(await own.people(), id, 'person');
    await own.audit({ actor: actorOf(ports), action: 'person.deleted', subject: person.pseudonym });
    await own.deletePerson(id);
  });
