import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../src/index.ts';
import { openSql } from '../src/sqlite/database/driver.ts';
import { loadSqlite } from '../src/sqlite/database/driver-loader.ts';
import { MIGRATIONS } from '../src/sqlite/migrate.ts';
import { everythingIn, follower } from './follower.ts';
import { DENIED, event, stampOf } from './records.ts';

/** A store of each released version, as that version wrote it. `PITON_WRITE_SAMPLE=1` writes the one of today, once. */
const sampleOf = (version: number): string => join(import.meta.dirname, 'samples', `schema-${version}.db.gz`);

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-sample-'));
  path = join(directory, 'piton.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const versions = Array.from({ length: MIGRATIONS.length }, (_, at) => at + 1);

const writing = process.env.PITON_WRITE_SAMPLE === '1' && !existsSync(sampleOf(MIGRATIONS.length));
if (writing) it('writes the sample of today', writeSample);

async function writeSample(): Promise<void> {
  const opened = await openStore({ kind: 'sqlite', file: path });
  if (!opened.ok) throw new Error(opened.error);
  await opened.store.record([
    event(1, { event: 'session_start', source: 'startup' }),
    event(2, { event: 'user_prompt_submit', prompt: 'climb the wall' }),
    event(3, { event: 'pre_tool_use', tool: { command: 'rm -rf /', files: ['/x'] }, outcome: DENIED }),
    event(4, { event: 'stop', payload: { text: 'long '.repeat(20_000) } }),
    event(5, { event: 'notification', late: true }),
  ]);
  await opened.store.indexPending(3);
  await opened.store.close();
  writeFileSync(sampleOf(MIGRATIONS.length), gzipSync(readFileSync(path), { level: 9 }));
}

describe.each(versions)('a store that version %i wrote', (version) => {
  beforeEach(() => writeFileSync(path, gunzipSync(readFileSync(sampleOf(version))), { mode: 0o600 }));

  it('is migrated, and can be read, searched and written', async () => {
    const opened = await openStore({ kind: 'sqlite', file: path });
    expect(opened).toMatchObject({ ok: true });
    if (!opened.ok) return;
    const { store } = opened;
    expect(await store.stats()).toMatchObject({
      schemaVersion: MIGRATIONS.length,
      events: 5,
      lateEvents: 1,
      sessions: 1,
      bodies: 1,
      // Since version 8 search finds more, and all events are indexed again.
      unindexed: version < 8 ? 5 : 2,
    });
    expect(await store.session('ref-1')).toMatchObject({
      found: 'one',
      value: { turns: 1, denials: 1, turnList: [{ prompt: 'climb the wall', closed: 'stop' }] },
    });
    expect(await store.event(stampOf(3))).toMatchObject({ found: 'one', value: { outcome: DENIED, tool: { command: 'rm -rf /' } } });
    expect(await store.event(stampOf(4))).toMatchObject({
      found: 'one',
      value: { envelope: { payload: { text: 'long '.repeat(20_000) } } },
    });
    const reader = follower(store);
    await reader.catchUp();
    expect(reader.held).toEqual(await everythingIn(store));
    expect((await store.search('wall')).map(({ event: hit }) => hit?.eventId)).toEqual([stampOf(2)]);
    expect(await store.record([event(5), event(6)])).toMatchObject({ ok: true, events: [{ did: 'superseded' }, { did: 'inserted' }] });
    await reader.catchUp();
    expect(reader.held).toEqual(await everythingIn(store));
    await store.close();
  });
});

// What listings ask for came with version 13. A larger number here is a migration that makes a newer command blind until `init`.
it.each(versions.slice(11))(
  'a store of version %i is read as it is from 13 on, an older one says that a server upgrades it',
  async (version) => {
    writeFileSync(path, gunzipSync(readFileSync(sampleOf(version))), { mode: 0o600 });
    const opened = await openStore({ kind: 'sqlite', file: path }, { readonly: true });
    if (version < 13) return expect(opened).toMatchObject({ ok: false, problem: 'older' });
    if (!opened.ok) throw new Error(opened.error);
    const { store } = opened;
    expect(await store.session('ref-1')).toMatchObject({ found: 'one', value: { turns: 1, denials: 1 } });
    const { id } = (await store.sessions({}))[0] as { id: string };
    expect(await store.transcriptHeads(id)).toEqual([]);
    expect((await store.search('wall')).map(({ event: hit }) => hit?.eventId)).toEqual([stampOf(2)]);
    await store.close();
  },
);

it('the newest sample has the current schema: a released migration is never edited', async () => {
  writeFileSync(path, gunzipSync(readFileSync(sampleOf(MIGRATIONS.length))), { mode: 0o600 });
  const fresh = await openStore({ kind: 'sqlite', file: join(directory, 'fresh.db') });
  if (fresh.ok) await fresh.store.close();
  const sqlite = await loadSqlite();
  const schema = (file: string) => {
    const database = openSql(sqlite, file, false);
    const rows = database
      .all(`SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`)
      .map(({ name, sql }) => [name, sql]);
    database.close();
    return rows;
  };
  expect(schema(path)).toEqual(schema(join(directory, 'fresh.db')));
});
