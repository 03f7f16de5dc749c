import type { Sql } from './database/driver.ts';
import { FIRST } from './migrations/001-first.ts';
import { REWRITE } from './migrations/002-rewrite.ts';
import { OWN_EVENTS } from './migrations/003-own-events.ts';
import { HOOK_STATS } from './migrations/004-hook-stats.ts';
import { TRANSCRIPT_TABLES } from './migrations/005-transcripts.ts';
import { CHANGES } from './migrations/006-changes.ts';
import { LISTINGS } from './migrations/007-listings.ts';
import { SEARCH } from './migrations/008-search.ts';
import { LEDGER } from './migrations/009-ledger.ts';
import { TOKEN_CLASSES } from './migrations/010-token-classes.ts';
import { BRANCHES } from './migrations/011-branches.ts';
import { SUMS } from './migrations/012-sums.ts';
import { READERS } from './migrations/013-readers.ts';
import { TRANSCRIPT_MEMORY } from './migrations/014-transcript-memory.ts';
import { PLACES } from './migrations/015-places.ts';

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  /**
   * True where what could read and write the store before it still can, whole and without harm: an index, a trigger, a table that
   * triggers fill, or that may have gaps. Then a person can go back to an older Piton, and a server that ends beside its successor
   * can finish what it has.
   */
  readonly keepsReaders?: boolean;
  /** True where who knows it reads a store without it as well: a newer command beside the server that agents still run. */
  readonly readsWithout?: boolean;
}

/** In order: the n-th brings a store to version n. Never edit a released one: add another. */
export const MIGRATIONS: readonly Migration[] = [
  FIRST,
  REWRITE,
  OWN_EVENTS,
  HOOK_STATS,
  TRANSCRIPT_TABLES,
  CHANGES,
  LISTINGS,
  SEARCH,
  LEDGER,
  TOKEN_CLASSES,
  BRANCHES,
  SUMS,
  READERS,
  TRANSCRIPT_MEMORY,
  PLACES,
];

export const versionOf = (sql: Sql): number => Number(sql.value('SELECT user_version FROM pragma_user_version'));

/** Since this version a store names the versions that may read and write it. */
const NAMES_READERS = 13;

/** May a Piton that knows the first `known` migrations use the store? A newer store says so itself. */
export function isReadableBy(sql: Sql, known: number): boolean {
  const version = versionOf(sql);
  if (version <= known) return true;
  const hasNames = sql.value("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'readers')") === 1;
  // It names itself as well: without that nobody knows what the names are of.
  return hasNames && sql.value(`SELECT count(*) FROM readers WHERE version IN (${known}, ${version})`) === 2;
}

/** May a Piton of today read a store that has not been migrated yet? */
export const isReadableAsItIs = (version: number): boolean => MIGRATIONS.slice(version).every(({ readsWithout }) => readsWithout === true);

/**
 * Migrates a store. Each step is one transaction that also sets the version, so a process that is killed in the middle
 * leaves the previous version. `onStep` is called in the middle of each transaction.
 */
export function migrate(sql: Sql, migrations: readonly Migration[], onStep?: (name: string) => void): void {
  for (const [at, { name, statements, keepsReaders = false }] of migrations.entries()) {
    if (versionOf(sql) > at) continue;
    sql.transaction(() => {
      // Another process may have done it while this one waited for the lock.
      if (versionOf(sql) > at) return;
      for (const [index, statement] of statements.entries()) {
        if (index === statements.length >> 1) onStep?.(name);
        sql.exec(statement);
      }
      if (at + 1 >= NAMES_READERS) nameReader(sql, at + 1, keepsReaders);
      sql.exec(`PRAGMA user_version = ${at + 1}`);
    });
  }
}

function nameReader(sql: Sql, version: number, keepsReaders: boolean): void {
  if (!keepsReaders) sql.exec('DELETE FROM readers');
  sql.exec(`INSERT INTO readers VALUES (${version})`);
}
