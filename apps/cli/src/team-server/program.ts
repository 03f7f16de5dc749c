import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { shellWord } from '@piton/contracts';
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

/** With it and a dump of the database every body can be read: it is for one user, or for the group of a service whose file it is not. */
function readSecret(file: string): string {
  try {
    const stat = statSync(file);
    const tooOpen = stat.uid === process.getuid?.() ? 0o077 : 0o007;
    if (stat.isFile() && (stat.mode & tooOpen) !== 0)
      throw new Failure('others may read the secret of the team', { where: file, remedy: `chmod 600 ${shellWord(file)}` });
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Failure) throw error;
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
  if (problem === 'role')
    return new Failure(reasonOf(error), {
      remedy: migrating
        ? 'name the owner of the database with --database'
        : 'make one: CREATE ROLE app LOGIN IN ROLE piton_app, and name it with --database',
    });
  return new Failure(`the database refused: ${reasonOf(error)}`, {
    remedy: migrating
      ? 'check that the role is the owner of the database'
      : 'check the role, and that the database has this version: piton team migrate',
  });
}
