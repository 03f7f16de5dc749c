import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { killServers } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Said, type Sandbox, sandbox } from '../first-day/sandbox.ts';

let box: Sandbox;
let project: string;

/** A person with Claude Code alone, and two hooks: one that must hold, and one that need not. */
beforeEach(async () => {
  box = sandbox();
  project = box.repository();
  const refuse = (name: string, word: string) => ({
    ...{ name, event: 'pre_shell_execution' },
    command: `case "$PITON_TOOL_COMMAND" in *${word}*) echo "no ${word} here" >&2; exit 2;; esac`,
  });
  const hooks = [{ ...refuse('no-publish', 'publish'), fail_closed: true }, refuse('no-deploy', 'deploy')];
  box.write('.config/piton/settings.json', JSON.stringify({ hooks }));
  expect((await box.piton(['init', '--yes', '--agents', 'claude', '--no-git'])).code).toBe(0);
});
afterEach(() => box.end());

/** Another agent that runs what stands in Claude Code's settings: a program of its own name, which starts the registered command. */
function strangerRuns(payload: object | string, event = 'PreToolUse'): Promise<Said> {
  const program = join(box.home, 'auggie');
  mkdirSync(box.home, { recursive: true });
  copyFileSync(realpathSync('/bin/sh'), program);
  const file = join(box.home, 'payload.json');
  writeFileSync(file, typeof payload === 'string' ? payload : JSON.stringify(payload));
  const child = spawn(program, ['-c', `${commandOf(event)} < ${file}; exit $?`], { cwd: project, env: box.env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** As it stands in the settings. */
function commandOf(event: string): string {
  type Line = { command: string; args?: string[] };
  const { hooks } = JSON.parse(readFileSync(box.settings, 'utf8')) as { hooks: Record<string, [{ hooks: [Line] }]> };
  const [entry] = hooks[event] ?? [];
  const [line = { command: 'false' }] = entry?.hooks ?? [];
  const { command, args = [] }: Line = line;
  return [command, ...args].map((word) => `'${word}'`).join(' ');
}

/** As Auggie sends its payloads, which runs no settings of Claude Code's. */
const stranger = (tool_input?: object, tool_name = 'launch-process') => ({
  ...{ hook_event_name: 'PreToolUse', conversation_id: 'a-1', workspace_roots: [project], is_mcp_tool: false },
  ...{ tool_name, ...(tool_input && { tool_input }) },
});

const denied = ({ stdout }: Said): boolean =>
  (JSON.parse(stdout || '{}') as { hookSpecificOutput?: { permissionDecision?: string } }).hookSpecificOutput?.permissionDecision ===
  'deny';

const REFUSED = { code: 2, denied: true };
const PASSED = { code: 0, denied: false };
const seen = (said: Said) => ({ code: said.code, denied: denied(said) });

describe('an agent that nobody knows runs the hooks of Claude Code', { timeout: 120_000 }, () => {
  const calls = () => ({
    'a hook that must hold': [stranger({ command: 'npm publish' }), REFUSED],
    'the built-in guard': [stranger({ command: `rm -rf ${box.state}` }), REFUSED],
    'a file of Piton': [stranger({ path: join(box.state, 'trust') }, 'str-replace-editor'), REFUSED],
    'a call without its command': [stranger(), REFUSED],
    'nothing to refuse': [stranger({ command: 'ls' }), PASSED],
  });

  it('is guarded on what can be read of its calls, and refused by exit code and in words', async () => {
    for (const [name, [payload, expected]] of Object.entries(calls()))
      expect({ name, ...seen(await strangerRuns(payload as object)) }).toEqual({ name, ...(expected as object) });
    const deployed = await strangerRuns(stranger({ command: 'make deploy' }));
    expect(seen(deployed)).toEqual(REFUSED);
    expect(deployed.stderr).toContain('no deploy here');
  });

  it('is guarded where no server can start', async () => {
    killServers({ places: placesOf(box.state, box.config) });
    writeFileSync(join(box.state, 'runtime/current/server.cjs'), 'process.exit(1);');
    for (const [name, [payload, expected]] of Object.entries(calls()))
      expect({ name, ...seen(await strangerRuns(payload as object)) }).toEqual({ name, ...(expected as object) });
  });

  it('is recorded as what it is, and named by status and doctor', async () => {
    await strangerRuns(stranger({ command: 'ls' }));
    await strangerRuns(stranger({ command: 'npm publish' }));
    const events = await box.json<{ agent: string; via: string; event: string; problems: string[] }[]>(['events', '--agent', 'unknown']);
    expect(events.filter(({ event }) => event === 'pre_tool_use')).toMatchObject([
      { agent: 'unknown', via: 'claude:PreToolUse:user' },
      { agent: 'unknown', via: 'claude:PreToolUse:user' },
    ]);
    expect(await box.json(['events', '--agent', 'claude'])).toEqual([]);

    const status = await box.piton(['status']);
    expect(status.stdout).toContain('something that is not Claude Code runs its hooks');
    const { findings } = await box.json<{ findings: { id: string; kind: string; what: string; where?: string }[] }>(['doctor']);
    const found = findings.filter(({ id }) => id === 'agent.unknown');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ kind: 'note', where: box.settings });
    expect(found[0]?.what).toMatch(/seems from Auggie: it has conversation_id, workspace_roots/);
    expect(found[0]?.what).toContain('run by the program auggie');
    expect(findings.filter(({ id }) => id === 'event.odd')).toEqual([]);
  });

  it('is not named while Claude Code alone runs them', async () => {
    const own = { session_id: 's', transcript_path: '/h/.claude/projects/p/s.jsonl', cwd: project, hook_event_name: 'PreToolUse' };
    expect(seen(await strangerRuns({ ...own, tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' }))).toEqual(PASSED);
    expect((await box.piton(['status'])).stdout).not.toContain('is not Claude Code');
    expect(await box.json(['events', '--agent', 'unknown'])).toEqual([]);
  });
});

describe('a payload over 32 MiB', { timeout: 240_000 }, () => {
  const huge = (event: string) =>
    JSON.stringify({
      ...{ session_id: 's', transcript_path: '/h/.claude/projects/p/s.jsonl', cwd: project, hook_event_name: event },
      ...{ tool_name: 'Write', tool_input: { file_path: '/code/a.txt', content: 'x'.repeat(33 * 1024 * 1024) }, tool_use_id: 't' },
    });

  it.each(['with a server', 'where no server can start'])(
    'of a call that is about to happen is refused, with the reason, %s',
    async (where) => {
      box.write('.config/piton/settings.json', '{}');
      await box.piton(['init', '--yes', '--agents', 'claude', '--no-git']);
      if (where !== 'with a server') {
        killServers({ places: placesOf(box.state, box.config) });
        writeFileSync(join(box.state, 'runtime/current/server.cjs'), 'process.exit(1);');
      }
      const before = await strangerRuns(huge('PreToolUse'));
      expect({ ...seen(before), stderr: before.stderr }).toEqual({ code: 0, denied: true, stderr: '' });
      expect(before.stdout).toMatch(/cannot be checked: its tool could not be read: payload of \d+ bytes was truncated at 33554432/);
      const after = await strangerRuns(huge('PostToolUse'), 'PostToolUse');
      expect(seen(after)).toEqual(PASSED);
    },
  );
});
