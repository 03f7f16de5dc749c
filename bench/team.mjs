// node bench/team.mjs: what machines send, into a real PostgreSQL with fsync, beside COPY of the very rows into the same tables.
// With --narrow the page's queries over so many generated rows; ten million take some minutes and 10 GB.
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { startPostgres } from '../scripts/postgres.mjs';
import { settleUsage } from '../scripts/usage.mjs';

settleUsage('usage: node bench/team.mjs [--events <count>] [--rounds <count>] [--senders <count>] [--narrow <rows>]');
const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    senders: { type: 'string', default: '2' },
    narrow: { type: 'string', default: '0' },
  },
});
const [events, rounds, senders, narrow] = [options.events, options.rounds, options.senders, options.narrow].map(Number);
const BATCH = 500;
const BUDGET_MS = 300;
const { migrateTeamStore, openTeamStore } = await importTypeScript('bench/team-entry.ts');

const postgres = await startPostgres({ settings: { fsync: 'on', max_wal_size: '4GB', shared_buffers: '256MB' } });
const superuser = new pg.Client({ connectionString: postgres.url() });
await superuser.connect();
await superuser.query('CREATE ROLE owner LOGIN CREATEROLE');
await superuser.query('CREATE DATABASE team OWNER owner');
await migrateTeamStore({ url: postgres.url('team', 'owner'), partitionsAhead: 2 });
await superuser.query('CREATE ROLE app LOGIN IN ROLE piton_app');
await superuser.end();
const admin = new pg.Client({ connectionString: postgres.url('team') });
await admin.connect();
const team = openTeamStore({ url: postgres.url('team', 'app'), secret: Buffer.alloc(32, 1), maxConnections: senders });
const ADMIN = { person: null, role: 'admin' };
try {
  const { tenant, admin: person } = await team.createTenant({ name: 'bench', admin: { subject: 'bench', name: 'Bench' } });
  const store = team.tenant(tenant);
  const machines = [];
  for (let n = 0; n < 20; n++) {
    const code = await store.makeJoinCode({ person, seconds: 600 });
    machines.push((await team.join(code, { name: `machine-${n}`, publicKey: 'key', os: 'linux', pitonVersion: '0.1.0' })).machine);
  }
  await ingestion(store, machines);
  if (narrow > 0) await queries(store, tenant, person, machines[0]);
} finally {
  await team.close();
  await admin.end();
  await postgres.remove();
}

function changeOf(seq) {
  const denied = seq % 50 === 0;
  return {
    ...{ seq, kind: 'event', id: `01JD${String(seq).padStart(22, '0')}`, wallUs: Date.now() * 1000, session: `session-${seq % 97}` },
    ...{ repo: 'github.com/acme/app', agent: 'claude', event: 'pre_tool_use', decision: denied ? 'deny' : null, tokens: null },
    header: {
      ...{ nativeEvent: 'PreToolUse', branch: 'main', model: 'opus', tool: { name: 'Bash', kind: 'shell' }, depth: 0, late: false },
      ...{ derived: false, canary: false, payloadBytes: 2048, redaction: '7', decidedBy: denied ? ['guard'] : [] },
      hooks: [{ hook: 'guard', scope: 'user', digest: `sha256:${'ab'.repeat(32)}`, did: 'ran', said: null, durationMs: 3 }],
    },
  };
}

async function ingestion(store, machines) {
  const times = [];
  const ratios = [];
  const rates = [];
  const processor = [];
  for (let round = 1; round <= rounds; round++) {
    const epoch = `round-${round}`;
    const each = Math.ceil(events / machines.length / BATCH) * BATCH;
    const all = machines.map((machine) => ({ machine, at: 0 }));
    const cpu = process.cpuUsage();
    const theirs = serverCpuMs();
    const started = performance.now();
    await Promise.all(
      Array.from({ length: senders }, async () => {
        for (let one = all.shift(); one !== undefined; one = all.shift()) {
          const { machine, at } = one;
          const changes = Array.from({ length: BATCH }, (_, n) => changeOf(at + n + 1));
          const sent = performance.now();
          const said = await store.ingest({ machine, epoch, after: at, upTo: at + BATCH, changes, sentUs: Date.now() * 1000 });
          if (!said.ok || said.stored !== BATCH) throw new Error(JSON.stringify(said));
          times.push(performance.now() - sent);
          if (at + BATCH < each) all.push({ machine, at: at + BATCH });
        }
      }),
    );
    const took = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    const [ours, its] = [(user + system) / 1000, serverCpuMs() - theirs];
    processor.push((ours + its) / (each * machines.length));
    const rows = each * machines.length;
    rates.push(rows / (took / 1000));
    const copied = await copyAgain(rows);
    ratios.push(copied / took);
    console.log(
      `round ${round}: ${rows} events in ${took.toFixed(0)} ms, ${rates.at(-1).toFixed(0)} a second (processor: ${ours.toFixed(0)} ms ours, ${its.toFixed(0)} ms PostgreSQL's), COPY ${copied.toFixed(0)} ms: ${ratios.at(-1).toFixed(2)} ×`,
    );
  }
  const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
  times.sort((a, b) => a - b);
  const verdict = (ok) => (ok ? 'within' : 'MISSED');
  console.log(`ingestion beside COPY ${median(ratios).toFixed(2)} ×   budget 0.3 × ${verdict(median(ratios) >= 0.3)}`);
  console.log(`events a second ${median(rates).toFixed(0)}   budget 5000 ${verdict(median(rates) >= 5000)}`);
  // What does not depend on who else is busy: how many events two cores that do nothing else would take.
  const perEvent = median(processor);
  console.log(`processor: ${(perEvent * 1000).toFixed(0)} µs an event, ${(2000 / perEvent).toFixed(0)} a second on two cores`);
  console.log(
    `acknowledged: median ${median(times).toFixed(1)} ms, p99 ${times[Math.floor(times.length * 0.99)].toFixed(1)} ms for ${BATCH} events`,
  );
}

/** Of the server's processes that run now. */
function serverCpuMs() {
  const fields = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [
          readFileSync(`/proc/${pid}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' '),
        ];
      } catch {
        return []; // ended meanwhile
      }
    });
  // After the name: state, parent, …; ticks of user and system are the 12th and 13th. A tick is 10 ms.
  return fields
    .filter(([, parent]) => Number(parent) === postgres.pid)
    .reduce((sum, of) => sum + (Number(of[11]) + Number(of[12])) * 10, 0);
}

/** The very rows, out of the tables and back into them, in one transaction as a bulk load would do it. */
async function copyAgain(rows) {
  const files = [];
  for (const table of ['changes', 'words']) {
    const { rows: found } = await admin.query('SELECT current_setting($1) AS at', ['data_directory']);
    const file = `${found[0].at}/bench-${table}`;
    files.push([table, file]);
    await admin.query(`COPY (SELECT * FROM piton.${table}) TO '${file}'`);
  }
  await admin.query('TRUNCATE piton.changes, piton.words');
  const started = performance.now();
  await admin.query('BEGIN');
  for (const [table, file] of files) await admin.query(`COPY piton.${table} FROM '${file}'`);
  await admin.query('COMMIT');
  const took = performance.now() - started;
  const { rows: counted } = await admin.query('SELECT count(*)::int AS n FROM piton.changes');
  if (counted[0].n !== rows) throw new Error(`${counted[0].n} of ${rows} rows`);
  await admin.query('TRUNCATE piton.changes, piton.words');
  return took;
}

async function queries(store, tenant, person, machine) {
  const started = performance.now();
  await admin.query(
    `INSERT INTO piton.changes (tenant_id, machine_id, epoch, seq, xact, at, kind, id, person_id, session, repo, agent, event, decision, has_body, header)
     SELECT $1, $2, 'narrow', n, 1, now() - n * interval '0.25 seconds', CASE WHEN n % 200 = 0 THEN 'session' ELSE 'event' END, 'id-' || n, $3,
       'session-' || n / 200, 'repo-' || n % 40, CASE n % 3 WHEN 0 THEN 'claude' WHEN 1 THEN 'codex' ELSE 'gemini' END, 'pre_tool_use',
       CASE WHEN n % 500 = 0 THEN 'deny' END, false, '{}' FROM generate_series(1, $4::bigint) n`,
    [tenant, machine, person, narrow],
  );
  await admin.query('VACUUM ANALYZE piton.changes');
  const { rows } = await admin.query(
    `SELECT sum(pg_total_relation_size(inhrelid))::bigint AS size FROM pg_inherits WHERE inhparent = 'piton.changes'::regclass`,
  );
  console.log(
    `${narrow} narrow rows in ${((performance.now() - started) / 1000).toFixed(0)} s, ${(Number(rows[0].size) / 1e9).toFixed(1)} GB`,
  );
  const n = randomInt(1, narrow);
  const since = new Date(Date.now() - 30 * 86_400_000);
  const asked = {
    'the newest 100 events': () => store.events({ kinds: ['event'] }, ADMIN),
    'the newest 100 sessions': () => store.sessions({}, ADMIN),
    'one session': () => store.events({ session: `session-${Math.floor(n / 200)}`, limit: 1000 }, ADMIN),
    'the newest 100 denials': () => store.events({ kinds: ['event'], decision: 'deny' }, ADMIN),
    'of one repository': () => store.events({ repo: `repo-${n % 40}` }, ADMIN),
    'of one agent': () => store.events({ agent: 'codex' }, ADMIN),
    'own sessions of a member': () => store.sessions({}, { person, role: 'member' }),
    machines: () => store.machines(ADMIN),
    '1000 since the middle': async () => (await store.since(`1.${Math.floor(narrow / 2)}`, 1000)).records,
  };
  const measure = async (name, ask) => {
    let worst = 0;
    let found = 0;
    for (let round = 0; round < 5; round++) {
      const began = performance.now();
      found = (await ask()).length;
      worst = Math.max(worst, performance.now() - began);
    }
    console.log(
      `${name.padEnd(28)} ${worst.toFixed(0).padStart(6)} ms, the slowest of 5   ${found} rows   budget ${BUDGET_MS} ms ${worst < BUDGET_MS ? 'within' : 'OVER'}`,
    );
  };
  for (const [name, ask] of Object.entries(asked)) await measure(name, ask);
  const rolled = performance.now();
  while ((await team.rollUp(20_000)) > 0);
  console.log(`rolled up in ${((performance.now() - rolled) / 1000).toFixed(0)} s`);
  await measure('hours of 30 days', () => store.hours({ since }));
}
