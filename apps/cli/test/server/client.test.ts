import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { flush } from '../../src/server/client.ts';

let directory: string;
let places: Places;
let server: Server | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-client-'));
  places = { cliSocket: join(directory, 'cli.sock') } as Places;
});
afterEach(async () => {
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  rmSync(directory, { recursive: true });
});

function listen(onConnection: (socket: Socket) => void): Promise<void> {
  server = createServer({ pauseOnConnect: true }, onConnection);
  return new Promise((resolve) => server?.listen(places.cliSocket, resolve));
}

it('takes a server for absent that ends while it is asked', async () => {
  // What was sent is unread, as when the process is killed.
  await listen((socket) => setTimeout(() => socket.destroy(), 20));
  expect(await flush(places)).toMatchObject({ ok: false, why: 'absent' });
});

it('takes a server for silent that says nothing', async () => {
  const held: Socket[] = [];
  await listen((socket) => held.push(socket));
  expect(await flush(places, 50)).toMatchObject({ ok: false, why: 'silent' });
  for (const socket of held) socket.destroy();
});

it('takes a server for absent that never was', async () => {
  expect(await flush(places)).toMatchObject({ ok: false, why: 'absent' });
});
