import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registrationArgs } from '@piton/contracts';
import {
  ask,
  createTestHome,
  eventually,
  registration,
  removeHome,
  runForwarder,
  selectAll,
  type TestHome,
  writeHook,
} from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const shell = (command: string, id = command) => ({
  session_id: 's1',
  hook_event_name: 'PreToolUse',
  cwd: home.work,
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: id,
});
const answer = (stdout: string) => JSON.parse(stdout).hookSpecificOutput as Record<string, unknown>;
const rows = (sql: string) => selectAll(home.places.store, sql);
const flush = () => ask(home, 'POST', '/v1/flush');

describe('hooks of one event', () => {
  it('run in name order, and a failing one does not stop the next', async () => {
    const log = join(home.root, 'log');
    for (const name of ['30-c', '10-a', '20-b'])
      writeHook(home, 'pre-tool-use', name, `#!/bin/sh\necho ${name} >> ${log}\nexit ${name === '10-a' ? 9 : 0}\n`);
    expect((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout).toBe('{}');
    expect(readFileSync(log, 'utf8')).toBe('10-a\n20-b\n30-c\n');
    await flush();
    expect(rows('SELECT hook, exit_code, failed FROM hook_runs ORDER BY at')).toEqual([
      { hook: 'user:pre-tool-use/10-a', exit_code: 9, failed: 'exit' },
      { hook: 'user:pre-tool-use/20-b', exit_code: 0, failed: null },
      { hook: 'user:pre-tool-use/30-c', exit_code: 0, failed: null },
    ]);
  });

  it('of the generic name run before those of the kind', async () => {
    const log = join(home.root, 'log');
    writeHook(home, 'pre-shell-execution', '10-kind', `#!/bin/sh\necho kind >> ${log}\n`);
    writeHook(home, 'pre_tool_use', '90-generic', `#!/bin/sh\necho generic >> ${log}\n`);
    await runForwarder(home, 'PreToolUse', shell('ls'));
    expect(readFileSync(log, 'utf8')).toBe('generic\nkind\n');
  });

  it('take effect from the next event on when they are added, changed or removed', async () => {
    expect((await runForwarder(home, 'PreToolUse', shell('a'))).stdout).toBe('{}');
    const path = writeHook(home, 'pre-tool-use', '10-no', '#!/bin/sh\necho first >&2; exit 2\n');
    expect(answer((await runForwarder(home, 'PreToolUse', shell('b'))).stdout).permissionDecisionReason).toBe('first');
    writeFileSync(path, '#!/bin/sh\necho second >&2; exit 2\n');
    expect(answer((await runForwarder(home, 'PreToolUse', shell('c'))).stdout).permissionDecisionReason).toBe('second');
    chmodSync(path, 0o644);
    expect((await runForwarder(home, 'PreToolUse', shell('d'))).stdout).toBe('{}');
    rmSync(path);
    expect((await runForwarder(home, 'PreToolUse', shell('e'))).stdout).toBe('{}');
  });

  it('see what the agent gave: its environment, its directory, and the event as data', async () => {
    const out = join(home.root, 'out');
    writeHook(
      home,
      'pre-tool-use',
      '10-look',
      `#!/bin/sh\n{ pwd; echo "$FROM_AGENT|$GIT_DIR|$TOOL_NAME|$PITON_TOOL_COMMAND"; cat; } > ${out}\n`,
    );
    const hostile = 'echo "; rm -rf ~" $(id) `id`';
    await runForwarder(home, 'PreToolUse', shell(hostile), { env: { FROM_AGENT: 'yes', GIT_DIR: '/elsewhere' } });
    const [cwd, environment, payload] = readFileSync(out, 'utf8').split('\n');
    expect(cwd).toBe(home.work);
    expect(environment).toBe(`yes||Bash|${hostile}`);
    expect(JSON.parse(payload as string)).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: hostile },
      piton: { event: 'pre_tool_use', agent: 'claude', tool: { kind: 'shell', command: hostile, files: [] } },
    });
  });
});

describe('events that nothing can block', () => {
  it('are answered before their hooks run, and what these did is noted', async () => {
    const go = join(home.root, 'go');
    const done = join(home.root, 'done');
    writeHook(home, 'session-end', '10-slow', `#!/bin/sh\nuntil [ -e ${go} ]; do sleep 0.05; done\ntouch ${done}\necho watched\n`);
    const { stdout } = await runForwarder(
      home,
      'SessionEnd',
      { session_id: 's1', hook_event_name: 'SessionEnd', reason: 'other', cwd: home.work },
      { timeoutMs: 10_000 },
    );
    expect(stdout).toBe('{}');
    expect(existsSync(done)).toBe(false);
    writeFileSync(go, '');
    expect(await eventually(() => existsSync(done))).toBe(true);
    const noted = () => rows('SELECT hook, exit_code, observed FROM hook_runs');
    await eventually(async () => {
      await flush();
      return noted().length === 1;
    });
    expect(noted()).toEqual([{ hook: 'user:session-end/10-slow', exit_code: 0, observed: 1 }]);
  });
});

describe('an agent inside a hook', () => {
  const nested = (home: TestHome, event: string, id: string) =>
    `printf '%s' '${JSON.stringify({ session_id: 'inner', hook_event_name: event, cwd: home.work, tool_name: 'Bash', tool_input: { command: id }, tool_use_id: id })}' | ${home.places.forwarder} ${registrationArgs(registration(event)).join(' ')}`;

  it('does not run hooks again: its events are recorded as children', async () => {
    const log = join(home.root, 'log');
    writeHook(home, 'pre-tool-use', '10-nest', `#!/bin/sh\necho ran >> ${log}\n${nested(home, 'PreToolUse', 'inner-call')} > /dev/null\n`);
    expect((await runForwarder(home, 'PreToolUse', shell('outer'))).stdout).toBe('{}');
    expect(readFileSync(log, 'utf8')).toBe('ran\n');
    await flush();
    const [outer] = rows("SELECT event_id, depth, parent_id FROM events WHERE tool_use_id = 'outer'");
    expect(outer).toMatchObject({ depth: 0, parent_id: null });
    expect(rows("SELECT depth, parent_id FROM events WHERE tool_use_id = 'inner-call'")).toEqual([
      { depth: 1, parent_id: outer?.event_id },
    ]);
  });

  it('is still held by a hook that must hold', async () => {
    const out = join(home.root, 'out');
    writeFileSync(
      join(home.places.config, 'settings.json'),
      JSON.stringify({
        hooks: [
          {
            name: 'guard',
            event: 'pre_tool_use',
            command: 'grep -q inner-call && { echo not inside either >&2; exit 2; }; exit 0',
            fail_closed: true,
          },
        ],
      }),
    );
    writeHook(home, 'pre-tool-use', '10-nest', `#!/bin/sh\n${nested(home, 'PreToolUse', 'inner-call')} > ${out}\n`);
    await runForwarder(home, 'PreToolUse', shell('outer'));
    expect(answer(readFileSync(out, 'utf8'))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('not inside either'),
    });
  });

  it('is not believed when no such hook runs: PITON_DEPTH alone switches nothing off', async () => {
    writeHook(home, 'pre-tool-use', '10-no', '#!/bin/sh\necho no >&2; exit 2\n');
    const { stdout } = await runForwarder(home, 'PreToolUse', shell('ls'), {
      env: { PITON_DEPTH: '2', PITON_RUN: '01JD0000000000000000000000', PITON_CANARY: 'made-up' },
    });
    expect(answer(stdout).permissionDecision).toBe('deny');
  });
});

describe('one event through two registrations', () => {
  it('is one event, and both are denied', async () => {
    const log = join(home.root, 'log');
    writeHook(home, 'pre-tool-use', '10-no', `#!/bin/sh\necho ran >> ${log}\necho no >&2; exit 2\n`);
    const project = registrationArgs({ ...registration('PreToolUse'), scope: 'project' });
    const first = runForwarder(home, 'PreToolUse', shell('ls', 'same-call'));
    const child = spawn(home.places.forwarder, project, { cwd: home.work });
    let second = '';
    child.stdout.on('data', (data) => (second += data));
    child.stdin.end(JSON.stringify(shell('ls', 'same-call')));
    await new Promise((resolve) => child.on('close', resolve));
    expect(answer((await first).stdout).permissionDecision).toBe('deny');
    expect(answer(second).permissionDecision).toBe('deny');
    expect(readFileSync(log, 'utf8')).toBe('ran\n');
    await flush();
    expect(rows('SELECT 1 FROM events WHERE derived = 0')).toHaveLength(1);
  });
});

it('a deny of ours is also recorded as the failure that no agent reports', async () => {
  writeHook(home, 'pre-tool-use', '10-no', '#!/bin/sh\necho no >&2; exit 2\n');
  await runForwarder(home, 'PreToolUse', shell('ls'));
  await flush();
  expect(rows('SELECT event FROM events WHERE derived = 1 ORDER BY event')).toEqual([
    { event: 'permission_denied' },
    { event: 'post_tool_use_failure' },
  ]);
});

it('a guard of the session’s root still holds after cd', async () => {
  const root = join(home.work, 'project');
  const elsewhere = join(home.root, 'elsewhere');
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(elsewhere);
  const local = join(root, '.piton', 'hooks', 'pre-tool-use');
  mkdirSync(local, { recursive: true });
  writeFileSync(join(local, '10-no'), '#!/bin/sh\necho project says no >&2; exit 2\n', { mode: 0o755 });
  const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');
  const trusted = spawn(process.execPath, [cli, 'trust', '--all', '--yes'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root, PITON_ALLOW_UNDER_AGENT: '1' },
  });
  expect(await new Promise((resolve) => trusted.on('close', resolve))).toBe(0);
  await runForwarder(
    home,
    'SessionStart',
    { session_id: 's1', hook_event_name: 'SessionStart', source: 'startup', cwd: root },
    { cwd: root },
  );
  const { stdout } = await runForwarder(home, 'PreToolUse', { ...shell('ls'), cwd: elsewhere }, { cwd: elsewhere });
  expect(answer(stdout).permissionDecisionReason).toContain('project says no');
});
