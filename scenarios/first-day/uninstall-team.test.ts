import { existsSync } from 'node:fs';
import { placesOf } from '@piton/contracts/places';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newKey, teamDirectory, writeKey, writeMembership } from '../../apps/cli/src/team/membership.ts';
import { type FakeTeamServer, startTeamServer } from '../../apps/cli/test/team/team-server.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

// A machine that is in a team tells its server when Piton goes from it, and says before that it will.
let box: Sandbox;
let server: FakeTeamServer;
beforeEach(async () => {
  box = sandbox();
  server = await startTeamServer();
  box.write('.claude/settings.json', '{}');
  expect((await box.piton(['init', '--yes', '--no-git'])).code).toBe(0);
  const { publicKey, privateKey } = newKey();
  server.register('m1', publicKey);
  const member = { version: 1 as const, url: server.url, tenant: { id: server.tenant.id, name: 'The Team' }, machine: 'm1' };
  const places = placesOf(box.state, box.config);
  writeKey(places, privateKey);
  writeMembership(places, { ...member, joinedAt: '2026-01-01', repositories: [], bodies: false });
});
afterEach(async () => {
  server.close();
  await box.end();
});

const left = (): number => server.calls.filter(({ path }) => path.endsWith('/leave')).length;
const directory = (): string => teamDirectory({ home: box.state });

it('uninstall names the team that the machine is still in, and how to leave it', async () => {
  const said = await box.piton(['uninstall', '--yes']);
  expect(said.stdout).toContain(`${directory()}: this machine is still in the team The Team at ${server.url}`);
  expect(said.stdout).toMatch(/piton team leave$/m);
  expect(left()).toBe(0);
  expect(existsSync(directory())).toBe(true);
});

it('uninstall --purge says that it leaves, and leaves', async () => {
  const dry = await box.json<{ changes: { path: string; what: string }[] }>(['uninstall', '--purge', '--dry-run']);
  expect(dry.changes.find(({ path }) => path === directory())?.what).toBe(
    `the team The Team at ${server.url}: this machine leaves it, and its key is deleted`,
  );
  expect(left()).toBe(0);
  const said = await box.piton(['uninstall', '--purge', '--yes']);
  expect(said).toMatchObject({ code: 0, stderr: '' });
  expect(said.stdout).toContain('The Team');
  expect(left()).toBe(1);
  expect(existsSync(box.state)).toBe(false);
});

it('a server that is not there keeps nothing from being removed, and that it knows nothing is said', async () => {
  server.close();
  const said = await box.piton(['uninstall', '--purge', '--yes']);
  expect(said.code).toBe(0);
  expect(said.stdout).toContain("the team's server could not be told");
  expect(existsSync(box.state)).toBe(false);
});
