import { TeamStoreError, teamFailureOf } from '../database/failure.ts';
import { isUuid, type Pool, type Tx } from '../database/pool.ts';
import { appendAudit, listAudit, verifyAudit } from './audit.ts';
import { exportPerson, readBody } from './bodies.ts';
import type { BodyKeys } from './body-keys.ts';
import { issueToken, listTokens, makeJoinCode, revokeToken } from './credentials.ts';
import { recordsSince } from './following.ts';
import { queryHours } from './hours.ts';
import { ingest } from './ingest.ts';
import { listMachines, machineLeft, readMachine, recordReport } from './machine-rows.ts';
import {
  changeConsent,
  changeRole,
  changeSettings,
  deletePerson,
  listPeople,
  personLeft,
  putPerson,
  readPerson,
  readSettings,
} from './people-rows.ts';
import type { TenantStore } from './port.ts';
import { queryRecords, querySessions, searchRecords, visibleTo } from './records.ts';

export function createTenantStore(pool: Pool, id: string, keys: BodyKeys): TenantStore {
  const as = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => pool.asTenant(id, work);
  const done = async (work: (tx: Tx) => Promise<unknown>): Promise<void> => {
    await as(work);
  };
  /** An id that is none names nothing. */
  const find = <T>(ref: string, work: (tx: Tx) => Promise<T | undefined>): Promise<T | undefined> =>
    isUuid(ref) ? as(work) : Promise.resolve(undefined);
  return {
    id,
    ingest: (batch) => as((tx) => ingest(tx, id, batch, keys)).catch(teamFailureOf),
    acknowledged: (machine, epoch) =>
      as(async (tx) => {
        const known = await tx.rows<{ seq: number }>(
          'SELECT seq FROM piton.positions WHERE tenant_id = $1 AND machine_id = $2 AND epoch = $3',
          [id, machine, epoch],
        );
        return known[0]?.seq ?? 0;
      }),
    settings: () =>
      as(async (tx) => {
        const settings = await readSettings(tx, id);
        if (settings === undefined) throw new TeamStoreError('invalid', 'no such tenant');
        return settings;
      }),
    changeSettings: (settings) => done((tx) => changeSettings(tx, id, settings)),
    putPerson: (person) => as((tx) => putPerson(tx, id, person)),
    person: (ref) => find(ref, (tx) => readPerson(tx, id, 'person_id', ref)),
    personBySubject: (subject) => as((tx) => readPerson(tx, id, 'subject', subject)),
    people: () => as((tx) => listPeople(tx, id)),
    changeRole: (person, role) => done((tx) => changeRole(tx, id, person, role)),
    personLeft: (person) => as((tx) => personLeft(tx, id, person)),
    changeConsent: (person, consent) => done((tx) => changeConsent(tx, id, person, consent)),
    makeJoinCode: (options) => as((tx) => makeJoinCode(tx, id, options)),
    machine: (ref) => find(ref, (tx) => readMachine(tx, id, ref)),
    machines: (viewer) => as(async (tx) => listMachines(tx, id, await visibleTo(tx, id, viewer))),
    report: (machine, report) => as((tx) => recordReport(tx, id, machine, report)),
    machineLeft: (machine) => as((tx) => machineLeft(tx, id, machine)),
    issueToken: (token) => as((tx) => issueToken(tx, id, token)),
    revokeToken: (token) => done((tx) => revokeToken(tx, id, token)),
    tokens: () => as((tx) => listTokens(tx, id)),
    events: (query, viewer) => as(async (tx) => queryRecords(tx, id, query, await visibleTo(tx, id, viewer))),
    sessions: (query, viewer) => as(async (tx) => querySessions(tx, id, query, await visibleTo(tx, id, viewer))),
    hours: (query) => as((tx) => queryHours(tx, id, query)),
    search: (words, query, viewer) => as(async (tx) => searchRecords(tx, id, words, query, await visibleTo(tx, id, viewer))),
    since: (position, limit) => as((tx) => recordsSince(tx, id, position, limit)),
    body: (of, viewer) => as((tx) => readBody(tx, id, of, viewer, keys)),
    audit: (entry) => as((tx) => appendAudit(tx, id, entry)),
    auditEntries: (query) => as((tx) => listAudit(tx, id, query)),
    verifyAudit: () => as((tx) => verifyAudit(tx, id)),
    exportPerson: (person, after, limit) => as((tx) => exportPerson(tx, id, person, after, limit, keys)),
    deletePerson: (person) => as((tx) => deletePerson(tx, id, person)),
  };
}
