import { TeamStoreError } from '../database/failure.ts';
import type { Row, Tx } from '../database/pool.ts';
import { isUuid } from '../database/pool.ts';
import type { Ingested, TeamBatch, TeamChange } from './batch.ts';
import type { BodyKeys } from './body-keys.ts';
import { cleanJson, cleanText } from './clean.ts';

const MAX_TEXT = 4096;
const MAX_EPOCH = 200;

interface Sender extends Row {
  readonly person: string;
  readonly left: boolean;
  readonly bodies: boolean;
  readonly known: number | null;
}

/**
 * Inserts what is not here yet and moves the machine's place, in one transaction. The row of the place is locked first: of two who
 * send the same, the second finds it moved. So a batch that is sent twice is stored once, on whichever day the second one comes.
 */
export async function ingest(tx: Tx, tenant: string, batch: TeamBatch, keys: BodyKeys): Promise<Ingested> {
  const wrong = problemOf(batch);
  if (wrong !== undefined) return { ok: false, problem: 'invalid', error: wrong };
  const { machine, epoch } = batch;
  await tx.prepared(
    'place',
    `INSERT INTO piton.positions (tenant_id, machine_id, epoch, seq)
    SELECT tenant_id, machine_id, $3, 0 FROM piton.machines WHERE tenant_id = $1 AND machine_id = $2 AND left_at IS NULL
    ON CONFLICT DO NOTHING`,
    [tenant, machine, epoch],
  );
  const [place] = await tx.prepared<{ seq: number }>(
    'lock-place',
    'SELECT seq FROM piton.positions WHERE tenant_id = $1 AND machine_id = $2 AND epoch = $3 FOR UPDATE',
    [tenant, machine, epoch],
  );
  const [sender] = await tx.prepared<Sender>(
    'sender',
    `SELECT m.person_id AS person, (m.left_at IS NOT NULL OR p.left_at IS NOT NULL) AS left,
      (t.bodies AND p.consent) AS bodies
    FROM piton.machines m JOIN piton.people p USING (tenant_id, person_id) JOIN piton.tenants t USING (tenant_id)
    WHERE m.tenant_id = $1 AND m.machine_id = $2`,
    [tenant, machine],
  );
  if (place === undefined || sender === undefined || sender.left)
    return { ok: false, problem: 'unknown-machine', error: 'no such machine, or it has left' };
  if (batch.after > place.seq && !isCovered(batch, place.seq))
    return { ok: false, problem: 'out-of-order', error: `everything up to ${place.seq} is here`, acknowledged: place.seq };
  const fresh = batch.changes.filter(({ seq }) => seq > place.seq);
  const withBody = fresh.filter(({ body }) => typeof body === 'string');
  const key = sender.bodies && withBody.length > 0 ? await keys.forWriting(tx, tenant, sender.person) : undefined;
  if (fresh.length > 0) await insertChanges(tx, tenant, batch, fresh, sender.person, key !== undefined);
  if (key !== undefined) {
    await tx.prepared(
      'bodies',
      `INSERT INTO piton.bodies (tenant_id, machine_id, epoch, seq, day, person_id, body)
      SELECT $1, $2, $3, seq, (now() AT TIME ZONE 'utc')::date, $4, body FROM unnest($5::bigint[], $6::bytea[]) AS b (seq, body)`,
      [
        tenant,
        machine,
        epoch,
        sender.person,
        withBody.map(({ seq }) => seq),
        withBody.map(({ seq, body }) => keys.seal(key, body as string, { tenant, machine, epoch, seq })),
      ],
    );
  }
  for (const { from, to, reason } of batch.gaps ?? []) {
    await tx.rows(
      `INSERT INTO piton.gaps (tenant_id, machine_id, epoch, from_seq, to_seq, reason) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT DO NOTHING`,
      [tenant, machine, epoch, from, to, cleanText(reason)],
    );
  }
  const acknowledged = Math.max(place.seq, batch.upTo);
  await tx.prepared(
    'move-place',
    `WITH moved AS (UPDATE piton.positions SET seq = $4, moved_at = now()
      WHERE tenant_id = $1 AND machine_id = $2 AND epoch = $3)
    UPDATE piton.machines SET last_seen_at = now(), clock_off_us = $5::bigint - (extract(epoch FROM now()) * 1000000)::bigint,
      last_event_at = CASE WHEN $6 THEN now() ELSE last_event_at END
    WHERE tenant_id = $1 AND machine_id = $2`,
    [tenant, machine, epoch, acknowledged, batch.sentUs, fresh.some(({ kind }) => kind === 'event')],
  );
  const dropped = key === undefined ? withBody.length : 0;
  return { ok: true, acknowledged, stored: fresh.length, replayed: batch.changes.length - fresh.length, dropped };
}

/** The sender states that everything between what is here and its batch is lost. */
const isCovered = ({ gaps = [], after }: TeamBatch, known: number): boolean => {
  let reached = known;
  for (const { from, to } of [...gaps].sort((a, b) => a.from - b.from)) if (from <= reached + 1) reached = Math.max(reached, to);
  return reached >= after;
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown, upTo = MAX_TEXT): boolean => typeof value === 'string' && value.length <= upTo;

function problemOf({ machine, epoch, after, upTo, changes, gaps = [], sentUs }: TeamBatch): string | undefined {
  if (!isUuid(machine)) return 'not the id of a machine';
  if (!isText(epoch, MAX_EPOCH) || epoch === '') return 'not an epoch';
  if (!isCount(after) || !isCount(upTo) || upTo < after || !Number.isSafeInteger(sentUs)) return 'numbers that cannot be';
  let last = after;
  for (const change of changes) {
    if (!isCount(change.seq) || change.seq <= last || change.seq > upTo) return `change ${change.seq} is not between ${last} and ${upTo}`;
    last = change.seq;
    const { kind, id, session, repo, agent, event, decision, wallUs, tokens } = change;
    const texts = [session, repo, agent, event, decision].every((text) => text === null || isText(text));
    if (!texts || !isText(kind, 40) || !isText(id)) return `a text of change ${change.seq} is too long or none`;
    if (wallUs !== null && !Number.isSafeInteger(wallUs)) return `the time of change ${change.seq} is none`;
    if (tokens !== null && ![tokens.input, tokens.output, tokens.cacheRead, tokens.cacheWrite].every(isCount))
      return `the tokens of change ${change.seq} are no counts`;
  }
  for (const { from, to, reason } of gaps)
    if (!isCount(from) || !isCount(to) || to < from || to > upTo || !isText(reason)) return `a gap from ${from} to ${to} cannot be`;
  return undefined;
}

const text = (value: string | null): string | null => (value === null ? null : cleanText(value));

/** µs: a clock that is wrong by more is corrected by how wrong it is. */
const SKEW_US = 120_000_000;

async function insertChanges(
  tx: Tx,
  tenant: string,
  batch: TeamBatch,
  changes: readonly TeamChange[],
  person: string,
  bodies: boolean,
): Promise<void> {
  const column = <T>(of: (change: TeamChange) => T): T[] => changes.map(of);
  const stored = await tx.prepared(
    'changes',
    `
    WITH clock AS (
      SELECT added + pg_current_xact_id()::text::bigint AS xact, (extract(epoch FROM now()) * 1000000)::bigint AS now_us
      FROM piton.cluster WHERE identifier = (SELECT system_identifier::text FROM pg_control_system())),
    given AS (
      SELECT g.*, c.xact, c.now_us, g.wall_us - CASE WHEN abs($4::bigint - c.now_us) > ${SKEW_US} THEN $4::bigint - c.now_us ELSE 0 END AS right_us
      FROM clock c, unnest($5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[],
        $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::boolean[], $19::jsonb[])
        AS g (seq, kind, id, wall_us, session, repo, agent, event, decision, input, output, cache_read, cache_write, has_body, header)),
    dated AS (
      SELECT *, CASE WHEN right_us BETWEEN now_us - 34560000000000 AND now_us + 300000000 THEN to_timestamp(right_us / 1000000.0) ELSE now() END AS at
      FROM given),
    stored AS (
      INSERT INTO piton.changes (tenant_id, machine_id, epoch, seq, xact, at, wall_us, kind, id, person_id, session, repo, agent, event,
        decision, input, output, cache_read, cache_write, has_body, header)
      SELECT $1, $2, $3, seq, xact, at, wall_us, kind, id, $20, session, repo, agent, event, decision, input, output, cache_read, cache_write,
        has_body, header FROM dated ORDER BY seq),
    worded AS (
      INSERT INTO piton.words (tenant_id, machine_id, epoch, seq, day, at, words)
      SELECT $1, $2, $3, seq, (now() AT TIME ZONE 'utc')::date, at,
        array_to_tsvector(ARRAY['tenant:' || $1::text]) || to_tsvector('simple', concat_ws(' ', agent, event, decision, repo))
          || jsonb_to_tsvector('simple', header, '["string"]') FROM dated)
    SELECT count(*)::int AS known FROM clock`,
    [
      tenant,
      batch.machine,
      batch.epoch,
      batch.sentUs,
      column(({ seq }) => seq),
      column(({ kind }) => cleanText(kind)),
      column(({ id }) => cleanText(id)),
      column(({ wallUs }) => wallUs),
      column(({ session }) => text(session)),
      column(({ repo }) => text(repo)),
      column(({ agent }) => text(agent)),
      column(({ event }) => text(event)),
      column(({ decision }) => text(decision)),
      column(({ tokens }) => tokens?.input ?? null),
      column(({ tokens }) => tokens?.output ?? null),
      column(({ tokens }) => tokens?.cacheRead ?? null),
      column(({ tokens }) => tokens?.cacheWrite ?? null),
      column(({ body }) => bodies && typeof body === 'string'),
      column(({ header }) => cleanJson(header)),
      person,
    ],
  );
  if ((stored[0] as { known: number }).known !== 1)
    throw new TeamStoreError('not-migrated', 'the database was restored elsewhere: run `piton team migrate`');
}
