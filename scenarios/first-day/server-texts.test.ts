import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

// What the server writes is read in an agent, where nobody puts in how the command is called: it has to be right as it stands.
let box: Sandbox;
let work: string;
beforeEach(() => {
  box = sandbox();
  work = box.repository();
  box.write('.claude/settings.json', '{}');
});
afterEach(() => box.end());

const HOOK = '#!/bin/sh\nexit 0\n';
const BROKEN_POLICY = { name: 'policy', event: 'pre_tool_use', command: 'exit 3', fail_closed: true };

/** Every text that the server gives to Claude Code here: a hook nobody trusts, one that changed since, and a policy that fails. */
async function said(env: Record<string, string> = {}): Promise<string> {
  const start = JSON.parse(await fire(box, claude.start('one', work), env)) as { systemMessage: string };
  const denied = JSON.parse(await fire(box, claude.shell('one', work, 'ls'), env)) as {
    hookSpecificOutput: { permissionDecisionReason: string };
  };
  return `${start.systemMessage}\n${denied.hookSpecificOutput.permissionDecisionReason}`;
}

async function setUp(options: readonly string[] = []): Promise<void> {
  box.write(join(work, '.piton/hooks/stop/10-changed'), HOOK, 0o755);
  box.write('.config/piton/settings.json', JSON.stringify({ hooks: [BROKEN_POLICY] }));
  expect((await box.piton(['init', '--yes', ...options], { cwd: work })).code).toBe(0);
  expect((await box.piton(['trust', '--all', '--yes'], { cwd: work })).code).toBe(0);
  box.write(join(work, '.piton/hooks/stop/10-changed'), `${HOOK}# since\n`, 0o755);
  box.write(join(work, '.piton/hooks/stop/30-new'), HOOK, 0o755);
}

/** Types the command of a text into a shell, as it stands, and asks for its help so that it does not ask. */
const typed = (command: string, env: NodeJS.ProcessEnv) =>
  spawnSync('/bin/sh', ['-c', `${command} --help`], { cwd: work, env, encoding: 'utf8' });

it('before the command is linked, a text of the server names it by its path, and it can be pasted', async () => {
  await setUp();
  const text = await said();
  const commands = [...text.matchAll(/\S*piton (?:trust|doctor)\b/g)].map(([found]) => found);
  expect(commands.sort()).toEqual(['doctor', 'trust', 'trust'].map((name) => `~/.local/state/piton/runtime/current/piton ${name}`));
  for (const command of commands) expect(typed(command, box.env)).toMatchObject({ status: 0, stderr: '' });
});

it('once it is linked, the name is enough', async () => {
  await setUp(['--link']);
  const PATH = `${join(box.home, '.local/bin')}:${box.env['PATH']}`;
  const commands = [...(await said({ PATH })).matchAll(/\S*piton (?:trust|doctor)\b/g)].map(([found]) => found);
  expect(commands.sort()).toEqual(['piton doctor', 'piton trust', 'piton trust']);
  for (const command of commands) expect(typed(command, { ...box.env, PATH })).toMatchObject({ status: 0, stderr: '' });
});

it('another program of that name is not meant', async () => {
  await setUp();
  box.write('bin/piton', '#!/bin/sh\nexit 9\n', 0o755);
  expect(await said({ PATH: `${join(box.home, 'bin')}:${box.env['PATH']}` })).not.toMatch(/(?<!\/)piton (?:trust|doctor)/);
});

it('the deny that is kept for the time without a server names it by its path too', async () => {
  await setUp();
  const kept = readFileSync(join(placesOf(box.state, box.config).home, 'last-resort', 'user'), 'utf8');
  expect(kept).toContain('Ask the user to run: ~/.local/state/piton/runtime/current/piton doctor');
});
