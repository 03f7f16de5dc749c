import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { FORWARDER_NAME } from '@piton/contracts/places';
import { leftMs } from './call.ts';
import { pause, sinceStart } from './clock.ts';
import { type Connected, connect } from './connection.ts';
import { here } from './home.ts';
import { handLock, lockIsFree, takeLock } from './server-lock.ts';

const WAIT_MS = 5000;
/** How often we look whether a start has failed. */
const LOOK_MS = 50;
/** Asking who holds the lock costs a process here. */
const ASK_AGAIN_MS = 500;
const HOUR_MS = 3_600_000;
const TAKEN = 75;
const FAILED = 70;
/** The same as the forwarder's: nothing of the agent's may live on in a server. */
const KEPT = [
  'HOME',
  'PATH',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
];
/** The same, too: without these every thread of glibc's has a heap of its own, and what one burst needed is never given back. */
const FRUGAL = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Nobody listens: starts a server, once, unless another has, and tries until it answers. */
export async function reachServer(places: Places, deadline: number): Promise<Connected> {
  const began = sinceStart();
  const until = Math.min(began + WAIT_MS, deadline);
  let look = 0;
  let started = false;
  for (;;) {
    const connected = await connect(places, until);
    if ('socket' in connected || connected.end !== 'absent') return connected;
    if (leftMs(until) === 0) return { end: leftMs(deadline) === 0 ? 'late' : 'absent' };
    if (sinceStart() >= look) {
      if (readBackoff(places).valid) return { end: 'absent' };
      let wait = LOOK_MS;
      if (!started) {
        started = startServer(places) === 0;
        if (!started) wait = ASK_AGAIN_MS;
      } else if (forwarderBeside() === undefined && lockIsFree(places.environment)) {
        // It ended before it ever listened: the next event must not pay for that again.
        const { valid, failures } = readBackoff(places); // it may have said why since we looked, and knows better
        const pause = failures < 6 ? 1000 * 2 ** failures : 60_000;
        if (!valid) writeBackoff(places, `${Date.now() + pause} ${failures + 1} the server ended while starting: see logs/server.log\n`);
        return { end: 'absent' };
      }
      look = sinceStart() + wait;
    }
    // Many may wait: the longer it takes the less we must disturb whom we wait for.
    await pause(Math.min(50, Math.max(2, (sinceStart() - began) / 5)));
  }
}

/** 0, 75: there is one, 70: failed. The forwarder does it where it is: its lock ends with the server, however that ends. */
export function startServer(places: Places, waitMs = 0): number {
  const forwarder = forwarderBeside();
  if (forwarder !== undefined) return spawnSync(forwarder, ['--serve', String(waitMs)], { stdio: 'ignore' }).status ?? FAILED;
  try {
    mkdirSync(places.journal, { recursive: true, mode: 0o700 });
    if (!takeLock(places.environment)) return TAKEN;
    mkdirSync(places.logs, { recursive: true, mode: 0o700 });
    const log = openSync(join(places.logs, 'server.log'), 'a', 0o600);
    const kept = Object.fromEntries(KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
    const server = join(here(), 'server.cjs');
    const child = spawn(process.execPath, ['--max-semi-space-size=1', server, '--home', places.home], {
      cwd: places.home,
      env: { ...kept, ...FRUGAL },
      detached: true,
      stdio: ['ignore', 'ignore', log],
    });
    child.on('error', () => undefined);
    child.unref();
    closeSync(log);
    handLock(places.environment, child.pid);
    return child.pid === undefined ? FAILED : 0;
  } catch {
    return FAILED;
  }
}

function forwarderBeside(): string | undefined {
  const path = join(here(), FORWARDER_NAME);
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

/** One from far ahead was written by a clock that was wrong. */
function readBackoff(places: Places): { valid: boolean; failures: number } {
  try {
    const [until = 0, failures = 0] = readFileSync(join(places.environment, 'backoff'), 'utf8').split(' ').map(Number);
    const now = Date.now();
    return { valid: until > now && until < now + HOUR_MS, failures: until < now - HOUR_MS ? 0 : failures || 0 };
  } catch {
    return { valid: false, failures: 0 };
  }
}

function writeBackoff(places: Places, text: string): void {
  try {
    writeFileSync(join(places.environment, 'backoff'), text, { mode: 0o600 });
  } catch {
    // a full disk costs the pause, not the answer
  }
}
