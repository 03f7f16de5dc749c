// The database of a team in a throw-away PostgreSQL: an owner, and a role for the server that owns nothing.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

const { Client } = createRequire(join(ROOT, 'packages', 'store', 'package.json'))('pg');

async function asSuperuser(url, ...statements) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

export async function migratedTeam(postgres) {
  await asSuperuser(postgres.url(), 'CREATE ROLE owner LOGIN CREATEROLE', 'CREATE DATABASE team OWNER owner');
  const owner = postgres.url('team', 'owner');
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'dist', 'cli.mjs'), 'team', 'migrate', '--database', owner], {
    ...{ encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME } },
  });
  if (status !== 0) throw new Error(`the database could not be migrated: ${stderr}`);
  await asSuperuser(postgres.url(), 'CREATE ROLE app LOGIN IN ROLE piton_app');
  return { owner, app: postgres.url('team', 'app') };
}
