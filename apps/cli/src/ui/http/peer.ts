import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Linux says which user's process holds each end of a connection. */
export const KNOWS_PEERS = process.platform === 'linux';

/** The user at the other end of a connection to loopback; undefined if nobody says. */
export function userOfPeer({
  remoteAddress = '',
  remotePort,
  localPort,
}: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>): number | undefined {
  const address = hexOf(remoteAddress);
  if (address === undefined || remotePort === undefined || localPort === undefined) return undefined;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let rows: string[];
    try {
      rows = readFileSync(table, 'latin1').split('\n').slice(1);
    } catch {
      continue; // without IPv6 there is no such table
    }
    for (const row of rows) {
      const [, local = '', remote = '', , , , , uid] = row.trim().split(/\s+/);
      // Both ends are in the table: theirs is the one whose own port we see as the remote one.
      const [theirs, port] = local.split(':');
      if (theirs?.endsWith(address) && portOf(port) === remotePort && portOf(remote.split(':')[1]) === localPort) return Number(uid);
    }
  }
  return undefined;
}

const portOf = (hex: string | undefined): number => Number.parseInt(hex ?? '', 16);

/** An IPv4 address as the table writes it: its bytes from the last to the first. */
function hexOf(address: string): string | undefined {
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  if (bytes.length !== 4 || bytes.some((byte) => !Number.isInteger(byte) || byte < 0 || byte > 255)) return undefined;
  return bytes
    .toReversed()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
