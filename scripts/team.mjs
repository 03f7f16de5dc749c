// npm run team: a team on this machine, until Ctrl-C: a throw-away PostgreSQL, a server, and three machines that replay recorded sessions.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setup } from './setup.mjs';
import { ROOT } from './sources.mjs';
import { settleUsage } from './usage.mjs';

settleUsage(
  `usage: npm run team [-- --once]

Starts a throw-away PostgreSQL and a team's server on loopback, and three machines that join it and replay recorded sessions.
Ctrl-C ends and removes all of it.

  --once  ends by itself once all that was recorded is there`,
  ['--once'],
);
const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });

setup();
const { step } = await import('./step.mjs');
if (!step('build', ['scripts/build.mjs'])) process.exit(1);
const { providePostgres, startPostgres } = await import('./postgres.mjs');
const { migratedTeam } = await import('./team-database.mjs');

const CLI = join(ROOT, 'dist', 'cli.mjs');
const undo = [];
const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => ended.abort());

/** What a command prints as JSON. */
function piton(env, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    ...{ encoding: 'utf8', cwd: ROOT, timeout: 120_000 },
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PITON_ALLOW_UNDER_AGENT: '1', ...env },
  });
  if (status !== 0) throw new Error(`piton ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

async function serve(env) {
  const server = spawn(process.execPath, [CLI, 'team', 'serve', '--listen', '127.0.0.1:0'], {
    ...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } },
  });
  undo.push(async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  });
  for await (const text of server.stdout) {
    const address = /http:\S+/.exec(String(text))?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('the server of the team did not start');
}

/** A machine of its own: a home in which recorded sessions were replayed. */
function machine(name) {
  const { directory } = piton({}, 'demo', '--keep', '--json');
  const env = { PITON_HOME: join(directory, 'piton'), HOME: join(directory, 'home') };
  undo.push(() => {
    spawnSync(process.execPath, [CLI, 'team', 'leave', '--yes'], { env: { PATH: process.env.PATH, PITON_ALLOW_UNDER_AGENT: '1', ...env } });
    rmSync(directory, { recursive: true, force: true });
  });
  return { name, env };
}

async function main() {
  if (providePostgres() === undefined) throw new Error('no PostgreSQL 15 or later here, and none could be installed');
  const postgres = await startPostgres();
  undo.push(() => postgres.remove());
  const database = await migratedTeam(postgres);
  const env = { PITON_TEAM_DATABASE: database.app, PITON_TEAM_SECRET: randomBytes(32).toString('base64') };
  const { tenant } = piton(env, 'team', 'tenant', 'Demo', '--admin', 'Ada', '--json');
  const address = await serve(env);
  console.log(`team: PostgreSQL ${postgres.version}, server at ${address}, tenant ${tenant}`);
  for (const name of ['anna', 'ben', 'cleo']) {
    if (ended.signal.aborted) return;
    const one = machine(name);
    const { code } = piton(env, 'team', 'code', tenant, '--person', name, '--json');
    piton(one.env, 'team', 'join', `${address}/#${code}`, '--name', name, '--yes', '--json');
    console.log(`team: ${name} replayed recorded sessions, and joined`);
  }
  await sleep(4000, undefined, { signal: ended.signal }).catch(() => {});
  const machines = piton(env, 'team', 'machines', tenant, '--json');
  for (const { name, lastEventAt, agents, drift } of machines)
    console.log(`team: ${name}: last event ${lastEventAt}, ${agents.length} agents, ${drift.length} not as they should be`);
  if (values.once) {
    if (machines.length !== 3 || machines.some(({ lastEventAt }) => lastEventAt === null)) throw new Error('not every machine reported');
    return;
  }
  const shell = `PITON_TEAM_DATABASE='${env.PITON_TEAM_DATABASE}' PITON_TEAM_SECRET='${env.PITON_TEAM_SECRET}'`;
  console.log(`\nLook:  ${shell} node dist/cli.mjs team machines ${tenant}\n       curl ${address}/metrics\nCtrl-C ends it.`);
  if (!ended.signal.aborted) await once(ended.signal, 'abort');
}

try {
  await main();
} catch (error) {
  console.error(`team: ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const each of undo.reverse()) await each();
}
