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

const START_MS = 10_000;
const MOST_TAKEN = 3;

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
  let begun = await serve(places.forwarder, env);
  let status = await waitForAnswer(places, begun);
  // The lock of a server that was killed lives until the kernel has closed its files, a little longer than its name.
  for (let again = 0; !status && begun.taken && again < MOST_TAKEN; again++) {
    begun = await serve(places.forwarder, env);
    status = await waitForAnswer(places, begun);
  }
  if (status) return { status, fresh: true };
  const why = begun.refused || lastLines(places.logs, 1)[0];
  throw new Failure(`the server did not start${why ? `: ${why}` : ''}`, {
    where: places.cliSocket,
    remedy: 'run `piton doctor`, or `piton server run` to see it start',
  });
}

/** Polls often enough not to be noticed, and no longer than there is something to wait for. */
async function waitForAnswer(places: Places, { refused, taken }: Begun): Promise<ServerStatus | undefined> {
  if (refused) return undefined;
  const began = Date.now();
  while (Date.now() - began < START_MS) {
    const reply = await serverStatus(places);
    if (reply.ok && !reply.value.retiring) return reply.value;
    const dead = !reply.ok && (taken || Date.now() - began > 500) && isLocked(places.environment) === false;
    if (dead) return undefined;
    await sleep(25);
  }
  return undefined;
}

interface Begun {
  /** Why none could be started, or an empty string. */
  readonly refused: string;
  /** One is already running, perhaps just starting, or was killed a moment ago. */
  readonly taken: boolean;
}

/** What `--serve` exits with where another process holds the lock. */
const TAKEN = 75;

/** The forwarder detaches, so a later failure of the server shows elsewhere. */
function serve(forwarder: string, env: Environment): Promise<Begun> {
  return new Promise((resolve) => {
    const child = spawn(forwarder, ['--serve'], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', env: { ...env } });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8');
    });
    child.on('error', (error) => resolve({ refused: error.message, taken: false }));
    child.on('exit', (code) => {
      const taken = code === TAKEN;
      resolve({ refused: code === 0 || taken ? '' : stderr.trim() || `the forwarder exited with ${code}`, taken });
    });
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
