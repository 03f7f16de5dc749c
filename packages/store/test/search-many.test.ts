import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../src/index.ts';
import { openSql, type Sql } from '../src/sqlite/database/driver.ts';
import { loadSqlite } from '../src/sqlite/database/driver-loader.ts';
import type { Limits } from '../src/sqlite/search/filters.ts';
import { search } from '../src/sqlite/search/search.ts';
import { FACTS, factEvent, wrongAnswers } from './suite/search-facts.ts';

/** A store of a hundred thousand is searched in other ways than a small one. Here the same ways begin at less. */
const LIMITS: readonly [string, Limits][] = [
  ['few is nothing', { few: 0, some: 30, many: 100_000 }],
  ['many is little', { few: 5, some: 30, many: 20 }],
  ['many is what most filters leave', { few: 100, some: 30, many: 900 }],
  ['all is many', { few: 0, some: 1, many: 1 }],
];

let directory: string;
let sql: Sql;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'piton-search-'));
  const file = join(directory, 'piton.db');
  const opened = await openStore({ kind: 'sqlite', file });
  if (!opened.ok) throw new Error(opened.error);
  await opened.store.record(FACTS.map(factEvent));
  while ((await opened.store.indexPending(5000)).left > 0);
  await opened.store.close();
  sql = openSql(await loadSqlite(), file, true);
});
afterAll(() => {
  sql.close();
  rmSync(directory, { recursive: true, force: true });
});

it.each(LIMITS)('finds what was recorded where %s', async (_, limits) => {
  expect(await wrongAnswers((text, query) => search(sql, text, query, limits))).toEqual([]);
});
