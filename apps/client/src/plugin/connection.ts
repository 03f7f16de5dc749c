import { lstatSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { type End, leftMs } from './call.ts';
import { pause } from './clock.ts';

const RETRY_MS = 2;

/** `absent`: nobody listens. `forbidden`: the place is not ours, or we are not let through. */
export type Connected = { readonly socket: Socket } | { readonly end: Extract<End, 'absent' | 'forbidden' | 'late'> };

export async function connect(places: Places, deadline: number): Promise<Connected> {
  for (const directory of [dirname(places.sockets), places.sockets]) {
    const stat = lstatSync(directory, { throwIfNoEntry: false });
    if (stat === undefined) return { end: 'absent' };
    if (!stat.isDirectory() || stat.uid !== (process.geteuid?.() ?? stat.uid) || (stat.mode & 0o077) !== 0) return { end: 'forbidden' };
  }
  for (;;) {
    const socket = createConnection({ path: places.hookSocket });
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('error', resolve);
    });
    if (error === undefined) return { socket: socket.removeAllListeners('error').on('error', () => undefined) };
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') return { end: 'absent' };
    if (error.code !== 'EAGAIN') return { end: 'forbidden' };
    if (leftMs(deadline) === 0) return { end: 'late' };
    await pause(RETRY_MS); // a full backlog is busy, not dead
  }
}
