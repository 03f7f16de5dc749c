import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { MIGRATIONS } from '../src/sqlite/migrate.ts';
import { buildChild, ownMounts, run } from './child.ts';
import { everythingIn, follower } from './follower.ts';
import { event, stampOf } from './records.ts';

let child: string;
let directory: string;
let path: string;
beforeAll(async () => {
  child = await buildChild();
});
afterAll(() => rmSync(dirname(child), { recursive: true, force: true }));
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-store-'));
  path = join(directory, 'piton.db');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const node = (...args: string[]) => run(process.execPath, [child, ...args]);
async function opened(options = {}): Promise<Store> {
  const result = await openStore({ kind: 'sqlite', file: path }, options);
  if (!result.ok) throw new Error(result.error);
  return result.store;
}

describe('a store and other processes', () => {
  it('is whole after its first migration was killed in the middle', async () => {
    const stuck = node('stuck-migration', path);
    expect(await stuck.firstLine).toEqual({ inside: '001-first' });
    stuck.process.kill('SIGKILL');
    await stuck.ended;
    const reopened = await openStore({ kind: 'sqlite', file: path });
    expect(reopened).toMatchObject({ ok: true });
    expect('movedTo' in reopened).toBe(false);
    if (!reopened.ok) return;
    expect(await reopened.store.record([event(1)])).toMatchObject({ ok: true, events: [{ did: 'inserted' }] });
    expect(await reopened.store.stats()).toMatchObject({ schemaVersion: MIGRATIONS.length, events: 1 });
    await reopened.store.close();
  });

  it('stores everything of two concurrent writers in one session, each event once', async () => {
    const writers = [node('write', path, '1000', '400', 'shared'), node('write', path, '2000', '400', 'shared')];
    for (const { ended } of writers) expect(await ended).toMatchObject({ lines: [{ wrote: 400 }, { closed: true }], stderr: '', code: 0 });
    const store = await opened();
    const all = await store.events({ limit: 5000 });
    expect(new Set(all.map(({ eventId }) => eventId)).size).toBe(800);
    expect(all).toHaveLength(800);
    expect(await store.session('shared')).toMatchObject({ found: 'one', value: { events: 800, tools: 800 } });
    await store.close();
  });

  it('keeps what was written before a writer was killed', async () => {
    const writer = node('write', path, '1', '1000000', 'killed');
    const store = await opened();
    while ((await store.stats()).events < 200) await new Promise((resolve) => setTimeout(resolve, 20));
    writer.process.kill('SIGKILL');
    await writer.ended;
    const { events } = await store.stats();
    // Batches of ten: one is there whole or not at all.
    expect(events % 10).toBe(0);
    expect(await store.session('killed')).toMatchObject({ found: 'one', value: { events, tools: events } });
    await store.close();
  });

  it('shows a reader every change of two writers while they write', async () => {
    await (await opened()).close();
    const writers = [node('change', path, '1000', '150', 'shared'), node('change', path, '2000', '150', 'shared')];
    const store = await opened({ readonly: true });
    const reader = follower(store);
    while (writers.some((writer) => writer.process.exitCode === null)) {
      await reader.step(1 + (reader.at() % 13));
      await new Promise((resolve) => setTimeout(resolve, reader.at() % 3));
    }
    for (const { ended } of writers) expect(await ended).toMatchObject({ lines: [{ wrote: 150 }, { closed: true }], stderr: '' });
    await reader.catchUp();
    expect(reader.held).toEqual(await everythingIn(store));
    expect(reader.held.size).toBe(301);
    await store.close();
  });

  it('neither loses a change nor reuses a number when a writer is killed', async () => {
    const store = await opened();
    const reader = follower(store);
    for (const round of [1, 2, 3]) {
      const writer = node('change', path, String(round * 100_000), '1000000', `round-${round}`);
      const enough = reader.held.size + 60;
      while (reader.held.size < enough) await reader.step(7);
      writer.process.kill('SIGKILL');
      await writer.ended;
      await reader.catchUp();
      const { seq } = await store.lastChange();
      expect(reader.at()).toBe(seq);
      expect(reader.held).toEqual(await everythingIn(store));
      await store.record([event(round, { session: '' })]);
      expect((await store.changesSince(seq, 10)).map(({ id }) => id)).toEqual([stampOf(round)]);
    }
    await store.close();
  });

  it('can be read, and only read, while another process writes', async () => {
    await (await opened()).close();
    const writer = node('write', path, '1', '2000', 'busy');
    const reader = await opened({ readonly: true });
    let seen = 0;
    do {
      const { events } = await reader.stats();
      expect(events).toBeGreaterThanOrEqual(seen);
      seen = events;
      await new Promise((resolve) => setTimeout(resolve, 5));
    } while (writer.process.exitCode === null);
    await writer.ended;
    expect((await reader.stats()).events).toBe(2000);
    expect(await reader.record([event(9999)])).toMatchObject({ ok: false, problem: 'unwritable' });
    expect(await reader.event(stampOf(9999))).toEqual({ found: 'none' });
    await reader.close();
  });
});

const mounts = ownMounts();
describe.skipIf(mounts === null)(`a store on a full disk${mounts === null ? ' (SKIPPED: no mount namespace can be had here)' : ''}`, () => {
  it('reports a full disk, loses nothing that it stored, and continues when there is space', async () => {
    const disk = join(directory, 'disk');
    const script = `mount -t tmpfs -o size=1536k none "$1" && dd if=/dev/zero of="$1/ballast" bs=1k count=300 2>/dev/null && exec "$2" "$3" fill "$1/piton.db" "$1/ballast"`;
    const { lines, stderr, code } = await run('unshare', [
      ...(mounts ?? []),
      'sh',
      '-c',
      `mkdir -p "$1" && ${script}`,
      'sh',
      disk,
      process.execPath,
      child,
    ]).ended;
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const [full, kept, again, found] = lines;
    expect(full).toMatchObject({ ok: false, problem: 'full' });
    expect(kept?.kept).toBe((kept?.tried as number) - 1);
    expect(kept?.kept).toBeGreaterThan(0);
    expect(again).toEqual({ again: true });
    expect(found).toEqual({ found: 'one', first: 'one' });
  });
});

const root = process.getuid?.() === 0;
/** As root these tests run Node as another user, who cannot pass a private home: `npm test -- --node 22` has its Node there. */
const parents = (path: string): string[] => (dirname(path) === path ? [path] : [path, ...parents(dirname(path))]);
const nobodyRunsNode = !root || parents(process.execPath).every((path) => (statSync(path).mode & 0o001) !== 0);
describe('a store and permissions', () => {
  const NOBODY = 65534;

  it('is readable by its owner only, whatever the umask, and so are its logs', async () => {
    const umask = process.umask(0);
    try {
      path = join(directory, 'made', 'piton.db');
      const store = await opened();
      await store.record([event(1)]);
      const modes = Object.fromEntries(
        readdirSync(dirname(path)).map((name) => [name, (statSync(join(dirname(path), name)).mode & 0o777).toString(8)]),
      );
      expect(modes).toEqual({ 'piton.db': '600', 'piton.db-wal': '600', 'piton.db-shm': '600' });
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
      await store.close();
    } finally {
      process.umask(umask);
    }
  });

  it('gets its permissions back if somebody changed them', async () => {
    await (await opened()).close();
    chmodSync(path, 0o644);
    await (await opened()).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.skipIf(!nobodyRunsNode)('is unwritable in an unwritable directory (skipped where Node lies in a private directory)', async () => {
    mkdirSync(join(directory, 'closed'));
    chmodSync(join(directory, 'closed'), 0o555);
    chmodSync(directory, 0o755);
    path = join(directory, 'closed', 'piton.db');
    // For root no directory is closed: it takes another user to see one.
    const { lines } = await run(process.execPath, [child, 'write', path, '1', '10', 'x'], root ? { uid: NOBODY, gid: NOBODY } : {}).ended;
    expect(lines).toMatchObject([{ ok: false, problem: 'unwritable' }]);
    expect(existsSync(path)).toBe(false);
  });

  it.skipIf(!root || !nobodyRunsNode)(
    'is neither read nor taken over when it is another user’s (skipped unless root, and where Node lies in a private directory)',
    async () => {
      await (await opened()).close();
      chmodSync(directory, 0o777);
      const { lines } = await run(process.execPath, [child, 'write', path, '1', '10', 'x'], { uid: NOBODY, gid: NOBODY }).ended;
      expect(lines).toMatchObject([{ ok: false, problem: 'foreign' }]);
      const reading = await run(process.execPath, [child, 'read', path], { uid: NOBODY, gid: NOBODY }).ended;
      expect(reading.lines).toMatchObject([{ ok: false, problem: 'unwritable' }]);
      chownSync(path, NOBODY, NOBODY);
      expect(await openStore({ kind: 'sqlite', file: path })).toMatchObject({ ok: false, problem: 'foreign' });
    },
  );
});
