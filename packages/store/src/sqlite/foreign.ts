import { openSql } from './driver.ts';
import { loadSqlite } from './driver-loader.ts';

const BUSY_MS = 1000;

/** One question to a database that is somebody else's: nothing in it is changed, and whoever writes in it is not kept waiting. */
export async function askForeign(path: string, question: string, ...values: string[]): Promise<string[]> {
  const sql = openSql(await loadSqlite(), path, true);
  try {
    sql.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return sql.all(question, ...values).flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
  } finally {
    sql.close();
  }
}
