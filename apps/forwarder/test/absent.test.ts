import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { startScriptedServer } from './scripted-server.ts';
import { forward, silence, until } from './spawned.ts';

const isRoot = process.geteuid?.() === 0;

describe.each(BINARIES)('with no server, $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  let record: string;
  beforeEach(() => {
    home = createForwarderHome(path);
    record = join(home.root, 'node-was-run');
  });
  afterEach(() => home.remove());

  it('keeps the frame in a file of its own that nobody else can read, and starts one', async () => {
    home.setNode(`echo "$@" > '${record}'`);
    const { child, ended } = forward(home, { stdin: '{"kept":1}', args: ['x'] });
    expect(await ended).toEqual(silence);
    expect(readFileSync(record, 'utf8')).toMatch(new RegExp(`${home.places.current}/server.cjs --home ${home.places.home}\n$`));
    const [read] = home.frames();
    if (!read?.ok) throw new Error('no frame');
    expect(read.frame).toMatchObject({ agent: 'claude', args: ['x'], pid: child.pid, resent: false, payload: Buffer.from('{"kept":1}') });
    expect(home.journalNames()).toEqual([`${read.frame.stamp}.${child.pid}.frame`]);
    expect(statSync(join(home.places.journal, home.journalNames()[0] ?? '')).mode & 0o777).toBe(0o600);
    for (const directory of [home.places.journal, home.places.environment]) expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('does not start the next one at once when the first ended before it listened', async () => {
    home.setNode(`echo started >> '${record}'`);
    const backoff = join(home.places.environment, 'backoff');
    const before = Date.now();
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    const said = readFileSync(backoff, 'utf8');
    expect(said).toMatch(/^\d{13} 1 the server ended while starting/);
    expect(Number(said.slice(0, 13))).toBeGreaterThanOrEqual(before + 1000);
    // That second may be over before a machine that is busy has started the next.
    writeFileSync(backoff, said.replace(/^\d+/, String(Date.now() + 60_000)));
    for (let i = 0; i < 2; i++) expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(readFileSync(record, 'utf8')).toBe('started\n');
    expect(home.frames().length).toBe(3);
  });

  it('starts none before the time that the backoff names', async () => {
    home.setNode(`echo started >> '${record}'`);
    home.setBackoff(Date.now() + 30_000);
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(existsSync(record)).toBe(false);
    expect(home.frames().length).toBe(1);
    home.setBackoff(Date.now() - 1);
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(readFileSync(record, 'utf8')).toBe('started\n');
  });

  it('writes the backoff itself when Node cannot be run', async () => {
    home.setNodePath('/nonexistent/node');
    const before = Date.now();
    expect(await forward(home, { stdin: '{}', env: { PATH: '/nonexistent' } }).ended).toEqual(silence);
    const [until_, failures, ...why] = readFileSync(join(home.places.environment, 'backoff'), 'utf8').trim().split(' ');
    expect(Number(until_)).toBeGreaterThan(before);
    expect([failures, why.join(' ')]).toEqual(['1', 'cannot run Node: /nonexistent/node']);
  });

  it('takes node from the PATH when the recorded one is gone', async () => {
    home.setNode(`echo "$0" > '${record}'`);
    mkdirSync(join(home.root, 'bin'));
    writeFileSync(join(home.root, 'bin', 'node'), `#!/bin/sh\necho on the PATH > '${record}'\n`, { mode: 0o755 });
    home.setNodePath('/nonexistent/node');
    expect(await forward(home, { stdin: '{}', env: { PATH: `${home.root}/bin:/bin:/usr/bin` } }).ended).toEqual(silence);
    expect(readFileSync(record, 'utf8')).toBe('on the PATH\n');
  });

  it('sends the frame to the one that comes up, and then removes its file', async () => {
    home.setNode('exec sleep 60 & echo $! > "$4/pid"; wait'); // holds the lock; the test itself listens
    const pid = join(home.places.home, 'pid');
    const { ended } = forward(home, { stdin: '{"n":1}' });
    await until(() => home.frames().length === 1 && existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'));
    let frame: Frame | undefined;
    let during: string[] = [];
    const server = await startScriptedServer(home, async (connection) => {
      frame = await connection.frame();
      during = home.journalNames();
      connection.socket.write(Buffer.from([0x4b, 1, 0, 0, 0, 0]));
      connection.done({ stdout: 'warm' });
    });
    expect(await ended).toEqual({ ...silence, stdout: 'warm' });
    expect(during).toEqual([`${frame?.stamp}.${frame?.pid}.frame`]);
    expect(frame).toMatchObject({ resent: false, payload: Buffer.from('{"n":1}') });
    expect(home.journalNames()).toEqual([]);
    await server.close();
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  });

  it('keeps its file when the server could not write the frame down', async () => {
    const pid = join(home.places.home, 'pid');
    home.setNode('echo $$ > "$4/pid"; exec sleep 60');
    const { ended } = forward(home, { stdin: '{}' });
    await until(() => home.frames().length === 1 && existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'));
    const server = await startScriptedServer(home, async (connection) => {
      await connection.frame();
      connection.socket.write(Buffer.from([0x4b, 1, 0, 0, 0, 1]));
      connection.done({ stdout: 'decided' });
    });
    expect((await ended).stdout).toBe('decided');
    expect(home.frames().length).toBe(1);
    await server.close();
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  });

  it('is silent in time when the server never listens', async () => {
    const pid = join(home.places.home, 'pid');
    home.setNode('echo $$ > "$4/pid"; exec sleep 60');
    expect(await forward(home, { stdin: '{}', timeoutMs: 2500 }).ended).toEqual(silence);
    expect(home.frames().length).toBe(1);
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  });

  it('writes no journal and says nothing in a home that cannot be written', async () => {
    writeFileSync(join(home.places.home, 'env'), 'a file where a directory should be');
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
  });

  it.skipIf(!isRoot)('does nothing at all in the home of another user', async () => {
    home.setNode(`echo started >> '${record}'`);
    chownSync(home.places.home, 12_345, 12_345);
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(existsSync(record)).toBe(false);
    expect(existsSync(home.places.environment)).toBe(false);
  });

  it.each([
    ['that others may enter', (): void => chmodSync(home.places.sockets, 0o755)],
    ['of another user', (): void => chownSync(home.places.sockets, 12_345, 12_345)],
  ])('does not connect in a socket directory %s', async (name, spoil) => {
    if (name === 'of another user' && !isRoot) return;
    home.setNode(`echo started >> '${record}'`);
    const server = await startScriptedServer(home, () => undefined);
    spoil();
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(server.connections.length).toBe(0);
    expect(home.frames().length).toBe(1);
    expect(existsSync(record)).toBe(false);
    chownSync(home.places.sockets, process.geteuid?.() ?? 0, process.getegid?.() ?? 0);
    await server.close();
  });
});
