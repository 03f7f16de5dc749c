import { createRequire } from 'node:module';

interface Database {
  prepare(sql: string): { all(...values: unknown[]): Record<string, unknown>[] };
  exec(sql: string): void;
  close(): void;
}
type Sqlite = { DatabaseSync: new (path: string, options: { readOnly: boolean }) => Database };

/** Reads the store's file with separate SQL: a test must not ask the code under test what it stored. */
export function selectAll(path: string, sql: string, ...values: unknown[]): Record<string, unknown>[] {
  const database = new (sqlite().DatabaseSync)(path, { readOnly: true });
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}

/** Changes the store's file as another program would. */
export function execute(path: string, sql: string): void {
  const database = new (sqlite().DatabaseSync)(path, { readOnly: false });
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** Holds the store's write lock, as another program might. The result releases it. */
export function lockDatabase(path: string): () => void {
  const database = new (sqlite().DatabaseSync)(path, { readOnly: false });
  database.exec('BEGIN IMMEDIATE');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

function sqlite(): Sqlite {
  const builtin = process.getBuiltinModule('node:sqlite') as unknown as Sqlite | undefined;
  return builtin ?? (createRequire(import.meta.url)('@photostructure/sqlite') as Sqlite);
}
