import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Places } from '@piton/contracts/places';
import type { ServerStatus } from '@piton/contracts/server-api';
import { Failure } from '../failure.ts';
import { retire, serverStatus } from './client.ts';
import { isLocked } from './lock.ts';
import { lastLines } from './logs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Started {
  readonly status: ServerStatus;
  /** False if one was already running. */
  readonly fresh: boolean;
}

/** Returns a server that answers. If there is none, the forwarder starts it, as it would for an event. */
export async function ensureServer(places: Places, env: Environment = process.env): Promise<Started> {
  const running = await serverStatus(places);
  if (running.ok && !running.value.retiring) return { status: running.value, fresh: false };
  if (!existsSync(places.forwarder)) throw new Failure('the runtime is missing', { where: places.forwarder, remedy: 'run `piton init`' });
  const refused = await serve(places.forwarder, env);
  const status = refused ? undefined : await waitForAnswer(places, 10_000);
  if (status) return { status, fresh: true };
  const why = refused || lastLines(places.logs, 1)[0];
  throw new Failure(`the server did not start${why ? `: ${why}` : ''}`, {
    where: places.cliSocket,
    remedy: 'run `piton doctor`, or `piton server run` to see it start',
  });
}

/** Polls often enough not to be noticed, and no longer than there is something to wait for. */
async function waitForAnswer(places: Places, limitMs: number): Promise<ServerStatus | undefined> {
  const begun = Date.now();
  while (Date.now() - begun < limitMs) {
    const reply = await serverStatus(places);
    if (reply.ok && !reply.value.retiring) return reply.value;
    const dead = Date.now() - begun > 500 && !reply.ok && isLocked(places.environment) === false;
    if (dead) return undefined;
    await sleep(25);
  }
  return undefined;
}

/** Returns why none could be started, or an empty string. The forwarder detaches, so a later failure of the server shows elsewhere. */
function serve(forwarder: string, env: Environment): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(forwarder, ['--serve'], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', env: { ...env } });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8');
    });
    child.on('error', (error) => resolve(error.message));
    // 75: one is already running, perhaps just starting.
    child.on('exit', (code) => resolve(code === 0 || code === 75 ? '' : stderr.trim() || `the forwarder exited with ${code}`));
  });
}

/** `busy`: it accepts nothing new, and exits once running hooks are done. */
export type Stopped = 'none' | 'stopped' | 'busy';

/** Retires the server and waits until its process is gone. */
export async function stopServer(places: Places, limitMs = 10_000): Promise<Stopped> {
  const status = await serverStatus(places);
  if (!status.ok) return 'none';
  await retire(places);
  for (const until = Date.now() + limitMs; Date.now() < until; await sleep(25)) {
    if (!isAlive(status.value.pid)) return 'stopped';
  }
  return 'busy';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In a container there may be nobody to reap it: it is gone all the same. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false; // no /proc here
  }
}
