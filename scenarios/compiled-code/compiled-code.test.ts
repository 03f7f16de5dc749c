import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { eventually, pause, removeHomeNow, serverPids } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = `${process.version}-${process.arch}`;

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-code-')));
});
afterEach(() => removeHomeNow(root, join(root, 'piton', 'state'), join(root, 'piton', 'config')));

/** A copy of the distribution, as a package has it: of this Node no code, or of a build. */
function distribution(name: string, withCode: boolean): string {
  const copy = join(root, name);
  cpSync(join(ROOT, 'dist'), copy, { recursive: true, filter: (path) => withCode || basename(path) !== 'code' });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return copy;
}

function piton(dist: string, args: readonly string[], extra: Record<string, string> = {}): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, PITON_HOME: join(root, 'piton'), ...extra };
  mkdirSync(join(root, '.claude'), { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli.mjs'), ...args], { cwd: root, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

const current = (): string => realpathSync(join(root, 'piton', 'state', 'runtime', 'current'));
const codes = (runtime: string): string[] => readdirSync(join(runtime, 'code', FOLDER)).toSorted();

/** Asked of V8 itself, with the flags that a server starts with: none. */
function takes(runtime: string, name: string): boolean {
  const source = join(runtime, 'bundles', `${name}.js`);
  const code = join(runtime, 'code', FOLDER, `${name}.code`);
  const text = `const read = require('node:fs').readFileSync;
    const script = new (require('node:vm').Script)(read(${JSON.stringify(source)}, 'latin1'), { cachedData: read(${JSON.stringify(code)}).subarray(32) });
    console.log(script.cachedDataRejected);`;
  const { stdout } = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' });
  const digest = createHash('sha256').update(readFileSync(source)).update(readFileSync(code).subarray(32)).digest();
  return stdout === 'false\n' && digest.equals(readFileSync(code).subarray(0, 32));
}

async function serve(dist: string): Promise<void> {
  piton(dist, ['server', 'start']);
  const places = placesOf(join(root, 'piton', 'state'), join(root, 'piton', 'config'));
  expect(await eventually(() => serverPids({ places }).length === 1)).toBe(true);
}

it('init compiles the command where the distribution has no code for this Node, and a server keeps its own', async () => {
  const dist = distribution('without', false);
  piton(dist, ['init', '--yes', '--agent', 'claude']);
  const runtime = current();
  expect(codes(runtime)).toEqual(['cli']);
  const chunks = readdirSync(join(runtime, 'cli')).map((name) => name.replace('.js', ''));
  const compiled = readdirSync(join(runtime, 'code', FOLDER, 'cli')).map((name) => name.replace('.code', ''));
  expect(compiled.toSorted()).toEqual(chunks.filter((name) => name !== 'cli').toSorted());
  await serve(dist);
  expect(await eventually(() => ['recorder.code', 'server.code'].every((name) => codes(runtime).includes(name)))).toBe(true);
  expect([takes(runtime, 'server'), takes(runtime, 'recorder')]).toEqual([true, true]);

  // A damaged one is not used, and is replaced.
  piton(dist, ['server', 'stop']);
  const code = join(runtime, 'code', FOLDER, 'server.code');
  const damaged = readFileSync(code).fill(1, 5000, 5100);
  writeFileSync(code, damaged);
  await serve(dist);
  expect(await eventually(() => takes(runtime, 'server'))).toBe(true);
  expect(piton(dist, ['server', 'status'])).toContain('running');
});

it('a server that was started by hand, with other flags, leaves the code of the others alone', async () => {
  const dist = distribution('without', false);
  piton(dist, ['init', '--yes', '--agent', 'claude']);
  const runtime = current();
  await serve(dist);
  expect(await eventually(() => ['recorder.code', 'server.code'].every((name) => codes(runtime).includes(name)))).toBe(true);
  piton(dist, ['server', 'stop']);
  const args = [join(runtime, 'server.cjs'), '--home', join(root, 'piton', 'state')];
  const other = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], HOME: root }, stdio: 'ignore' });
  await pause(4000); // twice as long as a server waits before it writes
  expect(other.exitCode).toBeNull();
  other.kill('SIGKILL');
  expect([takes(runtime, 'server'), takes(runtime, 'recorder')]).toEqual([true, true]);
});

it('init copies the code of a build, which is no part of the runtime’s name', () => {
  piton(distribution('with', true), ['init', '--yes', '--agent', 'claude']);
  const runtime = current();
  expect(codes(runtime)).toEqual(['checkpointer.code', 'cli', 'recorder.code', 'server.code', 'subscriber.code']);
  expect(['server', 'recorder', 'checkpointer', 'subscriber'].filter((name) => !takes(runtime, name))).toEqual([]);
  writeFileSync(join(root, 'with', 'code', FOLDER, 'server.code'), 'of another build');
  expect(piton(join(root, 'with'), ['init', '--yes', '--agent', 'claude', '--json'])).toBeTruthy();
  expect(current()).toBe(runtime);
});

it('no command writes code, whatever the environment', () => {
  const dist = distribution('without', false);
  piton(dist, ['--version']);
  piton(dist, ['agents'], { NODE_OPTIONS: '--max-old-space-size=300' });
  piton(dist, ['--help'], { NODE_ENV: 'test' });
  expect(existsSync(join(dist, 'code'))).toBe(false);
});
