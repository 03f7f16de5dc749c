import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as TeamServer from '@piton/team';
import type { Context } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';

/** The program of the team's server, which has the driver of PostgreSQL: loaded by who serves a team, and by nobody else. */
export function teamServerProgram({ distribution }: Context): typeof TeamServer {
  const file = join(distribution, 'team.cjs');
  if (!existsSync(file)) throw new Failure('this installation has no team server', { where: file, remedy: 'install @piton/cli anew' });
  return createRequire(file)(file) as typeof TeamServer;
}

export interface DatabaseOptions {
  readonly database?: string;
  readonly secretFile?: string;
}

const DATABASE = 'PITON_TEAM_DATABASE';
const SECRET = 'PITON_TEAM_SECRET';

export function databaseUrl({ env }: Context, { database }: DatabaseOptions): string {
  const url = database ?? env[DATABASE];
  if (url === undefined || url === '')
    throw new Failure('no database is named', { remedy: `use --database postgres://…, or set ${DATABASE}`, usage: true });
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw new Failure('the database must be named as postgres://…', { usage: true });
  return url;
}

/** 32 bytes that wrap the keys of people. Whoever loses them loses every body. */
export function teamSecret({ env }: Context, { secretFile }: DatabaseOptions): Uint8Array {
  const text = secretFile === undefined ? env[SECRET] : readSecret(secretFile);
  if (text === undefined || text === '')
    throw new Failure('the secret of the team is missing', {
      remedy: `use --secret-file, or set ${SECRET}. Make one, once for all replicas: openssl rand -base64 32`,
      usage: true,
    });
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== 32)
    throw new Failure('the secret of the team is not 32 bytes in base64', { remedy: 'make one: openssl rand -base64 32' });
  return bytes;
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`cannot read the secret of the team: ${reasonOf(error)}`, { where: file });
  }
}

/** What a database says to whoever asks in vain. By name: the class of the error is in the server's own bundle. */
export function databaseFailure(error: unknown, migrating = false): Failure {
  if (error instanceof Failure) return error;
  const { problem } = error as { problem?: string };
  if (problem === 'invalid') return new Failure(reasonOf(error), { usage: true });
  if (problem === 'unavailable' || problem === 'busy')
    return new Failure(`the database does not answer: ${reasonOf(error)}`, { remedy: 'check its address, and that it runs' });
  if (problem === 'not-migrated' || problem === 'no-partition') return new Failure(reasonOf(error));
  return new Failure(`the database refused: ${reasonOf(error)}`, {
    remedy: migrating
      ? 'check that the role is the owner of the database'
      : 'check the role, and that the database has this version: piton team migrate',
  });
}
