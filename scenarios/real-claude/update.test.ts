import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BedStep, bash, claudeDriver, describeReal, describeWhere, runAgent, selectAll, talk, type Workspace } from '@piton/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installGlobally, packHere, startDependencies } from '../install/global.ts';
import { olderCommit, olderPackage } from '../install/older-package.ts';
import { addUserHook, newStage, shell, stateOf } from './setup.ts';

const LOAD = fileURLToPath(new URL('../install/load.mjs', import.meta.url));
const CALLS = 12;
const NAMES = Array.from({ length: CALLS }, (_, at) => `file-${at}.txt`);

/** Denies what is forbidden, and notes each call that it was asked about. */
const guard = (log: string): string => `#!/bin/sh
payload=$(cat)
id=$(printf '%s' "$payload" | sed -n 's/.*"tool_use_id":"\\([^"]*\\)".*/\\1/p')
echo "$id" >> '${log}'
case $payload in *'"command":"forbidden'*) echo 'This is forbidden.' >&2; exit 2 ;; esac
`;

let base: string;
/** The command of each package, as npm installs it. */
const commands = { older: '', newer: '' };

const commit = olderCommit();
describeWhere(commit === null ? 'the history of this clone has no older Piton that can be packed' : null, 'an update', () => {
  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-update-')));
    const tarballs = { older: olderPackage(commit ?? ''), newer: packHere(base) };
    const registry = await startDependencies(base);
    for (const which of ['older', 'newer'] as const)
      commands[which] = join(await installGlobally(base, registry, tarballs[which], which), 'bin', 'piton');
    await registry.end();
  }, 600_000);
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  describeReal('claude', 'from an older package to this one and back', () => {
    test('under load nothing is lost, nothing is doubled, and there is one server', { timeout: 600_000 }, async () => {
      const workspace = newStage();
      const asked = join(workspace.state, 'asked');
      addUserHook(workspace, 'pre-tool-use', guard(asked));
      const facts = await runAgent(claudeDriver, workspace, {
        script: talk(...NAMES.map((name) => bash(`echo one > ${name}`)), { text: 'Finished.' }),
        limitMs: 400_000,
        before: [by('older', 'init', '--agent', 'claude', '--yes'), load(workspace)],
        during: [
          {
            request: 4,
            steps: [enough(workspace, 30), by('newer', 'sessions', '--json'), by('newer', 'init', '--agent', 'claude', '--yes')],
          },
          { request: 8, steps: [enough(workspace, 90), { ...by('older', 'init', '--agent', 'claude', '--yes'), name: 'back' }] },
        ],
        after: [enough(workspace, 150), stopLoad(workspace), by('older', 'status', '--json'), servers],
      });
      for (const { name, exit, stdout, stderr } of [facts.step('older init'), facts.step('newer init'), facts.step('back')])
        expect({ name, exit, stderr, stdout }).toMatchObject({ exit: 0, stderr: '' });
      expect(facts.step('newer sessions').stderr).toMatch(/^note: your agents still run .* To move them to this one: .* init\n$/);
      expect(facts.step('newer init').stdout).toContain('the server of the older runtime');

      // The agent's own calls: each answered, none stopped.
      expect(facts.exit).toBe(0);
      expect(facts.appeared).toEqual(expect.arrayContaining(NAMES));
      // The others: each answered as the hook says.
      const calls = resultsOf(workspace);
      expect(calls.length).toBeGreaterThan(150);
      const wrong = calls.filter(
        ({ code, stdout, stderr, command }) => code !== 0 || stderr !== '' || stdout.includes('"deny"') !== command.startsWith('forbidden'),
      );
      expect(wrong).toEqual([]);

      // Each is recorded once, and the hook was asked about each once.
      const recorded = (where: string): string[] =>
        selectAll(
          join(stateOf(workspace), 'piton.db'),
          `SELECT tool_use_id AS id FROM events WHERE native_event = 'PreToolUse' AND derived = 0 AND canary = 0 ${where}`,
        )
          .map(({ id }) => String(id))
          .sort();
      const sent = calls.map(({ id }) => id).sort();
      expect(recorded("AND provider_ref = 'load'")).toEqual(sent);
      expect(recorded('')).toHaveLength(sent.length + CALLS);
      expect(recorded('AND late = 1')).toEqual([]);
      const told = (workspace.read(asked) ?? '').split('\n').filter(Boolean);
      expect(told.filter((id) => id.startsWith('load-')).sort()).toEqual(sent);
      expect(told).toHaveLength(sent.length + CALLS);

      expect(facts.step('servers').stdout).toBe('1\n');
      expect(JSON.parse(facts.step('older status').stdout)).toMatchObject({ ok: true });
      const runtimes = readdirSync(join(stateOf(workspace), 'runtime')).filter((name) => name !== 'current');
      expect(runtimes).toHaveLength(2);
    });
  });
});

const by = (which: keyof typeof commands, ...args: string[]): BedStep => ({
  name: `${which} ${args[0]}`,
  argv: [process.execPath, commands[which], ...args],
  env: { PITON_ALLOW_UNDER_AGENT: '1' },
  limitMs: 120_000,
});

const fileOf = (workspace: Workspace, name: string): string => join(workspace.state, name);
const resultsOf = (workspace: Workspace) =>
  workspace.readLines(fileOf(workspace, 'results')) as readonly {
    id: string;
    command: string;
    code: number;
    stdout: string;
    stderr: string;
  }[];

const load = (workspace: Workspace): BedStep => {
  const forwarder = join(stateOf(workspace), 'runtime/current/piton-forward');
  const words = [LOAD, forwarder, workspace.repo, fileOf(workspace, 'results'), fileOf(workspace, 'stop'), 'load'];
  return shell('load', `'${process.execPath}' ${words.map((word) => `'${word}'`).join(' ')} > /dev/null 2>&1 &`);
};
const stopLoad = (workspace: Workspace): BedStep =>
  shell('stop the load', `: > '${fileOf(workspace, 'stop')}'; until [ -e '${fileOf(workspace, 'stop')}.done' ]; do sleep 0.1; done`);
/** Waits until so many of the others' calls were answered: what comes next happens among them. */
const enough = (workspace: Workspace, calls: number): BedStep => ({
  ...shell(`${calls} calls`, `until [ "$(wc -l < '${fileOf(workspace, 'results')}')" -ge ${calls} ]; do sleep 0.1; done`),
  limitMs: 120_000,
});
/** Servers that have not been told to go, after the last that was has finished. */
const servers: BedStep = {
  ...shell(
    'servers',
    `count() { n=0; for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline 2>/dev/null | grep -q 'server\\.cjs' && n=$((n+1)); done; }
count; for wait in 1 2 3 4 5 6 7 8 9 10; do [ $n -le 1 ] && break; sleep 1; count; done; echo $n`,
  ),
  limitMs: 60_000,
};
