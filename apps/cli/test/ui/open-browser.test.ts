import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { expect, it } from 'vitest';
import { KNOWS_PEERS, userOfPeer } from '../../src/ui/http/peer.ts';
import { removeLeading, writeLeading } from '../../src/ui/open-browser.ts';

it('the file that leads to a link can be read by the user alone, and goes away', () => {
  const root = mkdtempSync(join(tmpdir(), 'piton-leading-'));
  mkdirSync(join(root, 'state'));
  const places = placesOf(join(root, 'state'), join(root, 'config'));
  const link = 'http://127.0.0.1:4780/#code=a-b"<script>';
  const file = writeLeading(places, link) ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain('content="0; url=http://127.0.0.1:4780/#code=a-b&quot;&lt;script>"');
  // Written anew over one that somebody has left.
  expect(writeLeading(places, 'http://127.0.0.1:4780/#code=next')).toBe(file);
  expect(readFileSync(file, 'utf8')).not.toContain('a-b');
  removeLeading(places);
  expect(() => statSync(file)).toThrow('ENOENT');
  for (const path of [root, dirname(file)]) rmSync(path, { recursive: true });
});

it.skipIf(!KNOWS_PEERS).each(['127.0.0.1', '::ffff:127.0.0.1'])(
  'the user at the other end of a connection from %s is known',
  async (host) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, host);
    const [accepted] = (await once(server, 'connection')) as [Socket];
    expect(userOfPeer(accepted)).toBe(process.geteuid?.());
    const { remotePort = 0, localPort = 0, localAddress = '' } = accepted;
    expect(userOfPeer({ remoteAddress: '127.0.0.1', remotePort: 1, localPort, localAddress })).toBeUndefined();
    expect(userOfPeer({ remoteAddress: '10.0.0.1', remotePort, localPort, localAddress })).toBeUndefined();
    // A connection from the same port to the same port, but of another address: somebody else's.
    expect(userOfPeer({ remoteAddress: '127.0.0.1', remotePort, localPort, localAddress: '127.0.0.2' })).toBeUndefined();
    client.destroy();
    accepted.destroy();
    server.close();
  },
);
