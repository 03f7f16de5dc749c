import { existsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page, type Received, type Sent } from './browser.ts';

let box: Sandbox;
let page: Page;
let token: string;
beforeAll(async () => {
  box = sandbox();
  await box.piton(['init', '--agent', 'claude', '--yes']);
  page = await openPage(box);
  token = (JSON.parse((await page.buy()).body) as { token: string }).token;
});
afterAll(async () => {
  await page.stop();
  await box.end();
});

const withToken = (path: string, given: Sent = {}): Promise<Received> =>
  page.send(path, { ...given, headers: { authorization: `Bearer ${token}`, ...given.headers } });
const problemOf = ({ body }: Received): string => (JSON.parse(body) as { problem: string }).problem;

it('answers with the token, and sets no cookie', async () => {
  const answered = await withToken('/api/meta');
  expect(answered.status).toBe(200);
  expect(JSON.parse(answered.body)).toMatchObject({ home: box.state, live: true });
  expect(answered.headers['set-cookie']).toBeUndefined();
});

describe('without the token', () => {
  it.each(['/api/meta', '/api/now', '/api/sessions', '/api/live', '/api/text?of=event.payload.X', '/api/nothing'])(
    '%s says nothing',
    async (path) => {
      const refused = await page.send(path);
      expect([refused.status, problemOf(refused)]).toEqual([401, 'token']);
    },
  );

  it.each([
    ['another', 'A'.repeat(43)],
    ['none', ''],
    ['a prefix', 'short'],
    ['the code', 'CODE'],
    ['a huge one', 'A'.repeat(10_000)],
  ])('nor with %s', async (_, given) => {
    const value = given === 'CODE' ? page.code : given === 'short' ? token.slice(0, 20) : given;
    expect((await page.send('/api/meta', { headers: { authorization: `Bearer ${value}` } })).status).toBe(401);
  });

  it('nor with it in a cookie or in the address', async () => {
    expect((await page.send('/api/meta', { headers: { cookie: `token=${token}` } })).status).toBe(401);
    expect((await page.send(`/api/meta?token=${token}`)).status).toBe(401);
  });
});

describe('a code', () => {
  it('buys one token, and never a second', async () => {
    const again = await page.buy();
    expect([again.status, problemOf(again)]).toEqual([403, 'code']);
  });

  it('that nobody issued buys none', async () => {
    for (const code of ['', 'A'.repeat(43), 'x'.repeat(5000), page.code.toLowerCase()]) expect((await page.buy(code)).status).toBe(403);
    const origin = `http://127.0.0.1:${page.port}`;
    for (const body of ['', '{', '[]', 'null', '{"code":null}', '{"code":{"toString":1}}', 'x'.repeat(100_000)])
      expect((await page.send('/api/token', { method: 'POST', headers: { origin }, body })).status).toBe(403);
  });

  it('is not in anything that the server answers', async () => {
    expect((await page.send('/')).body).not.toContain(page.code);
    expect(page.link).toContain('/#code=');
  });
});

describe('another page in the same browser', () => {
  it.each([
    ['a name of its own that leads here', { host: 'evil.example' }],
    ['that name with our port', { host: 'evil.example:PORT' }],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example:PORT' }],
    ['another port of this machine', { host: '127.0.0.1:1' }],
    ['no port', { host: '127.0.0.1' }],
    ['all addresses', { host: '0.0.0.0:PORT' }],
  ])('cannot read by %s', async (_, headers) => {
    const host = headers.host.replace('PORT', String(page.port));
    for (const path of ['/', '/api/meta']) expect((await withToken(path, { headers: { host } })).status).toBe(421);
  });

  it.each<[string, Record<string, string>]>([
    ['an origin of its own', { origin: 'https://evil.example' }],
    ['the origin of another server on this machine', { origin: 'http://127.0.0.1:3000' }],
    ['no origin', { origin: 'null' }],
    ['a request of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a request of another port', { 'sec-fetch-site': 'same-site' }],
    ['a request that the person typed', { 'sec-fetch-site': 'none' }],
  ])('cannot ask with %s', async (_, headers) => {
    expect((await withToken('/api/meta', { headers })).status).toBe(403);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('cannot change anything by %s', async (method) => {
    expect((await withToken('/api/sessions', { method })).status).toBe(405);
  });

  it('cannot buy a token by a form', async () => {
    const form = { 'content-type': 'text/plain', origin: 'https://evil.example' };
    expect((await page.send('/api/token', { method: 'POST', headers: form, body: '{}' })).status).toBe(403);
    expect((await page.send('/api/token', { method: 'POST', body: '{}' })).status).toBe(403);
  });

  it('cannot load our files as its own', async () => {
    expect(
      (await page.send('/', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' } }))
        .status,
    ).toBe(403);
    const opened = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await page.send('/', { headers: opened })).status).toBe(200);
    expect((await page.send('/', { headers: { ...opened, 'sec-fetch-dest': 'iframe' } })).status).toBe(403);
  });
});

it('allows the page itself', async () => {
  const own = { origin: `http://127.0.0.1:${page.port}`, 'sec-fetch-site': 'same-origin' };
  expect((await withToken('/api/meta', { headers: own })).status).toBe(200);
  expect((await withToken('/api/meta', { headers: { host: `localhost:${page.port}` } })).status).toBe(200);
});

it.each(['/', '/api/meta', '/nothing.js', '/api/token'])('%s comes with headers under which nothing written may run', async (path) => {
  const { headers } = await page.send(path);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

it.each([
  '/../../../../etc/passwd',
  '/..%2f..%2f..%2fetc%2fpasswd',
  '/%2e%2e/%2e%2e/server.cjs',
  '/assets/../../cli.mjs',
  '/assets/..\\..\\cli.mjs',
  '//etc/passwd',
  '/%00/index.html',
  '/index.html%00.js',
  '/.stamp',
])('%s leads to no file but the page', async (path) => {
  const { status, body } = await page.send(path);
  expect(body).not.toMatch(/root:|createRequire|require\(/);
  expect(status === 404 || body.startsWith('<!')).toBe(true);
});

/** What no client library would send. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(page.port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
  });

it.each([
  ['headers without end', `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
  ['an endless address', `GET /${'a'.repeat(12_000)} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n`, '414'],
  ['no host', 'GET / HTTP/1.0\r\n\r\n', '421'],
  ['two hosts', 'GET /api/meta HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\nConnection: close\r\n\r\n', '4'],
  ['an absolute address', 'GET http://evil.example/api/meta HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n', '400'],
  ['no HTTP', '\u0000\u0001\u0002\r\n\r\n', '400'],
])('refuses %s, and goes on', async (_, text, status) => {
  expect(await raw(text.replaceAll('HOST', `127.0.0.1:${page.port}`))).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
  expect((await withToken('/api/meta')).status).toBe(200);
});

it('listens on loopback only, and its socket is the user’s', () => {
  expect(new URL(page.link).hostname).toBe('127.0.0.1');
  const sockets = [`/run/user/${process.getuid?.()}/piton`, `/tmp/piton-${process.getuid?.()}`].filter((path) => existsSync(path));
  expect(sockets.length).toBeGreaterThan(0);
  for (const path of sockets) expect(statSync(path).mode & 0o077).toBe(0);
});

it('gives a second call a link of its own to the same page', async () => {
  const second = await box.json<{ link: string; reused: boolean }>(['ui']);
  expect(second.reused).toBe(true);
  expect(new URL(second.link).port).toBe(String(page.port));
  expect(second.link).not.toBe(page.link);
  expect((await page.buy(new URL(second.link).hash.replace('#code=', ''))).status).toBe(200);
});
