import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { damagedStores, describeTarget, type OpenOptions, openStore, refusalOf, type Store } from '../src/index.ts';
import { openSql } from '../src/sqlite/database/driver.ts';
import { loadSqlite } from '../src/sqlite/database/driver-loader.ts';
import { mountOf, nameIn, networkName } from '../src/sqlite/database/file-system.ts';
import { MIGRATIONS, migrate, versionOf } from '../src/sqlite/migrate.ts';
import { event, stampOf } from './records.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-store-'));
  path = join(directory, 'piton.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function opened(options: OpenOptions = {}): Promise<Store> {
  const result = await openStore({ kind: 'sqlite', file: path }, options);
  if (!result.ok) throw new Error(result.error);
  return result.store;
}
const raw = async (sql: string): Promise<unknown> => {
  const database = openSql(await loadSqlite(), path, false);
  try {
    return database.all(sql);
  } finally {
    database.close();
  }
};
const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Under another name a file is free of what this process still holds of it. */
function asIfByAnotherProcess(...more: string[]): void {
  const moved = join(directory, `moved-${readdirSync(directory).length}.db`);
  for (const suffix of ['', ...more]) copyFileSync(path + suffix, moved + suffix);
  path = moved;
}

describe('opening a store', () => {
  it('leaves everything in one file after close', async () => {
    const store = await opened();
    await store.record([event(1)]);
    await store.events({});
    await store.close();
    copyFileSync(path, join(directory, 'copy.db'));
    path = join(directory, 'copy.db');
    const copy = await opened();
    expect(await copy.event(stampOf(1))).toMatchObject({ found: 'one' });
    await copy.close();
  });

  it('finds again what was recorded', async () => {
    const first = await opened();
    await first.record([event(1)]);
    await first.close();
    const second = await opened();
    expect(await second.event(stampOf(1))).toMatchObject({ found: 'one' });
    await second.close();
  });

  it('uses a write-ahead log with the measured settings', async () => {
    await (await opened()).close();
    expect(await raw('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await raw('PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }]);
  });

  it('leaves a newer store unchanged, byte for byte', async () => {
    await (await opened()).close();
    await raw('PRAGMA user_version = 99');
    const before = hash(path);
    const result = await openStore({ kind: 'sqlite', file: path });
    expect(result).toMatchObject({ ok: false, problem: 'newer' });
    expect(!result.ok && result.error).toContain('version 99');
    expect(hash(path)).toBe(before);
    expect(readdirSync(directory).filter((name) => name.includes('corrupt'))).toEqual([]);
    expect(await openStore({ kind: 'sqlite', file: path }, { readonly: true })).toMatchObject({ ok: false, problem: 'newer' });
    expect(hash(path)).toBe(before);
  });

  it.each([
    ['something else altogether', () => writeFileSync(path, 'this is no database. '.repeat(500))],
    ['cut short', () => truncateSync(path, 9000)],
    ['full of noise', () => writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 100), Buffer.alloc(50_000, 0x5a)]))],
  ])('sets a file aside that is %s, and begins anew', async (_what, spoil) => {
    const store = await opened();
    for (let n = 1; n <= 50; n++) await store.record([event(n)]);
    await store.close();
    asIfByAnotherProcess();
    spoil();
    const before = hash(path);
    const result = await openStore({ kind: 'sqlite', file: path }, { nowUs: () => Date.UTC(2026, 1, 3, 4, 5, 6) * 1000 });
    expect(result).toMatchObject({ ok: true, movedTo: `${path}.corrupt-2026-02-03T04-05-06-000Z` });
    if (!result.ok) return;
    expect(hash(result.movedTo as string)).toBe(before);
    expect(damagedStores({ kind: 'sqlite', file: path })).toContain(result.movedTo);
    expect(await result.store.stats()).toMatchObject({ events: 0 });
    expect(await result.store.record([event(1)])).toMatchObject({ ok: true });
    await result.store.close();
  });

  it('moves a store away after a broken page was found in it', async () => {
    const store = await opened();
    for (let n = 1; n <= 300; n++) await store.record([event(n, { payload: { text: 'x'.repeat(3000) } })]);
    await store.close();
    asIfByAnotherProcess();
    const bytes = readFileSync(path);
    // Pages in the middle: neither the head nor the last events, which opening looks at.
    bytes.fill(0x5a, 4096 * 100, 4096 * 160);
    writeFileSync(path, bytes);
    const broken = await opened();
    await expect(broken.events({ limit: 1000 })).rejects.toThrow();
    await broken.close();
    expect(existsSync(`${path}.suspect`)).toBe(true);
    if (existsSync(`${path}-wal`)) {
      expect(await openStore({ kind: 'sqlite', file: path })).toMatchObject({
        ok: false,
        problem: 'corrupt',
        error: expect.stringContaining('restart it'),
      });
      asIfByAnotherProcess('.suspect');
    }
    const fresh = await openStore({ kind: 'sqlite', file: path });
    expect(fresh).toMatchObject({ ok: true, movedTo: expect.stringContaining('.corrupt-') });
    expect(existsSync(`${path}.suspect`)).toBe(false);
    if (fresh.ok) await fresh.store.close();
  });

  it('removes the mark if the store is intact', async () => {
    await (await opened()).close();
    writeFileSync(`${path}.suspect`, '');
    const result = await openStore({ kind: 'sqlite', file: path });
    expect(result.ok && 'movedTo' in result).toBe(false);
    expect(existsSync(`${path}.suspect`)).toBe(false);
    if (result.ok) await result.store.close();
  });

  it('treats an empty file as a new store', async () => {
    writeFileSync(path, '');
    expect(await (await opened()).stats()).toMatchObject({ events: 0 });
  });

  it('refuses a network file system by name, before it touches anything', async () => {
    const result = await openStore(
      { kind: 'sqlite', file: join(directory, 'new', 'piton.db') },
      { mountOf: () => ({ type: 0x6969, name: null }) },
    );
    expect(result).toMatchObject({ ok: false, problem: 'network' });
    expect(!result.ok && result.error).toContain('NFS');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('fails with no-engine if there is no SQLite', async () => {
    expect(
      await openStore({ kind: 'sqlite', file: path }, { loadSqlite: () => Promise.reject(new Error('no such module')) }),
    ).toMatchObject({
      ok: false,
      problem: 'no-engine',
    });
  });

  it('read-only waits for a running migration', async () => {
    writeFileSync(path, '');
    const reading = openStore({ kind: 'sqlite', file: path }, { readonly: true });
    const writing = await openStore({ kind: 'sqlite', file: path });
    const read = await reading;
    expect([writing, read]).toMatchObject([{ ok: true }, { ok: true }]);
    for (const opened of [writing, read]) if (opened.ok) await opened.store.close();
  });

  it('does not create one if it must exist', async () => {
    const target = { kind: 'sqlite', file: path } as const;
    expect(await openStore(target, { existing: true })).toMatchObject({ ok: false, problem: 'missing' });
    expect(readdirSync(directory)).toEqual([]);
    await (await opened()).close();
    const again = await openStore(target, { existing: true });
    if (!again.ok) throw new Error(again.error);
    expect(await again.store.record([event(1)])).toMatchObject({ ok: true });
    await again.store.close();
    expect(describeTarget(target)).toBe(path);
  });

  it('read-only creates, moves and migrates nothing', async () => {
    expect(await openStore({ kind: 'sqlite', file: path }, { readonly: true })).toMatchObject({ ok: false, problem: 'missing' });
    expect(readdirSync(directory)).toEqual([]);
    writeFileSync(path, '');
    expect(await openStore({ kind: 'sqlite', file: path }, { readonly: true })).toMatchObject({ ok: false, problem: 'older' });
    writeFileSync(path, 'this is no database. '.repeat(500));
    expect(await openStore({ kind: 'sqlite', file: path }, { readonly: true })).toMatchObject({ ok: false, problem: 'corrupt' });
    expect(readdirSync(directory)).toEqual(['piton.db']);
  });
});

describe('events in the database', () => {
  it.each([
    ['DELETE FROM events', 'deleted'],
    [`UPDATE events SET prompt = 'forged'`, 'changed'],
    [`UPDATE events SET payload = '{}'`, 'given another body'],
    ['UPDATE events SET payload = NULL', 'robbed of a body without saying so'],
    ['UPDATE events SET late = 1', 'made late'],
    [`UPDATE events SET late = 0, event_id = 'X' WHERE late = 1`, 'renamed while superseded'],
    [
      `UPDATE events SET expired_us = 1, text = NULL, payload = NULL, payload_body = NULL, outcome = NULL, outcome_body = NULL, prompt = 'x'`,
      'changed while a body is dropped',
    ],
  ])('cannot be touched by: %s (%s)', async (sql) => {
    const store = await opened();
    await store.record([event(1, { prompt: 'true' }), event(2, { late: true })]);
    await store.close();
    await expect(raw(sql)).rejects.toThrow('append-only');
  });
});

describe('migrations', () => {
  it('run in order, each once, and save their version', async () => {
    const database = openSql(await loadSqlite(), path, false);
    const steps: string[] = [];
    const two = [
      { name: 'one', statements: ['CREATE TABLE a (x)', 'INSERT INTO a VALUES (1)'] },
      { name: 'two', statements: ['INSERT INTO a VALUES (2)', 'INSERT INTO a VALUES (3)'] },
    ];
    migrate(database, two.slice(0, 1), (name) => steps.push(name));
    expect(versionOf(database)).toBe(1);
    migrate(database, two, (name) => steps.push(name));
    migrate(database, two, (name) => steps.push(name));
    expect(steps).toEqual(['one', 'two']);
    expect(database.all('SELECT x FROM a').map(({ x }) => x)).toEqual([1, 2, 3]);
    expect(versionOf(database)).toBe(2);
    database.close();
  });

  it('leave the previous version if a step fails', async () => {
    const database = openSql(await loadSqlite(), path, false);
    const bad = [{ name: 'bad', statements: ['CREATE TABLE a (x)', 'CREATE NONSENSE'] }];
    expect(() => migrate(database, bad)).toThrow();
    expect(versionOf(database)).toBe(0);
    expect(database.all('SELECT name FROM sqlite_schema')).toEqual([]);
    database.close();
  });

  it('are as many as the schema’s version', async () => {
    expect(await (await opened()).stats()).toMatchObject({ schemaVersion: MIGRATIONS.length });
  });
});

describe('a newer store', () => {
  /** What a Piton with one migration more would leave. */
  const upgrade = (keepsReaders: boolean): Promise<void> => raceAhead([...MIGRATIONS, { ...EMPTY, keepsReaders }]);
  const raceAhead = async (migrations: typeof MIGRATIONS): Promise<void> => {
    const database = openSql(await loadSqlite(), path, false);
    migrate(database, migrations);
    database.close();
  };
  const EMPTY = { name: 'next', statements: ['CREATE TABLE next (x)'] };
  const target = () => ({ kind: 'sqlite' as const, file: path });

  it('that names this version as a reader is read and written, and stays what it is', async () => {
    await (await opened()).close();
    await upgrade(true);
    expect(await refusalOf(target())).toBeUndefined();
    const store = await opened();
    expect(await store.record([event(1)])).toMatchObject({ ok: true, events: [{ did: 'inserted' }] });
    expect(await store.stats()).toMatchObject({ schemaVersion: MIGRATIONS.length + 1 });
    await store.close();
    const reader = await opened({ readonly: true });
    expect(await reader.event(stampOf(1))).toMatchObject({ found: 'one' });
    await reader.close();
  });

  it('that does not name it is refused, and asking changes nothing', async () => {
    await (await opened()).close();
    await upgrade(false);
    const before = hash(path);
    expect(await refusalOf(target())).toMatchObject({ ok: false, problem: 'newer' });
    expect(await openStore(target())).toMatchObject({ ok: false, problem: 'newer' });
    expect(hash(path)).toBe(before);
  });

  it('that became one while it was open takes nothing more from this version, and nothing is rejected', async () => {
    const store = await opened();
    await store.record([event(1)]);
    await upgrade(true);
    expect(await store.record([event(2)])).toMatchObject({ ok: true, events: [{ did: 'inserted' }] });
    await raceAhead([...MIGRATIONS, EMPTY, { name: 'another', statements: ['CREATE TABLE another (x)'] }]);
    expect(await store.record([event(3)])).toMatchObject({ ok: false, problem: 'newer' });
    expect((await store.events({})).map(({ eventId }) => eventId).sort()).toEqual([stampOf(1), stampOf(2)]);
    await store.close();
  });

  it('there is none where nothing was recorded yet, and none is made by asking', async () => {
    expect(await refusalOf(target())).toBeUndefined();
    expect(existsSync(path)).toBe(false);
  });
});

describe('a file system', () => {
  it.each([
    [{ type: 0x6969, name: null }, 'NFS'],
    [{ type: 0xff534d42, name: null }, 'CIFS'],
    [{ type: 0xff534d42 - 2 ** 32, name: null }, 'CIFS'],
    [{ type: 0x517b, name: null }, 'SMB'],
    [{ type: 0xfe534d42, name: null }, 'SMB2'],
    [{ type: 0x65735546, name: 'fuse.sshfs' }, 'fuse.sshfs'],
    [{ type: 0x65735546, name: 'fuse.gocryptfs' }, undefined],
    [{ type: 0x65735546, name: null }, undefined],
    [{ type: 0xef53, name: null }, undefined],
    [{ type: 0x01021994, name: null }, undefined],
  ])('%j is a network’s: %s', (mount, name) => {
    expect(networkName(mount)).toBe(name);
  });

  it('is the nearest mount above, the last of equal ones', () => {
    const table = [
      '22 1 8:1 / / rw - ext4 /dev/sda1 rw',
      '30 22 0:40 / /home/me rw - fuse.gocryptfs x rw',
      '31 22 0:41 / /home/me/my\\040disk rw,nosuid shared:1 - fuse.sshfs host: rw',
      '32 22 0:42 / /home/m rw - nfs x rw',
      '33 22 0:43 / /over rw - ext4 x rw',
      '34 22 0:44 / /over rw - tmpfs x rw',
    ].join('\n');
    expect(nameIn(table, '/home/me/my disk/piton')).toBe('fuse.sshfs');
    expect(nameIn(table, '/home/me/x')).toBe('fuse.gocryptfs');
    expect(nameIn(table, '/etc')).toBe('ext4');
    expect(nameIn(table, '/over/x')).toBe('tmpfs');
  });

  it.runIf(process.platform === 'linux')('is found for a directory that is still to be made', () => {
    expect(mountOf(join(directory, 'not', 'yet'))).toEqual(mountOf(directory));
    expect(mountOf(directory)?.type).toBeGreaterThan(0);
  });
});
