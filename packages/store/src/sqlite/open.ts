import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { OpenOptions, OpenResult } from '../open.ts';
import type { StoreFailure } from '../port.ts';
import { openSql, type Sql, type SqliteModule } from './database/driver.ts';
import { loadSqlite } from './database/driver-loader.ts';
import { failure, failureOf, problemOf } from './database/failure.ts';
import { mountOf, networkName } from './database/file-system.ts';
import { lingers, moveAway, prepareFile, suspectMark } from './database/store-file.ts';
import { isReadableAsItIs, isReadableBy, MIGRATIONS, migrate, versionOf } from './migrate.ts';
import { createStore } from './store.ts';

const MIGRATING_MS = 1000;

const BUSY_MS = 5000;

export async function openSqlite(path: string, options: OpenOptions): Promise<OpenResult> {
  const { readonly = false, existing = readonly, nowUs = () => Date.now() * 1000 } = options;
  if (existing && !existsSync(path)) return failure('missing', `${path}: no store yet`);
  const network = networkName((options.mountOf ?? mountOf)(dirname(path)) ?? { type: 0, name: null });
  if (network !== undefined && !readonly) {
    return failure(
      'network',
      `${path} is on a network file system (${network}), where the store would lose data: set PITON_HOME to a local directory`,
    );
  }
  const unready = readonly ? undefined : prepareFile(path);
  if (unready !== undefined) return unready;
  let sqlite: SqliteModule;
  try {
    sqlite = await (options.loadSqlite ?? loadSqlite)();
  } catch (error) {
    return failure('no-engine', `cannot load SQLite: ${(error as Error).message}`);
  }
  const attempt = (): Promise<Sql | StoreFailure> => (readonly ? openToRead(sqlite, path) : openToWrite(sqlite, path, options.onStep));
  const first = await attempt();
  if (!('ok' in first)) return { ok: true, live: true, store: createStore(first, path, nowUs) };
  if (readonly && isOnReadOnlyFiles(path)) {
    const fixed = await openToRead(sqlite, immutableUrl(path));
    if (!('ok' in fixed)) return { ok: true, live: false, store: createStore(fixed, path, nowUs) };
  }
  if (readonly || first.problem !== 'corrupt') return first;
  if (lingers(path)) return { ...first, error: `${first.error} (this process still holds it: restart it)` };
  const target = moveAway(path, nowUs());
  const reopened = prepareFile(path) ?? (await attempt());
  return 'ok' in reopened ? reopened : { ok: true, live: true, store: createStore(reopened, path, nowUs), movedTo: target };
}

/** A reader needs shared memory beside the file. Where none can be made, and none is, nobody can write the file either. */
function isOnReadOnlyFiles(path: string): boolean {
  if (existsSync(`${path}-shm`)) return false;
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** What was in its log is not seen: a server empties that when it ends. */
const immutableUrl = (path: string): string => `${pathToFileURL(path).href}?immutable=1`;

/** Leaves nothing open if it fails. */
async function opening(
  sqlite: SqliteModule,
  path: string,
  readOnly: boolean,
  prepare: (sql: Sql) => Promise<StoreFailure | undefined>,
): Promise<Sql | StoreFailure> {
  let sql: Sql | undefined;
  try {
    sql = openSql(sqlite, path, readOnly);
    sql.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    const refused = await prepare(sql);
    if (refused === undefined) return sql;
    sql.close();
    return refused;
  } catch (error) {
    sql?.close();
    return failureOf(error, path);
  }
}

const openToRead = (sqlite: SqliteModule, path: string): Promise<Sql | StoreFailure> =>
  opening(sqlite, path, true, async (sql) => {
    let version = versionOf(sql);
    // A server that has just started may be migrating it. Wait for that.
    for (const until = Date.now() + MIGRATING_MS; !isReadableAsItIs(version) && Date.now() < until; version = versionOf(sql))
      await sleep(50);
    if (!isReadableAsItIs(version))
      return failure('older', `${path} has version ${version}, and this Piton reads ${MIGRATIONS.length}: its server upgrades it`);
    return tooNew(path, sql);
  });

const openToWrite = (sqlite: SqliteModule, path: string, onStep?: (name: string) => void): Promise<Sql | StoreFailure> =>
  opening(sqlite, path, false, async (sql) => {
    const refused = tooNew(path, sql);
    if (refused !== undefined) return refused;
    // Only possible in a new, empty file.
    sql.exec('PRAGMA auto_vacuum = INCREMENTAL');
    await switchToWal(sql);
    sql.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    migrate(sql, MIGRATIONS, onStep);
    sql.beforeEach(() => refuseNewer(path, sql));
    // Reads the end of the largest table, which a truncated file has lost.
    sql.value('SELECT max(seq) FROM events');
    return existsSync(suspectMark(path)) ? checkIntegrity(sql, path) : undefined;
  });

function tooNew(path: string, sql: Sql): StoreFailure | undefined {
  if (isReadableBy(sql, MIGRATIONS.length)) return undefined;
  return failure(
    'newer',
    `${path} has version ${versionOf(sql)}, this Piton reads up to ${MIGRATIONS.length}. It was not changed. Upgrade Piton`,
  );
}

/** A successor may migrate the store while this process ends. What it can no longer write stays in the journal, for the successor. */
function refuseNewer(path: string, sql: Sql): void {
  const refused = tooNew(path, sql);
  if (refused !== undefined) throw Object.assign(new Error(refused.error), { code: 'PITON_NEWER' });
}

/** Why this Piton must not use the store, if it must not: a newer one wrote it, and does not name this one as a reader. */
export async function sqliteRefusalOf(path: string): Promise<StoreFailure | undefined> {
  if (!existsSync(path)) return undefined;
  const opened = await opening(await loadSqlite(), path, true, async (sql) => tooNew(path, sql));
  if ('ok' in opened) return opened.problem === 'newer' ? opened : undefined;
  opened.close();
  return undefined;
}

/** SQLite does not wait by itself if two processes switch a new file to WAL at once. */
async function switchToWal(sql: Sql): Promise<void> {
  for (let waited = 0; ; waited += 20) {
    try {
      sql.exec('PRAGMA journal_mode = WAL');
      const mode = sql.value('SELECT journal_mode FROM pragma_journal_mode');
      if (mode !== 'wal') throw new Error(`WAL is not available here (journal mode ${String(mode)})`);
      return;
    } catch (error) {
      if (problemOf(error) !== 'busy' || waited >= BUSY_MS) throw error;
      await sleep(20);
    }
  }
}

function checkIntegrity(sql: Sql, path: string): StoreFailure | undefined {
  const verdict = sql.value('SELECT quick_check FROM pragma_quick_check LIMIT 1');
  if (verdict !== 'ok') return failure('corrupt', `${path}: ${String(verdict)}`);
  rmSync(suspectMark(path), { force: true });
  return undefined;
}
