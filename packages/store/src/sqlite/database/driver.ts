/** The part of `node:sqlite` that the store uses; `@photostructure/sqlite` has the same API. */
export type SqlValue = string | number | bigint | null | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;
interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  function(name: string, callback: (value: SqlValue) => SqlValue): void;
  close(): void;
}
export interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: { readOnly: boolean }) => Database;
}

/** An open database with its prepared statements, by their text. */
export interface Sql {
  exec(sql: string): void;
  run(sql: string, ...values: SqlValue[]): { readonly changes: number; readonly rowid: number };
  get(sql: string, ...values: SqlValue[]): Row | undefined;
  all(sql: string, ...values: SqlValue[]): Row[];
  /** The single value of a query, without a prepared statement that would outlive a failed open (see `close`). */
  value(query: string): SqlValue;
  /** All or nothing. Takes the write lock at once, so what is read inside cannot change before the commit. */
  transaction<T>(work: () => T): T;
  /** Called at the beginning of each transaction, which an error ends. */
  beforeEach(check: () => void): void;
  close(): void;
}

/** A NUL ends a text for SQLite's search and functions, and PostgreSQL rejects it. */
const storable = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;

export function openSql(sqlite: SqliteModule, path: string, readOnly: boolean): Sql {
  const db = new sqlite.DatabaseSync(path, { readOnly });
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const exec = (sql: string): void => db.exec(sql);
  let answer: SqlValue = null;
  let check = (): void => {};
  db.function('piton_answer', (value) => {
    answer = value;
    return null;
  });
  return {
    exec,
    run(sql, ...values) {
      const { changes, lastInsertRowid } = prepare(sql).run(...values.map(storable));
      return { changes: Number(changes), rowid: Number(lastInsertRowid) };
    },
    get: (sql, ...values) => prepare(sql).get(...values.map(storable)) as Row | undefined,
    all: (sql, ...values) => prepare(sql).all(...values.map(storable)) as Row[],
    value(query) {
      answer = null;
      exec(`SELECT piton_answer((${query}))`);
      return answer;
    },
    transaction(work) {
      exec('BEGIN IMMEDIATE');
      try {
        check();
        const result = work();
        exec('COMMIT');
        return result;
      } catch (error) {
        rollBack(exec);
        throw error;
      }
    },
    beforeEach(next) {
      check = next;
    },
    close() {
      // The native module of Node 20 cannot finalize a statement: until it is garbage-collected, the connection stays
      // open and its log stays next to the file. So the log is emptied here, and `store-file.ts` never moves such a
      // file. These closures keep `db` alive: the module crashes if it is collected first.
      statements.clear();
      db.close();
    },
  };
}

function rollBack(exec: (sql: string) => void): void {
  try {
    exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back (disk full, I/O error). The first error is the one to report.
  }
}
