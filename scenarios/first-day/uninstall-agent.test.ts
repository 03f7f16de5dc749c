import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

// One agent alone: its files are as they were, and whatever is of the others, of the repository and of the machine stays as it is.
const CODEX = '{"hooks":{}, "mine": 1}\n';

let box: Sandbox;
let work: string;
beforeEach(async () => {
  box = sandbox();
  work = box.repository();
  box.write('.claude/settings.json', '{"model":"opus"}');
  box.write('.codex/hooks.json', CODEX);
  expect((await box.piton(['init', '--agents', 'claude,codex,pi', '--link', '--yes'], { cwd: work })).code).toBe(0);
});
afterEach(() => box.end());

const hooks = (): string[] => readdirSync(join(work, '.git/hooks')).filter((name) => !name.endsWith('.sample'));
const registered = async (): Promise<string[]> =>
  (await box.json<{ agents: { agent: string }[] }>(['status'])).agents.map(({ agent }) => agent).sort();

it('takes Piton out of the named agents, and leaves the others, the git hooks, the link and the server', async () => {
  const before = hooks();
  const dry = await box.json<{ changes: { path: string; action: string }[] }>([
    'uninstall',
    '--agent',
    'codex',
    '--agent',
    'pi',
    '--dry-run',
  ]);
  expect(dry.changes.map(({ path }) => path)).toEqual([
    join(box.home, '.codex/hooks.json'),
    join(box.home, '.pi/agent/extensions/piton.js'),
    box.state,
  ]);
  expect(box.read('.codex/hooks.json')).toContain('piton-forward');
  const said = await box.piton(['uninstall', '--agent', 'codex', '--agent', 'pi', '--yes'], { cwd: work });
  expect(said).toMatchObject({ code: 0, stderr: '' });
  expect(box.read('.codex/hooks.json')).toBe(CODEX);
  expect(existsSync(join(box.home, '.pi'))).toBe(false);
  expect(await registered()).toEqual(['claude']);
  expect(hooks()).toEqual(before);
  expect(existsSync(join(box.home, '.local/bin/piton'))).toBe(true);
  expect(said.stdout).not.toContain('server');
  expect(said.stdout).not.toContain('--purge');
});

it('says so where there is nothing to do, and which name is no agent', async () => {
  const said = await box.piton(['uninstall', '--agent', 'gemini', '--yes']);
  expect(said.code).toBe(0);
  expect(said.stdout).toContain('Nothing to do: Piton is not in the user configuration of Gemini CLI');
  expect(await box.piton(['uninstall', '--agent', 'codx'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('did you mean codex?'),
  });
  expect(await box.piton(['uninstall', '--agent', 'codex', '--purge'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--purge cannot be combined with --agent'),
  });
  expect(await registered()).toEqual(['claude', 'codex', 'pi']);
});

it('puts back the hooks that import took out of that agent, and not those of another', async () => {
  await box.piton(['uninstall', '--yes']);
  const own = (command: string): string => JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }, null, 2);
  box.write('.claude/settings.json', own('say claude'));
  box.write('.codex/hooks.json', own('say codex'));
  expect((await box.piton(['init', '--agents', 'claude,codex', '--yes'])).code).toBe(0);
  expect((await box.piton(['import', '--remove-original', '--yes'])).code).toBe(0);
  expect((await box.piton(['uninstall', '--agent', 'codex', '--yes'])).code).toBe(0);
  expect(box.read('.codex/hooks.json')).toBe(own('say codex'));
  expect(box.read('.claude/settings.json')).not.toContain('say claude');
  expect((await box.piton(['uninstall', '--yes'])).code).toBe(0);
  expect(box.read('.claude/settings.json')).toBe(own('say claude'));
});

it('takes the registrations of a repository alone with --project', async () => {
  await box.piton(['uninstall', '--agent', 'codex', '--yes']);
  expect((await box.piton(['init', '--project', '--agent', 'codex', '--yes'], { cwd: work })).code).toBe(0);
  expect(execFileSync('git', ['status', '--short'], { cwd: work, env: box.env, encoding: 'utf8' })).toContain('.codex/');
  expect((await box.piton(['uninstall', '--project', '--agent', 'codex', '--yes'], { cwd: work })).code).toBe(0);
  expect(existsSync(join(work, '.codex'))).toBe(false);
  expect(await registered()).toEqual(['claude', 'pi']);
  expect(hooks()).not.toEqual([]);
});
