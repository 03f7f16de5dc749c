import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { teamBatchSchema, teamInventorySchema } from '@piton/contracts/schemas';
import type { TeamCloudEvent, TeamInventory } from '@piton/contracts/team';

/** One call as it came. */
export interface Called {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}
/** What it does instead of its work: it has answered, or never will. */
export type Misbehaves = (called: Called, response: ServerResponse) => boolean;

/** The least that a team server is, on loopback: it keeps what it got in memory, under the key of each record. */
export async function startTeamServer(options: { readonly wantsBodies?: boolean } = {}) {
  const calls: Called[] = [];
  const records = new Map<string, TeamCloudEvent>();
  const batches: string[] = [];
  const positions = new Map<string, number>();
  const inventories: TeamInventory[] = [];
  const machines = new Map<string, string>();
  const tokens = new Set<string>();
  let misbehaves: Misbehaves = () => false;
  let doubled = 0;
  const tenant = { id: 'tenant-1', name: 'Team One' };
  const terms = { tenant, bodies: options.wantsBodies ?? false };

  function answer(called: Called, request: IncomingMessage, response: ServerResponse): void {
    const send = (status: number, value: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const { pathname, searchParams } = new URL(called.path, 'http://x');
    const given = called.body === '' ? {} : (JSON.parse(called.body) as Record<string, string>);
    if (pathname === '/v1/join') {
      if (given.code !== 'good-code') return send(403, { problem: 'code', error: 'unknown code' });
      const machine = randomUUID();
      machines.set(machine, given.key ?? '');
      return send(200, { ...terms, machine });
    }
    if (pathname === '/v1/challenge') return send(200, { challenge: `challenge-of-${given.machine}` });
    if (pathname === '/v1/token') {
      const key = createPublicKey({ key: Buffer.from(machines.get(given.machine ?? '') ?? '', 'base64'), format: 'der', type: 'spki' });
      const text = `piton team token\n${given.tenant}\n${given.machine}\nchallenge-of-${given.machine}`;
      if (!verify(null, Buffer.from(text), key, Buffer.from(given.signature ?? '', 'base64')))
        return send(401, { problem: 'token', error: 'signature' });
      const token = randomUUID();
      tokens.add(token);
      return send(200, { ...terms, token, seconds: 60 });
    }
    if (!tokens.has((request.headers.authorization ?? '').replace('Bearer ', '')))
      return send(401, { problem: 'token', error: 'no such token' });
    if (pathname === '/v1/leave') {
      machines.clear();
      return void response.writeHead(204).end();
    }
    if (pathname === '/v1/inventory') {
      inventories.push(teamInventorySchema.parse(given));
      return void response.writeHead(204).end();
    }
    const [, store = '', changes] = /^\/v1\/stores\/([^/]+)(\/changes)?$/.exec(pathname) ?? [];
    const position = positions.get(store) ?? 0;
    if (changes === undefined) return send(200, { position });
    const [after, through] = [Number(searchParams.get('after')), Number(searchParams.get('through'))];
    if (after !== position) return send(409, { problem: 'position', error: 'from elsewhere', position });
    for (const record of teamBatchSchema.parse(JSON.parse(called.body)) as TeamCloudEvent[]) {
      if (records.has(record.id)) doubled++;
      records.set(record.id, record);
    }
    batches.push(called.body);
    positions.set(store, through);
    send(200, { position: through, stored: 1 });
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const bytes = Buffer.concat(parts);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
      const called = { method: request.method ?? '', path: request.url ?? '', body };
      calls.push(called);
      if (!misbehaves(called, response)) answer(called, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ calls, records, batches, positions, inventories, machines, tenant },
    doubled: () => doubled,
    register: (machine: string, key: string) => void machines.set(machine, key),
    misbehave: (how: Misbehaves) => {
      misbehaves = how;
    },
    behave: () => {
      misbehaves = () => false;
    },
    forgetTokens: () => tokens.clear(),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
export type FakeTeamServer = Awaited<ReturnType<typeof startTeamServer>>;
