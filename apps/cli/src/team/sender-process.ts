import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivate, type Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import type { Membership } from './membership.ts';

/** The hidden command that sends. */
export const SENDER = 'team-sender';

/** Beside the sockets of the server, where only this user can go. */
const socketOf = (places: Places): string => join(dirname(places.cliSocket), 'team.sock');
const ANSWER_MS = 2000;
const START_MS = 5000;

/** The process id of the sender that runs in this environment. */
export function runningSender(places: Places, path: '/' | '/stop' = '/'): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = request({ socketPath: socketOf(places), path, timeout: ANSWER_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve(Number(Buffer.concat(chunks).toString('utf8')) || undefined));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}

/** Asks it to end, and waits a moment until it has. */
export async function stopSender(places: Places): Promise<void> {
  if ((await runningSender(places, '/stop')) === undefined) return;
  for (let left = 50; left > 0 && (await runningSender(places)) !== undefined; left--) await sleep(50);
}

/** Answers to its name until it is closed. Undefined if another one does already, or nobody could ask it. */
export async function holdSocket(places: Places, stop: () => void): Promise<Server | undefined> {
  const path = socketOf(places);
  if (makePrivate(dirname(path)) !== undefined || (await runningSender(places)) !== undefined) return undefined;
  const server = createServer(({ url }, response) => {
    response.end(String(process.pid));
    if (url === '/stop') stop();
  });
  // One that was killed has left its socket.
  rmSync(path, { force: true });
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(path, () => resolve(server));
  });
}

/** In a session of its own: it outlives this command, and nothing waits for it. */
export async function startSender(context: Context, places: Places, { certificates }: Pick<Membership, 'certificates'>): Promise<boolean> {
  if ((await runningSender(places)) !== undefined) return true;
  const child = spawn(process.execPath, [join(context.distribution, 'cli.mjs'), SENDER], {
    ...{ cwd: '/', detached: true, stdio: 'ignore', env: { ...context.env, ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }) } },
  });
  child.on('error', () => {});
  child.unref();
  for (const begun = Date.now(); Date.now() - begun < START_MS; await sleep(50))
    if ((await runningSender(places)) !== undefined) return true;
  return false;
}
