import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { expect, it, onTestFinished } from 'vitest';
import { killServers, serverPids } from '../src/home.ts';

/** Has a child that bears its own words, as every child does between fork and exec. */
const PROGRAM = `
  const child = process.env.INNER ? undefined : require('node:child_process').spawn(process.execPath, process.argv.slice(1), { env: { INNER: '1' } });
  if (child) child.once('spawn', () => console.log(child.pid));
  setInterval(() => {}, 1000);
`;

it('a server is one, also while it starts a program', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-pids-')));
  const home = { places: placesOf(root, join(root, 'config')) };
  writeFileSync(join(root, 'server.cjs'), PROGRAM);
  const server: ChildProcess = spawn(process.execPath, [join(root, 'server.cjs'), '--home', root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const inner = Number(await new Promise((resolve) => server.stdout?.once('data', resolve)));
  onTestFinished(() => {
    process.kill(inner, 'SIGKILL');
    server.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });
  expect(serverPids(home)).toEqual([server.pid]);
  expect(killServers(home)).toBe(1);
  await new Promise((resolve) => server.once('exit', resolve));
});
