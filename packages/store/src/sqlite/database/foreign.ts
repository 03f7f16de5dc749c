import { openSql } from './driver.ts';
import { loadSqlite } from './driver-loader.ts';

const BUSY_MS = 1000;

/** Queries a database of another program. Changes nothing, and does not block its writer. */
export async function queryForeignDatabase(path: string, query: string, ...values: string[]): Promise<string[]> {
  const sql = openSql(await loadSqlite(), path, true);
  try {
    sql.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return sql.all(query, ...values).flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
  } finally {
    sql.close();
  }
}
