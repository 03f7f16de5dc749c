import { join } from 'node:path';
import { openStore } from '@piton/store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DENIED, event, stampOf } from '../../../../packages/store/test/records.ts';
import { startMachine } from './machine.ts';
import { type FakeTeamServer, type Misbehaves, startTeamServer } from './team-server.ts';

let server: FakeTeamServer;
let machine: Awaited<ReturnType<typeof startMachine>>;
beforeEach(async () => {
  server = await startTeamServer();
  machine = await startMachine(server);
});
afterEach(async () => {
  await machine.remove();
  server.close();
});

const record = async (...numbers: number[]): Promise<void> => {
  const report = await machine.store.record(
    numbers.map((n) => event(n, { session: `ref-${n % 3}`, event: 'pre_tool_use', tool: { command: 'ls' } })),
  );
  expect(report).toMatchObject({ ok: true, rejected: [] });
};
const eventIds = (): string[] =>
  [...server.records.values()].flatMap((one) => (one.type === 'piton.event.v1' ? [one.data.eventId] : [])).sort();
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
const allSent = async (numbers: readonly number[]): Promise<void> => {
  await eventually(() => expect(eventIds()).toEqual(numbers.map(stampOf).sort()));
};
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const isUpload = (path: string): boolean => path.includes('/changes');

describe('the sender', () => {
  it('sends what was recorded before and after it began, once each, and says what left to the byte', async () => {
    await record(...range(0, 40));
    machine.start();
    await allSent(range(0, 40));
    await record(...range(40, 60));
    await allSent(range(0, 60));
    expect(server.doubled()).toBe(0);
    expect(machine.sent().map(({ number }) => machine.upload(number))).toEqual(server.batches);
    expect(server.inventories).toHaveLength(1);
  });

  it('sends at most 500 at once', async () => {
    await record(...range(0, 1203));
    machine.start();
    await allSent(range(0, 1203));
    expect(server.batches.map((text) => (JSON.parse(text) as unknown[]).length).filter((count) => count > 500)).toEqual([]);
  });

  it('sends a later version of an event under its new number', async () => {
    await record(1);
    machine.start();
    await allSent([1]);
    expect(await machine.store.addRuns(stampOf(1), DENIED.trace as never)).toMatchObject({ ok: true });
    await eventually(() => {
      const versions = [...server.records.values()].filter((one) => one.type === 'piton.event.v1');
      expect(versions.map((one) => one.data.hooks.length)).toEqual([0, DENIED.trace.length]);
    });
  });

  it('goes on where the server is after it was killed, with or without what it had noted', async () => {
    await record(...range(0, 10));
    machine.start();
    await allSent(range(0, 10));
    await machine.stop();
    await record(...range(10, 20));
    machine.forgetState();
    machine.start();
    await allSent(range(0, 20));
    expect(server.doubled()).toBe(0);
  });

  it('sends all again to a server that was set back', async () => {
    await record(...range(0, 5));
    machine.start();
    await allSent(range(0, 5));
    server.positions.clear();
    server.records.clear();
    await record(5);
    await allSent(range(0, 6));
  });

  it('begins another store with a gap', async () => {
    await record(...range(0, 5));
    machine.start();
    await allSent(range(0, 5));
    const old = machine.store;
    const other = await openStore({ kind: 'sqlite', file: join(machine.home, 'other.db') });
    if (!other.ok) throw new Error(other.error);
    machine.useStore(other.store);
    await record(7);
    await allSent([...range(0, 5), 7]);
    await old.close();
    expect([...server.records.values()].filter(({ type }) => type === 'piton.gap.v1').map(({ data }) => data)).toMatchObject([
      { reason: 'store' },
    ]);
  });

  it('gets a new token when the server knows its old one no more', async () => {
    await record(1);
    machine.start();
    await allSent([1]);
    server.forgetTokens();
    await record(2);
    await allSent([1, 2]);
  });

  it('waits as long as the server asks for, and keeps silent meanwhile', async () => {
    let asked = 0;
    server.misbehave(({ path }, response) => {
      if (!isUpload(path) || asked > 0) return false;
      asked = performance.now();
      response.writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' }).end('{"problem":"busy","error":"too much"}');
      return true;
    });
    await record(1);
    machine.start();
    await eventually(() => expect(machine.state().problem).toMatchObject({ why: 'busy' }));
    const calls = server.calls.length;
    await allSent([1]);
    expect(performance.now() - asked).toBeGreaterThanOrEqual(990);
    expect(server.calls.length).toBe(calls + 1);
    await eventually(() => expect(machine.state().problem).toBeNull());
  });

  const breaksOff: Misbehaves = (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"position":');
    return !!setTimeout(() => response.destroy(), 20);
  };
  const lies: readonly (readonly [string, Misbehaves])[] = [
    ['answers garbage', (_, response) => !!response.writeHead(200).end('<html>welcome</html>')],
    [
      'answers without an end',
      (_, response) => {
        response.writeHead(200);
        const more = setInterval(() => response.write('x'.repeat(65536)), 1);
        response.on('close', () => clearInterval(more));
        return true;
      },
    ],
    ['redirects', (_, response) => !!response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()],
    ['breaks off in its answer', breaksOff],
    ['hangs up', (_, response) => !!response.destroy()],
    ['has stored less than it was sent', (_, response) => !!response.writeHead(200).end('{"position":0,"stored":1}')],
    ['is far ahead', (_, response) => !!response.writeHead(409).end('{"problem":"position","error":"x","position":999999999}')],
    ['sends it back for ever', (_, response) => !!response.writeHead(409).end('{"problem":"position","error":"x","position":0}')],
    ['says numbers that are none', (_, response) => !!response.writeHead(200).end('{"position":"many"}')],
    ['refuses everything', (_, response) => !!response.writeHead(400).end('{"problem":"bad-request","error":"no"}')],
    ['fails', (_, response) => !!response.writeHead(500).end()],
  ];
  it.each(lies)('loses nothing to a server that %s, and leaves a note', async (_, lie) => {
    server.misbehave((called, response) => isUpload(called.path) && lie(called, response));
    await record(...range(0, 3));
    machine.start();
    await eventually(() => expect(machine.state().problem).toMatchObject({ failures: expect.any(Number) }));
    expect(server.records.size).toBe(0);
    server.behave();
    await record(3);
    await allSent(range(0, 4));
    await eventually(() => expect(machine.state().problem).toBeNull());
  });

  it('ends at once while a server says nothing', async () => {
    server.misbehave(({ path }) => isUpload(path));
    await record(1);
    machine.start();
    await eventually(() => expect(server.calls.some(({ path }) => isUpload(path))).toBe(true));
    await machine.stop();
    expect(server.records.size).toBe(0);
  });
});
