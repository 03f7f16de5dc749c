import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Linux says which user's process holds each end of a connection. */
export const KNOWS_PEERS = process.platform === 'linux';

/** The user at the other end of a connection to loopback; undefined if nobody says. */
export function userOfPeer({
  remoteAddress = '',
  remotePort,
  localAddress = '',
  localPort,
}: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>): number | undefined {
  const [address, ours] = [hexOf(remoteAddress), hexOf(localAddress)];
  if (address === undefined || ours === undefined || remotePort === undefined || localPort === undefined) return undefined;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let rows: string[];
    try {
      rows = readFileSync(table, 'latin1').split('\n').slice(1);
    } catch {
      continue; // without IPv6 there is no such table
    }
    for (const row of rows) {
      const [, local = '', remote = '', , , , , uid] = row.trim().split(/\s+/);
      // Both ends are in the table: theirs is the one whose own port we see as the remote one. Two connections differ in one part only.
      if (isEnd(local, address, remotePort) && isEnd(remote, ours, localPort)) return Number(uid);
    }
  }
  return undefined;
}

/** Of IPv6 the address of IPv4 is the end. */
function isEnd(end: string, address: string, port: number): boolean {
  const [shown = '', hex = ''] = end.split(':');
  return shown.endsWith(address) && Number.parseInt(hex, 16) === port;
}

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
