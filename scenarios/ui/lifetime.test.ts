import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { PageToken } from '@piton/contracts/page';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page } from './browser.ts';
import { freePort } from './free-port.ts';

let box: Sandbox;
const open: Page[] = [];
beforeEach(async () => {
  box = sandbox();
  await box.piton(['init', '--agent', 'claude', '--yes']);
});
afterEach(async () => {
  for (const page of open.splice(0)) await page.stop();
  await box.end();
});
const opened = async (...args: string[]): Promise<Page> => {
  const page = await openPage(box, args);
  open.push(page);
  return page;
};
const exitOf = async (page: Page): Promise<unknown> => page.process.exitCode ?? (await once(page.process, 'exit'))[0];

describe('when nobody looks', () => {
  it('it ends by itself, and not while a stream is open', async () => {
    const page = await opened('--idle', '0.2');
    const { token } = JSON.parse((await page.buy()).body) as PageToken;
    const cut = new AbortController();
    const stream = await fetch(`http://127.0.0.1:${page.port}/api/live`, {
      headers: { authorization: `Bearer ${token}` },
      signal: cut.signal,
    });
    expect(stream.status).toBe(200);
    // One that began later, at which nobody looks: its end shows that the time of the first is over too.
    const other = await opened('--idle', '0.2', '--port', String(await freePort()));
    expect(await exitOf(other)).toBe(0);
    expect(page.process.exitCode).toBeNull();
    expect((await page.send('/')).status).toBe(200);
    cut.abort();
    expect(await exitOf(page)).toBe(0);
  });
});

describe('under another address', () => {
  const ADDRESS = 'https://box.example/proxy/';

  it('the link leads there, and both addresses are answered', async () => {
    const page = await opened('--public-url', ADDRESS);
    expect(page.link.startsWith(`${ADDRESS}#code=`)).toBe(true);
  });

  it('requests of the page there are its own, and those of any other are not', async () => {
    const page = await openPageAt(ADDRESS);
    const code = new URL(page.link).hash.replace('#code=', '');
    const post = (origin: string, host: string) =>
      page.send('/api/token', { method: 'POST', headers: { host, origin }, body: JSON.stringify({ code }) });
    expect((await post('https://box.example', 'evil.example')).status).toBe(421);
    expect((await post('https://evil.example', 'box.example')).status).toBe(403);
    expect((await post('http://box.example', 'box.example')).status).toBe(403);
    const bought = await post('https://box.example', 'box.example');
    expect(bought.status).toBe(200);
    const { token } = JSON.parse(bought.body) as PageToken;
    const asked = { authorization: `Bearer ${token}`, host: 'box.example', 'sec-fetch-site': 'same-origin' };
    expect((await page.send('/api/meta', { headers: asked })).status).toBe(200);
  });

  /** The link does not say on which port of loopback it is served: a person gives that too. */
  async function openPageAt(url: string): Promise<Page> {
    const port = await freePort();
    const page = await openPage(box, ['--public-url', url, '--port', String(port)], { port });
    open.push(page);
    return page;
  }

  it.each(['box.example', 'ftp://box.example/', 'https://box.example/#code=x', 'javascript:alert(1)'])('%s is refused', async (url) => {
    const { code, stderr } = await box.piton(['ui', '--public-url', url]);
    expect(code).toBe(2);
    expect(stderr).toContain('is no address of a page');
  });
});

it.each(['0', '65536', 'x', '-1'])('port %s is refused', async (port) => {
  const { code, stderr } = await box.piton(['ui', `--port=${port}`]);
  expect(code).toBe(2);
  expect(stderr).toContain('is no port');
});

it('says that a port is taken, and by what to go on', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await box.piton(['ui', '--port', String(port)]);
  other.close();
  expect(code).toBe(1);
  expect(stderr).toContain('it is taken');
  expect(stderr).toContain('leave out --port');
});
