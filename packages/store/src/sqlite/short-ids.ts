import type { Sql } from './database/driver.ts';

/** Fewer characters of a ULID are a time that is too coarse: it would be ambiguous a minute later. */
const SHORTEST = 8;

/** Where ids of a kind are. What is looked up together is told apart. */
const COLUMNS = {
  event: [
    ['events', 'event_id'],
    ['own_events', 'id'],
  ],
  session: [['sessions', 'id']],
  observation: [['observations', 'id']],
} as const;

/** Ids are sorted by their index, so only the neighbours of one can share its beginning. */
export function shortIds(sql: Sql, kind: keyof typeof COLUMNS, ids: readonly string[]): string[] {
  return ids.map((id) => {
    const neighbours = COLUMNS[kind].flatMap(([table, column]) => [
      sql.get(`SELECT max(${column}) AS id FROM ${table} WHERE ${column} < ?`, id)?.id,
      sql.get(`SELECT min(${column}) AS id FROM ${table} WHERE ${column} > ?`, id)?.id,
    ]);
    const shared = neighbours.map((other) => (typeof other === 'string' ? sharedLength(id, other) : 0));
    return id.slice(0, Math.max(SHORTEST, ...shared.map((length) => length + 1)));
  });
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
