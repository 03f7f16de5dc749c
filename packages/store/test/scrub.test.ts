import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { openSql } from '../src/sqlite/database/driver.ts';
import { loadSqlite } from '../src/sqlite/database/driver-loader.ts';
import { event, redactor } from './records.ts';

const WORD = 'xyzzyplugh';

let directory: string;
let file: string;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'piton-store-'));
  file = join(directory, 'piton.db');
  const opened = await openStore({ kind: 'sqlite', file });
  if (!opened.ok) throw new Error(opened.error);
  store = opened.store;
  await store.record([event(1, { prompt: WORD })]);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const onDisk = (): boolean => [file, `${file}-wal`].some((name) => readFileSync(name, 'latin1').includes(WORD));

it('says so while a reader keeps what was overwritten in the log, and empties it once nobody does', async () => {
  const reader = openSql(await loadSqlite(), file, true);
  reader.exec('BEGIN');
  expect(reader.get('SELECT count(*) AS n FROM events')).toEqual({ n: 1 });

  const [stored] = await store.bodies({ of: 'event', afterSeq: 0, limit: 10 });
  const body = redactor.value(JSON.parse(JSON.stringify(stored?.body).replaceAll(WORD, '[gone]')));
  expect(await store.rewriteBodies([{ of: 'event', seq: stored?.seq ?? 0, body, redaction: 'new' } as never])).toMatchObject({ ok: true });
  expect(await store.scrub()).toMatchObject({ ok: false, problem: 'busy' });
  expect(onDisk()).toBe(true);

  reader.exec('COMMIT');
  reader.close();
  expect(await store.scrub()).toMatchObject({ ok: true });
  expect(onDisk()).toBe(false);
});
