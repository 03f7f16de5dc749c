import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { challengeText, machineSource, type TeamCloudEvent } from '@piton/contracts/team';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresHere } from '../../scripts/postgres.mjs';
import { teamStage } from './setup.ts';

const name = 'the server of a team over a real PostgreSQL';
if (postgresHere() === undefined) console.log(`skipped, for want of PostgreSQL (node scripts/postgres.mjs): ${name}`);

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

describe.skipIf(postgresHere() === undefined)(name, () => {
  let stage: Awaited<ReturnType<typeof teamStage>>;
  let other: string;
  beforeAll(async () => {
    stage = await teamStage(2);
    other = (await stage.store.createTenant({ name: 'Team Two', admin: { subject: 'local Eve', name: 'Eve' } })).tenant;
  }, 60_000);
  afterAll(() => stage.end(), 60_000);

  async function call(method: string, path: string, given: { json?: unknown; packed?: Buffer; token?: string } = {}): Promise<Answered> {
    const { json, packed, token } = given;
    const response = await fetch(`${stage.url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(packed !== undefined && { 'content-encoding': 'gzip' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(packed !== undefined && { body: new Uint8Array(packed) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text } };
  }

  const codeFor = async (tenant = stage.tenant): Promise<string> => {
    const own = stage.store.tenant(tenant);
    const [person] = await own.people();
    return own.makeJoinCode({ person: person?.id ?? '', seconds: 60 });
  };
  async function join(code: string) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const about = { name: 'one', platform: 'linux x64', piton: '0.1.0', bodies: false };
    const joined = await call('POST', '/v1/join', { json: { code, key, ...about } });
    return { joined, machine: String(joined.body.machine), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
  }
  async function tokenOf(machine: string, key: string, tenant = stage.tenant, signedFor = machine): Promise<Answered> {
    const asked = await call('POST', '/v1/challenge', { json: { tenant, machine } });
    const challenge = String(asked.body.challenge);
    const signature = sign(null, Buffer.from(challengeText({ tenant, machine: signedFor, challenge })), createPrivateKey(key)).toString(
      'base64',
    );
    return call('POST', '/v1/token', { json: { tenant, machine, challenge, signature } });
  }
  async function newMachine(tenant = stage.tenant) {
    const { machine, key } = await join(await codeFor(tenant));
    const { body } = await tokenOf(machine, key, tenant);
    return { machine, key, token: String(body.token) };
  }
  const push = (machine: string, seq: number, more: object = {}, store = 'store-1'): TeamCloudEvent => ({
    ...{ specversion: '1.0', id: `${store}/${seq}`, source: machineSource(machine), type: 'piton.push.v1', time: new Date().toISOString() },
    ...{ datacontenttype: 'application/json', pitonchange: String(seq) },
    data: {
      ...{ id: `push-${seq}`, at: new Date().toISOString(), repository: { id: 'example.com/a', name: 'a' }, ref: 'refs/heads/main' },
      ...{ oldSha: 'a'.repeat(40), newSha: 'b'.repeat(40), commits: [], ...more },
    },
  });
  const upload = (token: string, records: unknown, after: number, through: number, store = 'store-1'): Promise<Answered> =>
    call('POST', `/v1/stores/${store}/changes?after=${after}&through=${through}&sent=${Date.now()}`, {
      ...{ token, packed: gzipSync(JSON.stringify(records)) },
    });

  it('takes a code once, also from two who use it in the same moment', async () => {
    const code = await codeFor();
    const both = await Promise.all([join(code), join(code)]);
    expect(both.map(({ joined }) => joined.status).sort()).toEqual([200, 403]);
    expect((await join('piton-join_nothing')).joined.status).toBe(403);
  });

  it('gives a token for a signature of that machine alone', async () => {
    const [one, two] = [await newMachine(), await newMachine()];
    expect((await tokenOf(one.machine, one.key)).status).toBe(200);
    expect((await tokenOf(one.machine, two.key)).status).toBe(403);
    expect((await tokenOf(one.machine, one.key, stage.tenant, two.machine)).status).toBe(403);
    expect((await tokenOf(one.machine, one.key, other)).status).toBe(403);
    const forged = { tenant: stage.tenant, machine: one.machine, challenge: `${Date.now() + 9999}.x.y`, signature: '' };
    expect((await call('POST', '/v1/token', { json: forged })).status).toBe(401);
  });

  it('stores a batch once, and says where it is to whoever begins elsewhere', async () => {
    const { machine, token } = await newMachine();
    expect(await upload(token, [push(machine, 3)], 0, 5)).toMatchObject({ status: 200, body: { position: 5, stored: 1 } });
    expect(await upload(token, [push(machine, 3)], 0, 5)).toMatchObject({ status: 200, body: { position: 5, stored: 0 } });
    expect(await upload(token, [push(machine, 9)], 7, 9)).toMatchObject({ status: 409, body: { problem: 'position', position: 5 } });
    const gap = {
      ...push(machine, 6),
      type: 'piton.gap.v1',
      data: { reason: 'removed', from: 6, through: 6, at: new Date().toISOString() },
    };
    expect(await upload(token, [gap, push(machine, 7)], 5, 7)).toMatchObject({ status: 200, body: { position: 7 } });
    expect((await call('GET', '/v1/stores/store-1', { token })).body).toEqual({ position: 7 });
    const known = await stage.store.tenant(stage.tenant).machine(machine);
    expect(known?.gaps).toBe(1);
  });

  it('keeps nothing that says it is of another machine, another store or another number', async () => {
    const [one, two] = [await newMachine(), await newMachine()];
    for (const record of [
      push(two.machine, 1),
      push(one.machine, 1, {}, 'store-2'),
      { ...push(one.machine, 1), pitonchange: '2' },
      push(one.machine, 9),
    ])
      expect((await upload(one.token, [record], 0, 5)).status).toBe(400);
    expect((await call('GET', '/v1/stores/store-1', { token: one.token })).body).toEqual({ position: 0 });
  });

  it('refuses who has no token, a wrong one, or has left', async () => {
    const { machine, key, token } = await newMachine();
    for (const wrong of [undefined, 'x', `${token}x`, 'piton-token_1', "' OR 1=1 --"])
      expect((await call('GET', '/v1/stores/store-1', wrong === undefined ? {} : { token: wrong })).status).toBe(401);
    expect((await call('GET', '/v1/machines', { token })).status).toBe(403);
    expect((await call('POST', '/v1/leave', { token, json: {} })).status).toBe(204);
    expect((await upload(token, [push(machine, 1)], 0, 1)).status).toBe(401);
    expect((await tokenOf(machine, key)).status).toBe(403);
  });

  it('takes SQL, and text that PostgreSQL has none of, for text', async () => {
    const { machine, token } = await newMachine();
    const nasty = ["'; DROP TABLE piton.changes; --", '$1', '\u0000', '\ud800', '\\u0000'];
    const records = nasty.map((ref, at) => push(machine, at + 1, { ref, repository: { id: ref || 'x', name: ref } }));
    expect(await upload(token, records, 0, 9)).toMatchObject({ status: 200, body: { stored: nasty.length } });
    expect((await upload(token, [push(machine, 10)], 9, 10)).status).toBe(200);
  });

  it('does not unpack or read what is too large, or not what it says', async () => {
    const { token } = await newMachine();
    const at = '/v1/stores/store-1/changes?after=0&through=1';
    expect((await call('POST', at, { token, packed: gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')) })).status).toBe(413);
    expect((await call('POST', at, { token, packed: Buffer.from('not gzip') })).status).toBe(400);
    expect((await call('POST', at, { token, json: { not: 'a batch' } })).status).toBe(400);
    expect((await call('POST', '/v1/stores/store-1/changes?after=x&through=1', { token, json: [] })).status).toBe(400);
    expect((await call('GET', '/v1/stores/../../etc', { token })).status).toBe(404);
    expect((await call('PUT', '/v1/inventory', { token, json: { at: 'yesterday' } })).status).toBe(400);
  });

  it('lists machines to a CI token of its own tenant alone', async () => {
    const { machine } = await newMachine();
    const tokenFor = async (tenant: string) =>
      (await stage.store.tenant(tenant).issueToken({ kind: 'ci', name: 'ci', role: 'auditor', seconds: 60 })).token;
    const listed = async (tenant: string): Promise<string> =>
      JSON.stringify((await call('GET', '/v1/machines', { token: await tokenFor(tenant) })).body);
    expect(await listed(stage.tenant)).toContain(machine);
    expect(await listed(other)).toBe('{"machines":[]}');
  });

  it('says that it lives and is not ready while PostgreSQL is away, and asks for time', async () => {
    const { machine, token } = await newMachine();
    expect((await call('GET', '/readyz')).status).toBe(200);
    await stage.postgres.kill();
    expect((await call('GET', '/healthz')).status).toBe(200);
    expect((await call('GET', '/readyz')).status).toBe(503);
    expect((await upload(token, [push(machine, 1)], 0, 1)).status).toBe(503);
    await stage.postgres.start();
    expect((await upload(token, [push(machine, 1)], 0, 1)).status).toBe(200);
    expect(String((await call('GET', '/metrics')).body.text)).toMatch(/^piton_team_requests_total\{/m);
  });

  it('ends what it has before it ends, and takes nothing new', async () => {
    const { machine, token } = await newMachine();
    const [replica] = stage.replicas;
    const packed = gzipSync(JSON.stringify([push(machine, 1)]));
    const headers = { authorization: `Bearer ${token}`, 'content-encoding': 'gzip', 'content-length': packed.length };
    const path = '/v1/stores/store-1/changes?after=0&through=1';
    const slow = request({ host: '127.0.0.1', port: replica?.port ?? 0, method: 'POST', path, headers });
    const answered = new Promise<number>((resolve, reject) =>
      slow.on('response', ({ statusCode }) => resolve(statusCode ?? 0)).on('error', reject),
    );
    // Half of it is there, and the server has begun to read.
    await new Promise<void>((resolve) => slow.write(packed.subarray(0, 10), () => resolve()));
    await call('GET', '/healthz');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ending = replica?.end('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect(fetch(`http://127.0.0.1:${replica?.port}/healthz`)).rejects.toThrow();
    slow.end(packed.subarray(10));
    expect(await answered).toBe(200);
    expect(await ending).toBe(0);
  });
});
