import type { Sql, SqlValue } from '../database/driver.ts';

/** All below a directory, in the order of bytes: `0` comes after `/`. */
export interface Place {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

export function placeOf(path: string): Place {
  const bare = path.replace(/\/+$/, '');
  return { path: bare === '' ? '/' : bare, from: `${bare}/`, to: `${bare}0` };
}

/** At or below: of a row `e` with `repo` and `project_path`. */
export const IN_PLACE = '(e.repo = ? OR e.project_path = ? OR (e.project_path >= ? AND e.project_path < ?))';
export const placeValues = ({ path, from, to }: Place): readonly SqlValue[] => [path, path, from, to];

/**
 * The numbers of the events there, and of few others: each is at the root of a repository that is there, or in the index of those that
 * are at no root.
 */
export const eventsIn = ({ path, from, to }: Place): { readonly text: string; readonly values: readonly SqlValue[] } => ({
  text: `SELECT seq FROM events WHERE repo = ? UNION ALL SELECT seq FROM events WHERE repo >= ? AND repo < ?
    UNION ALL SELECT seq FROM events WHERE project_path IS NOT repo AND project_path = ?
    UNION ALL SELECT seq FROM events WHERE project_path IS NOT repo AND project_path >= ? AND project_path < ?`,
  values: [path, from, to, path, from, to],
});

/** In how many directories of a repository is looked, at most. */
const MOST_DIRECTORIES = 64;
const IN_DIRECTORIES = 'SELECT project_path, repo FROM events WHERE project_path IS NOT repo AND';

/** Are the events there those of one repository, and of nothing in it? Then an index says whose each is. */
export function isOneRepository(sql: Sql, { path, from, to }: Place): boolean {
  const has = (text: string, ...values: SqlValue[]): boolean => sql.get(`${text} LIMIT 1`, ...values) !== undefined;
  if (!has('SELECT 1 FROM events WHERE repo = ?', path)) return false;
  if (has('SELECT 1 FROM events WHERE repo >= ? AND repo < ?', from, to)) return false;
  if (has(`${IN_DIRECTORIES} project_path = ?`, path)) return false;
  let next = sql.get(`${IN_DIRECTORIES} project_path >= ? AND project_path < ? ORDER BY project_path, repo LIMIT 1`, from, to);
  for (let n = 0; next !== undefined; n++) {
    const directory = next.project_path as string;
    // NULL comes first.
    if (n === MOST_DIRECTORIES || next.repo !== path) return false;
    if (has(`${IN_DIRECTORIES} project_path = ? AND repo > ?`, directory, path)) return false;
    next = sql.get(`${IN_DIRECTORIES} project_path > ? AND project_path < ? ORDER BY project_path, repo LIMIT 1`, directory, to);
  }
  return true;
}
