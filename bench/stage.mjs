// A throw-away home with Piton in it, and the server that lives there.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { ROOT } from '../scripts/sources.mjs';

const { placesOf } = await importTypeScript('packages/contracts/src/places.ts');

/** Of this shell's variables only those that say nothing about Piton; a certificate bundle alone more than doubles Node's start. */
export function plainEnvironment(more = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PITON_|NODE_)/.test(name));
  return { ...Object.fromEntries(kept), ...more };
}

/** `settings`, `hooks` (path below `hooks/` → script) and `files` (path below the configuration → text) are the user's. `forwarder` stands in for the installed one. */
export function createStage({ settings, hooks = {}, files = {}, forwarder } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-bench-')));
  const project = join(root, 'project');
  for (const name of ['home', 'project', 'piton/config/hooks']) mkdirSync(join(root, name), { recursive: true });
  const env = plainEnvironment({ HOME: join(root, 'home'), PITON_HOME: join(root, 'piton'), PITON_ALLOW_UNDER_AGENT: '1' });
  if (settings) writeFileSync(join(root, 'piton/config/settings.json'), JSON.stringify(settings));
  for (const [path, script] of Object.entries(hooks)) {
    const file = join(root, 'piton/config/hooks', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, script);
    chmodSync(file, 0o755);
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, 'piton/config', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  execFileSync(process.execPath, [join(ROOT, 'dist/cli.mjs'), 'init', '--yes', '--agent', 'claude'], { cwd: project, env, stdio: 'pipe' });
  const places = placesOf(join(root, 'piton/state'), join(root, 'piton/config'));
  if (forwarder) copyFileSync(forwarder, places.forwarder);
  const file = (name, text) => {
    writeFileSync(join(root, name), text);
    return join(root, name);
  };
  return { root, project, places, env, file, hookFile: (path) => join(root, 'piton/config/hooks', path) };
}

export function ask(stage, method, path) {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: stage.places.cliSocket, method, path }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString('utf8'))));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

export function post({ places }, path, body) {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: places.cliSocket, method: 'POST', path }, (response) => response.resume().on('end', resolve));
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

export const status = (stage) => ask(stage, 'GET', '/v1/status');

/** One event starts the server; it is warm when it says so itself. */
export async function warm(stage, payload) {
  execFileSync(stage.places.forwarder, ['claude', 'SessionStart', 'user', '60000', '-'], {
    cwd: stage.project,
    env: stage.env,
    input: payload,
  });
  for (let left = 100; left > 0; left--) {
    const answer = await status(stage).catch(() => undefined);
    if (answer?.store.ok) return answer;
    if (answer && left === 1) throw new Error(`the store is not usable: ${answer.store.error}`);
    await sleep(50);
  }
  throw new Error('the server did not start');
}

export function residentMegabytes(pid) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB$/m);
  return Number(line?.[1]) / 1024;
}

const REST_MS = 45_000;

/** What a garbage-collected process needs shows when it has had time to collect: the lowest figure of a while without work. */
export async function atRest(measure) {
  let lowest = measure();
  for (const until = Date.now() + REST_MS; Date.now() < until; await sleep(1000)) lowest = Math.min(lowest, measure());
  return lowest;
}

/** All threads of a process, in seconds. Unlike the wall clock it does not count what others do to the machine. */
export function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Ends the server of this stage. */
export async function retire(stage) {
  const pid = (await status(stage).catch(() => undefined))?.pid;
  if (pid !== undefined) {
    await ask(stage, 'POST', '/v1/retire').catch(() => undefined);
    for (let left = 100; left > 0 && alive(pid); left--) await sleep(50);
    if (alive(pid)) process.kill(pid, 'SIGKILL');
  }
}

/** Ends it, and removes all of the stage. */
export async function strike(stage) {
  await retire(stage);
  rmSync(stage.places.sockets, { recursive: true, force: true });
  rmSync(stage.root, { recursive: true, force: true });
}
