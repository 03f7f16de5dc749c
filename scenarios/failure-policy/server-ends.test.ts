import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ask, createTestHome, eventually, runForwarder, serverPids, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => rmSync(home.root, { recursive: true, force: true, maxRetries: 5 }));

it('a server that is not the current one ends in peace', () => {
  const other = fileURLToPath(new URL('../../dist/server.cjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [other, '--home', home.places.home], { encoding: 'utf8', timeout: 100_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('a server whose home was deleted under it ends, and leaves nothing behind', async () => {
  await runForwarder(home, 'SessionStart', { session_id: 's', hook_event_name: 'SessionStart', cwd: home.work, source: 'startup' });
  await ask(home, 'POST', '/v1/flush');
  expect(serverPids(home)).toHaveLength(1);
  rmSync(home.root, { recursive: true, force: true, maxRetries: 5 });
  await eventually(() => serverPids(home).length === 0);
  expect(serverPids(home)).toEqual([]);
});
