import type { Tx } from '../database/pool.ts';
import type { TeamEventQuery, TeamRecord, TeamSession, Viewer } from './queries.ts';

interface Row extends Omit<TeamRecord, 'tokens' | 'hasBody'> {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly hasBody: boolean;
}
export type PlacedRow = Row & { readonly xact: number; readonly place: number };

export const COLUMNS = `c.machine_id AS machine, c.epoch, c.seq, c.kind, c.id, c.wall_us AS "wallUs", c.session, c.repo, c.agent, c.event,
  c.decision, c.input, c.output, c.cache_read AS "cacheRead", c.cache_write AS "cacheWrite", c.header, c.person_id AS person, c.at,
  c.received_at AS "receivedAt",
  c.has_body AND EXISTS (SELECT FROM piton.person_keys k WHERE k.tenant_id = c.tenant_id AND k.person_id = c.person_id) AS "hasBody"`;

/** Of a thing that came several times only the newest: the one with the greatest number in the machine's store. */
export const NEWEST = `NOT EXISTS (SELECT FROM piton.changes n WHERE n.tenant_id = c.tenant_id AND n.id = c.id AND n.machine_id = c.machine_id
  AND n.epoch = c.epoch AND n.kind = c.kind AND n.seq > c.seq)`;

export function recordOf({
  input,
  output,
  cacheRead,
  cacheWrite,
  ...row
}: Row & { readonly xact?: number; readonly place?: number }): TeamRecord {
  const { xact: _, place: __, ...rest } = row;
  const tokens = input === null ? null : { input, output: output ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 };
  return { ...rest, tokens };
}

/** Whose records somebody may see: null for everybody's. Nobody's for a member that is no person. */
export async function visibleTo(tx: Tx, tenant: string, { person, role }: Viewer): Promise<string | null> {
  if (role !== 'member') return null;
  const [settings] = await tx.rows<{ open: boolean }>('SELECT open_sessions AS open FROM piton.tenants WHERE tenant_id = $1', [tenant]);
  return settings?.open === true ? null : (person ?? '00000000-0000-0000-0000-000000000000');
}

const MAX_LIMIT = 1000;

/** Conditions with their values, which never become part of a statement. */
function conditionsOf(tenant: string, query: TeamEventQuery, onlyOf: string | null) {
  const values: unknown[] = [tenant];
  const where = ['c.tenant_id = $1'];
  const add = (value: unknown, condition: (at: string) => string): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  // Written out, so that the index of sessions alone is used.
  if (query.kinds?.length === 1 && query.kinds[0] === 'session') where.push(`c.kind = 'session'`);
  else add(query.kinds === undefined ? undefined : [...query.kinds], (at) => `c.kind = ANY(${at})`);
  add(query.machine, (at) => `c.machine_id = ${at}`);
  add(query.person, (at) => `c.person_id = ${at}`);
  add(onlyOf, (at) => `c.person_id = ${at}`);
  add(query.session, (at) => `c.session = ${at}`);
  add(query.repo, (at) => `c.repo = ${at}`);
  add(query.agent, (at) => `c.agent = ${at}`);
  add(query.event, (at) => `c.event = ${at}`);
  add(query.decision, (at) => `c.decision = ${at}`);
  add(query.since, (at) => `c.at >= ${at}`);
  if (query.before !== undefined) {
    const { at, machine, epoch, seq } = query.before;
    values.push(at, machine, epoch, seq);
    const n = values.length;
    where.push(`c.at <= $${n - 3} AND (c.at, c.machine_id, c.epoch, c.seq) < ($${n - 3}, $${n - 2}, $${n - 1}, $${n})`);
  }
  return { values, where: where.join(' AND ') };
}

const ORDER = 'ORDER BY c.at DESC, c.machine_id DESC, c.epoch DESC, c.seq DESC';

export async function queryRecords(tx: Tx, tenant: string, query: TeamEventQuery, onlyOf: string | null): Promise<TeamRecord[]> {
  const { values, where } = conditionsOf(tenant, query, onlyOf);
  values.push(Math.min(query.limit ?? 100, MAX_LIMIT));
  const sql = `SELECT ${COLUMNS} FROM piton.changes c WHERE ${where} AND ${NEWEST} ${ORDER} LIMIT $${values.length}`;
  return (await tx.rows<Row>(sql, values)).map(recordOf);
}

export async function querySessions(tx: Tx, tenant: string, query: TeamEventQuery, onlyOf: string | null): Promise<TeamSession[]> {
  const records = await queryRecords(tx, tenant, { ...query, kinds: ['session'] }, onlyOf);
  return records.map(({ machine, id, person, agent, repo, at, header }) => ({ machine, id, person, agent, repo, at, header }));
}

/** How many of the newest matches are looked at. */
const FOUND = 1000;

export async function searchRecords(
  tx: Tx,
  tenant: string,
  words: string,
  query: TeamEventQuery,
  onlyOf: string | null,
): Promise<TeamRecord[]> {
  const { values, where } = conditionsOf(tenant, query, onlyOf);
  values.push(words.slice(0, 1000), FOUND, Math.min(query.limit ?? 100, MAX_LIMIT));
  const n = values.length;
  const sql = `SELECT ${COLUMNS} FROM piton.search($1, $${n - 2}, $${n - 1}) s
    JOIN piton.changes c ON c.tenant_id = $1 AND c.machine_id = s.machine_id AND c.epoch = s.epoch AND c.seq = s.seq AND c.day = s.day
    WHERE ${where} AND ${NEWEST} ${ORDER} LIMIT $${n}`;
  return (await tx.rows<Row>(sql, values)).map(recordOf);
}
