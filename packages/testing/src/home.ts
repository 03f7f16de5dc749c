import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Registration, registrationArgs } from '@piton/contracts';
import { FORWARDER_NAME, type Places, placesOf } from '@piton/contracts/places';
import { TestRunner } from 'vitest';
import { evidenceOf } from './evidence.ts';

/** A temporary home with the built programs, as `piton init` writes it, without configuration of agents. */
export interface TestHome {
  readonly root: string;
  readonly places: Places;
  /** A working directory for events. */
  readonly work: string;
}

export interface ForwarderRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Nothing is held to it: on a machine that is busy half a minute is short. A little less than a test has, so that it says what was missing. */
const PATIENCE_MS = 100_000 * Number(process.env.PITON_TEST_PATIENCE ?? 1);

export function createTestHome(): TestHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-test-')));
  const home = join(root, 'state');
  const runtime = join(home, 'runtime', 'test');
  const config = join(root, 'config');
  const work = join(root, 'work');
  for (const directory of [home, runtime, config, work]) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const dist = join(ROOT, 'dist');
  for (const name of [
    'server.cjs',
    'recorder.cjs',
    'client.cjs',
    'fallback.cjs',
    'module-host.mjs',
    'checkpointer.cjs',
    'subscriber.cjs',
    'type-stripper.mjs',
    'plugins',
    'bundles',
    'build-id',
  ])
    cpSync(join(dist, name), join(runtime, name), { recursive: true });
  // Compiled code, but for that of the command, which is not there either. A build may have none.
  const code = join('code', `${process.version}-${process.arch}`);
  if (existsSync(join(dist, code)))
    cpSync(join(dist, code), join(runtime, code), { recursive: true, filter: (path) => !path.endsWith('/cli') });
  const forwarder = [join(dist, 'forwarder', FORWARDER_NAME), join(dist, FORWARDER_NAME)].find((path) => existsSync(path));
  if (forwarder === undefined) throw new Error('dist/ has no forwarder: run node scripts/build.mjs');
  cpSync(forwarder, join(runtime, FORWARDER_NAME));
  chmodSync(join(runtime, FORWARDER_NAME), 0o700);
  // Node resolves the native SQLite module from the directory of the server.
  symlinkSync(join(ROOT, 'node_modules'), join(runtime, 'node_modules'));
  writeFileSync(join(runtime, 'node'), `${process.execPath}\n`);
  symlinkSync('test', join(home, 'runtime', 'current'));
  writeFileSync(join(home, 'place.json'), JSON.stringify({ config }));
  return { root, places: placesOf(home, config), work };
}

export function registration(nativeEvent: string, timeoutMs = 60_000): Registration {
  return { agent: 'claude', nativeEvent, scope: 'user', timeoutMs, variables: [] };
}

/** Fires an event as an agent does: a process with stdin and stdout. */
export function runForwarder(
  home: TestHome,
  nativeEvent: string,
  payload: object | string | Buffer,
  options: { cwd?: string; env?: Record<string, string>; timeoutMs?: number; gate?: Promise<void> } = {},
): Promise<ForwarderRun> {
  const args = registrationArgs(registration(nativeEvent, options.timeoutMs));
  const child = spawn(home.places.forwarder, args, {
    cwd: options.cwd ?? home.work,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home.root, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (out.stdout += data));
  child.stderr.on('data', (data) => (out.stderr += data));
  child.stdin.on('error', () => {}); // it may have ended without reading
  const text = Buffer.isBuffer(payload) || typeof payload === 'string' ? payload : JSON.stringify(payload);
  void (options.gate ?? Promise.resolve()).then(() => child.stdin.end(text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...out }));
  });
}

/** Sends a request to the server over the command's socket. Undefined if nothing answers. */
export function ask<T>(
  home: TestHome,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<{ status: number; body: T } | undefined> {
  return new Promise((resolve) => {
    const call = request({ socketPath: home.places.cliSocket, method, path, timeout: PATIENCE_MS }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as T }));
    });
    call.on('error', () => resolve(undefined));
    call.on('timeout', () => call.destroy());
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** What `--serve` exits with where another process holds the lock: also a server that was killed and is not wholly gone. */
const TAKEN = 75;

/** A server that answers. A forwarder waits five seconds for one to start, which is short on a machine that is busy. */
export async function startServer(home: TestHome): Promise<void> {
  const serve = () => spawnSync(home.places.forwarder, ['--serve']).status;
  let status = serve();
  const answers = await eventually(async () => {
    if ((await ask(home, 'GET', '/v1/status')) !== undefined) return true;
    if (status === TAKEN) status = serve();
    return false;
  });
  if (answers) return;
  const backoff = join(home.places.environment, 'backoff');
  const pause = existsSync(backoff) ? readFileSync(backoff, 'utf8').trim() : 'none';
  throw new Error(`no server answers: --serve exited with ${status}, backoff: ${pause}, servers: ${serverPids(home).join(' ')}`);
}

/** The running servers of this home, from the process list. A child of a server has the same command line until its `exec`. */
export function serverPids({ places }: Pick<TestHome, 'places'>): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOfServer(`/proc/${name}`, places.home) : undefined;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  return [...parents].filter(([, parent]) => !parents.has(parent)).map(([pid]) => pid);
}

function parentOfServer(process: string, home: string): number | undefined {
  try {
    const words = readFileSync(`${process}/cmdline`, 'utf8').split('\0');
    if (!words.some((word) => word.endsWith('server.cjs')) || !words.includes(home)) return undefined;
    const stat = readFileSync(`${process}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // it has ended
  }
}

export function killServers(home: Pick<TestHome, 'places'>): number {
  const pids = serverPids(home);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has already ended
    }
  }
  return pids.length;
}

/** Ends the processes of a home and deletes it. If the test has failed, prints the state of the home first. A server that is starting appears a little later, and one that was killed takes a while to end. */
export async function removeHome(home: Pick<TestHome, 'root' | 'places'>): Promise<void> {
  if (TestRunner.getCurrentTest()?.result?.state === 'fail') console.error(evidenceOf(home.places, serverPids(home)));
  await eventually(() => killServers(home) === 0);
  rmSync(home.root, { recursive: true, force: true, maxRetries: 10 });
  rmSync(home.places.sockets, { recursive: true, force: true });
}

/** The same without waiting: starts no command to stop a server that may never have run. `home` may not exist. */
export function removeHomeNow(root: string, home: string, config: string): void {
  const until = Date.now() + PATIENCE_MS;
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  const places = existsSync(home) ? placesOf(home, config) : undefined;
  while (places !== undefined && killServers({ places }) > 0 && Date.now() < until) Atomics.wait(asleep, 0, 0, 10);
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  if (places !== undefined) rmSync(places.sockets, { recursive: true, force: true });
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const LOOK_EVERY_MS = 25;
const LOOK_AT_LEAST_EVERY_MS = 500;

/**
 * Waits for something that must come; the caller's assertion says what is missing if it does not. What is looked at is in motion
 * (a file that is being replaced, a folder that is made a moment later): a condition that throws is asked again, and only its last
 * error is the test's. Between two looks it rests three times as long as one took: some start git and Node, and what they wait for
 * has to run on the same machine.
 */
export async function eventually(condition: () => boolean | Promise<boolean>, limitMs = PATIENCE_MS): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (Date.now() < until) {
    const began = Date.now();
    if (
      await Promise.resolve()
        .then(condition)
        .catch(() => false)
    )
      return true;
    await pause(Math.min(LOOK_AT_LEAST_EVERY_MS, Math.max(LOOK_EVERY_MS, 3 * (Date.now() - began))));
  }
  return condition();
}

/** What is kept for the time without a server because of the user's own hooks; empty while nobody has written it. */
export function keptForUser({ places }: Pick<TestHome, 'places'>): string {
  const file = join(places.home, 'last-resort', 'user');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Writes an executable hook of the user. */
export function writeHook(home: TestHome, event: string, name: string, script: string): string {
  const path = join(home.places.config, 'hooks', event, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}
