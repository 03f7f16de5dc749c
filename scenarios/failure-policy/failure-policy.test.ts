import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { registrationArgs } from '@piton/contracts';
import {
  ask,
  createTestHome,
  eventually,
  execute,
  keptForUser,
  killServers,
  registration,
  removeHome,
  runForwarder,
  selectAll,
  serverPids,
  type TestHome,
  writeHook,
} from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');
const NOTHING = { code: 0, stdout: '', stderr: '' };
const NOOP = { code: 0, stdout: '{}', stderr: '' };

/** Mounting a file system and becoming another user need root; elsewhere these are skipped by name. */
const asRoot = it.skipIf(process.getuid?.() !== 0);

let home: TestHome;
let impostor: Server | undefined;
beforeEach(() => {
  home = createTestHome();
});
afterEach(async () => {
  for (const pid of serverPids(home)) process.kill(pid, 'SIGCONT');
  impostor?.close();
  impostor = undefined;
  spawnSync('chmod', ['-R', 'u+rwX', home.root]);
  await removeHome(home);
});

const event = (name: string, more: object = {}) => ({ session_id: 's1', hook_event_name: name, cwd: home.work, ...more });
const shell = (command: string) =>
  event('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${command.length}` });

async function storedRows(count: number): Promise<Record<string, unknown>[]> {
  const read = () => selectAll(home.places.store, 'SELECT * FROM events WHERE derived = 0 ORDER BY seq');
  await eventually(async () => {
    await ask(home, 'POST', '/v1/flush');
    try {
      return read().length >= count;
    } catch {
      return false;
    }
  });
  return read();
}

function doctor(): string {
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'doctor'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root },
  });
  return stdout + stderr;
}

const ownJournal = (): string[] => readdirSync(home.places.journal).filter((name) => name.endsWith('.frame'));

describe('the server', () => {
  it('is started by the first event when it is dead, and answers it', async () => {
    expect(await runForwarder(home, 'PreToolUse', shell('ls'))).toEqual(NOOP);
    killServers(home);
    expect(await runForwarder(home, 'PreToolUse', shell('pwd'))).toEqual(NOOP);
    expect(await storedRows(2)).toHaveLength(2);
    expect(serverPids(home)).toHaveLength(1);
  });

  it('may hang: the agent goes on, and the event is stored once it goes on', async () => {
    await runForwarder(home, 'SessionStart', event('SessionStart'));
    const [pid] = serverPids(home);
    process.kill(pid as number, 'SIGSTOP');
    expect(await runForwarder(home, 'PreToolUse', shell('ls'))).toEqual(NOOP);
    expect(ownJournal()).toHaveLength(1);
    expect(doctor()).toMatch(/does not answer|not answering/i);
    process.kill(pid as number, 'SIGCONT');
    expect(await storedRows(2)).toHaveLength(2);
    expect(await eventually(() => ownJournal().length === 0)).toBe(true);
  });

  it('may be slow: a hook that outlasts the budget is cut, and the agent goes on', async () => {
    writeHook(home, 'pre-tool-use', '10-slow', '#!/bin/sh\nsleep 60\n');
    await runForwarder(home, 'SessionStart', event('SessionStart'));
    // Of its ten seconds half of one is left for the answer after the cut, also where the machine is busy.
    expect(await runForwarder(home, 'PreToolUse', shell('ls'), { timeoutMs: 10_000 })).toEqual(NOOP);
    await storedRows(2);
    expect(selectAll(home.places.store, 'SELECT * FROM decisions')).toEqual([]);
    const runs = selectAll(home.places.store, 'SELECT * FROM hook_runs');
    expect(runs).toHaveLength(1);
    expect(JSON.stringify(runs)).toContain('budget');
  });

  it('may be of another version that cannot read the frame', async () => {
    mkdirSync(home.places.sockets, { recursive: true, mode: 0o700 });
    impostor = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.concat([Buffer.from([0x58, 3, 0, 0, 0]), Buffer.from('old')])));
    });
    await new Promise<void>((resolve) => impostor?.listen(home.places.hookSocket, resolve));
    expect(await runForwarder(home, 'PreToolUse', shell('ls'))).toEqual(NOOP);
    expect(ownJournal()).toHaveLength(1);
  });

  it('may crash at every start: after a few it is left alone, and the agent goes on', async () => {
    writeFileSync(join(home.places.runtime, 'test', 'server.cjs'), 'process.exit(1);');
    mkdirSync(home.places.environment, { recursive: true, mode: 0o700 });
    writeFileSync(join(home.places.environment, 'backoff'), `${Date.now() + 60_000} 7 the server ended before it had proven itself\n`);
    expect(await runForwarder(home, 'PreToolUse', shell('ls'))).toEqual(NOOP);
    expect(ownJournal()).toHaveLength(1);
    expect(doctor()).toMatch(/7 (times|starts)|failed 7|ended before it had proven itself/i);
  });
});

describe('the machine', () => {
  it('may have lost Node', async () => {
    writeFileSync(join(home.places.runtime, 'test', 'node'), '/nowhere/node\n');
    expect(await runForwarder(home, 'PreToolUse', shell('ls'), { env: { PATH: '/nowhere' } })).toEqual(NOTHING);
    expect(ownJournal()).toHaveLength(1);
    expect(doctor()).toMatch(/\/nowhere\/node/);
  });

  it('may have no HOME', async () => {
    expect(await runForwarder(home, 'PreToolUse', shell('ls'), { env: { HOME: '' } })).toEqual(NOOP);
  });

  it('may have deleted the working directory', async () => {
    const gone = join(home.root, 'gone');
    mkdirSync(gone);
    const child = spawn(
      'sh',
      ['-c', 'rmdir "$1"; shift; exec "$@"', '_', gone, home.places.forwarder, ...registrationArgs(registration('PreToolUse'))],
      { cwd: gone },
    );
    let stdout = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stdin.end(JSON.stringify(shell('ls')));
    await new Promise((resolve) => child.on('close', resolve));
    expect(stdout).toBe('{}');
    expect(await storedRows(1)).toHaveLength(1);
  });
});

describe('another user of the machine', () => {
  asRoot('can neither read the store nor talk to the sockets', async () => {
    await runForwarder(home, 'SessionStart', event('SessionStart'));
    await storedRows(1);
    chmodSync(home.root, 0o755);
    const as = (...argv: string[]) =>
      spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...argv], { encoding: 'utf8' });
    expect(as('true').status).toBe(0);
    expect(as('cat', home.places.store).status).not.toBe(0);
    expect(as('ls', home.places.sockets).status).not.toBe(0);
    const talk = "require('net').connect(process.argv[1]).on('connect', () => process.exit(0)).on('error', () => process.exit(9))";
    for (const socket of [home.places.hookSocket, home.places.cliSocket]) expect(as(process.execPath, '-e', talk, socket).status).toBe(9);
  });

  asRoot('who runs the forwarder by sudo gets silence, and leaves nothing behind', async () => {
    spawnSync('chown', ['-R', '65534', home.places.home]);
    expect(await runForwarder(home, 'PreToolUse', shell('ls'))).toEqual(NOTHING);
    expect(existsSync(home.places.environment)).toBe(false);
  });
});

describe('the payload', () => {
  const cases: [string, Buffer | string, RegExp][] = [
    ['nothing', '', /no payload/],
    ['not JSON', 'hello there', /not JSON/],
    ['half a JSON value', '{"session_id":', /not JSON/],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /not JSON/],
  ];
  for (const [what, bytes, problem] of cases) {
    it(`may be ${what}`, async () => {
      // A server that a busy machine keeps waiting is left alone: then the forwarder is silent, which is a no-op as well.
      const silence = { ...NOOP, stdout: '' };
      const ended = await runForwarder(home, 'PostToolUse', bytes);
      expect([NOOP, silence]).toContainEqual(ended);
      // Then nobody may have started one that stays: the next event would.
      if (ended.stdout === '') spawnSync(home.places.forwarder, ['--serve']);
      const [row] = await storedRows(1);
      expect(String(row?.problems)).toMatch(problem);
    });

    it(`is refused before a call if it is ${what}: nobody can tell what the call does`, async () => {
      const { code, stdout, stderr } = await runForwarder(home, 'PreToolUse', bytes);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { hookSpecificOutput: said } = JSON.parse(stdout) as { hookSpecificOutput: Record<string, string> };
      expect(said).toMatchObject({ permissionDecision: 'deny' });
      expect(said.permissionDecisionReason).toMatch(/cannot be checked: its tool could not be read/);
      expect(said.permissionDecisionReason).toMatch(problem);
    });
  }

  it('may never end', async () => {
    const child = spawn(home.places.forwarder, registrationArgs(registration('PreToolUse')), {
      cwd: home.work,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.write(JSON.stringify(shell('ls')));
    let stdout = '';
    child.stdout.on('data', (data) => (stdout += data));
    await new Promise((resolve) => child.on('close', resolve));
    expect(stdout).toBe('{}');
    expect(await storedRows(1)).toHaveLength(1);
  });

  it('passes whole at 32 MiB', async () => {
    const sized = (length: number) =>
      JSON.stringify(
        event('PreToolUse', { tool_name: 'Write', tool_input: { file_path: '/x', content: 'x'.repeat(length) }, tool_use_id: 't' }),
      );
    const text = sized(32 * 1024 * 1024 - sized(0).length);
    expect(Buffer.byteLength(text)).toBe(32 * 1024 * 1024);
    expect(await runForwarder(home, 'PreToolUse', text)).toEqual(NOOP);
    const [row] = await storedRows(1);
    expect(row).toMatchObject({ truncated: 0, payload_size: 32 * 1024 * 1024 });
  });

  it('of 100 MB is recorded as truncated', async () => {
    const text = JSON.stringify(shell('x'.repeat(100_000_000)));
    expect((await runForwarder(home, 'PreToolUse', text)).stdout).toContain('bytes was truncated at 33554432');
    const [row] = await storedRows(1);
    expect(row).toMatchObject({ truncated: 1, payload_size: Buffer.byteLength(text) });
  });
});

it('an agent that closes stdout gets its event recorded all the same', async () => {
  const args = registrationArgs(registration('PreToolUse'));
  const child = spawn('sh', ['-c', 'exec "$0" "$@" >&-', home.places.forwarder, ...args], {
    cwd: home.work,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(JSON.stringify(shell('ls')));
  await new Promise((resolve) => child.on('close', resolve));
  expect(await storedRows(1)).toHaveLength(1);
});

describe('a fail_closed hook', () => {
  const guard = { hooks: [{ name: 'guard', event: 'pre_tool_use', matcher: 'Bash', command: 'exit 0', fail_closed: true }] };
  const setUp = async (settings: object) => {
    writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify(settings));
    await runForwarder(home, 'SessionStart', event('SessionStart'));
    await eventually(() => keptForUser(home).includes('(guard)'));
  };

  it('lets pass what it lets pass', async () => {
    await setUp(guard);
    expect(await runForwarder(home, 'PreToolUse', shell('ls'))).toEqual(NOOP);
  });

  it('denies when it crashes', async () => {
    await setUp({ hooks: [{ ...guard.hooks[0], command: 'exit 7' }] });
    expect((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout).toMatch(/"permissionDecision":"deny".*guard/);
  });

  it('denies a payload that cannot be read', async () => {
    await setUp(guard);
    expect((await runForwarder(home, 'PreToolUse', 'not json')).stdout).toMatch(/"permissionDecision":"deny"/);
  });

  it('denies a payload that cannot be read also where it is for one kind of tool', async () => {
    await setUp({ hooks: [{ ...guard.hooks[0], event: 'pre_shell_execution' }] });
    expect((await runForwarder(home, 'PreToolUse', 'not json')).stdout).toMatch(/"permissionDecision":"deny"/);
    expect(await runForwarder(home, 'PreToolUse', shell('ls'))).toEqual(NOOP);
  });

  it('is run by the client when there is no server to be had', async () => {
    const seen = join(home.root, 'seen');
    await setUp({ hooks: [{ ...guard.hooks[0], command: `cat > ${seen}; echo blocked by policy >&2; exit 2` }] });
    killServers(home);
    writeFileSync(join(home.places.runtime, 'test', 'server.cjs'), 'process.exit(1);');
    const { code, stdout } = await runForwarder(home, 'PreToolUse', shell('ls'), { timeoutMs: 30_000 });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('blocked by policy'),
    });
    expect(JSON.parse(readFileSync(seen, 'utf8'))).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'ls' } });
  });

  it('denies with the bytes that the server left when Node is gone too', async () => {
    await setUp(guard);
    killServers(home);
    writeFileSync(join(home.places.runtime, 'test', 'node'), '/nowhere/node\n');
    const { stdout } = await runForwarder(home, 'PreToolUse', shell('ls'), { env: { PATH: '/nowhere' } });
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'deny' });
  });
});

describe('the store', () => {
  const restart = async () => {
    killServers(home);
    await eventually(() => serverPids(home).length === 0);
  };

  it('that is damaged is kept, and a new one stores the event', async () => {
    await runForwarder(home, 'SessionStart', event('SessionStart'));
    await storedRows(1);
    await restart();
    for (const suffix of ['-wal', '-shm']) rmSync(home.places.store + suffix, { force: true });
    writeFileSync(home.places.store, 'this was a database once '.repeat(1000));
    expect(await runForwarder(home, 'PreToolUse', shell('ls'))).toEqual(NOOP);
    expect((await storedRows(1)).map((row) => row.native_event)).toContain('PreToolUse');
    expect(readdirSync(home.places.home).some((name) => name.includes('corrupt'))).toBe(true);
  });

  it('of a newer Piton is left as it is: decisions go on, and events wait in the journal', async () => {
    await runForwarder(home, 'SessionStart', event('SessionStart'));
    await storedRows(1);
    await restart();
    const version = Number(selectAll(home.places.store, 'PRAGMA user_version')[0]?.user_version);
    execute(home.places.store, 'PRAGMA user_version = 999');
    const before = selectAll(home.places.store, 'SELECT * FROM events');
    writeHook(home, 'pre-tool-use', '10-no', '#!/bin/sh\necho no >&2; exit 2\n');
    expect((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout).toContain('deny');
    await ask(home, 'POST', '/v1/flush');
    expect(selectAll(home.places.store, 'SELECT * FROM events')).toEqual(before);
    const status = await ask<{ store: { problem: string }; journal: { waiting: number } }>(home, 'GET', '/v1/status');
    expect(status?.body.store).toMatchObject({ problem: 'newer' });
    expect(status?.body.journal.waiting).toBeGreaterThan(0);
    expect(doctor()).toMatch(/newer/i);
    execute(home.places.store, `PRAGMA user_version = ${version}`);
    expect((await storedRows(2)).map((row) => row.native_event)).toEqual(['SessionStart', 'PreToolUse']);
  });
});

describe('a disk', () => {
  // In a mount namespace of its own, with a small file system for the home.
  const onDisk = (trouble: 'full' | 'read-only') => {
    const script = join(import.meta.dirname, 'bad-disk.mjs');
    const { status, stdout, stderr } = spawnSync('unshare', ['-m', process.execPath, script, home.root, trouble], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const NOOP_OR_NOTHING = { code: 0, stdout: expect.stringMatching(/^(\{\})?$/), stderr: '' };

  asRoot('that is full costs the record, never the decision, and doctor says so', () => {
    expect(onDisk('full')).toMatchObject({
      before: 'deny',
      during: 'deny',
      plain: NOOP,
      cold: NOOP_OR_NOTHING,
      troubles: expect.stringMatching(/no space|ENOSPC/i),
      doctor: expect.stringMatching(/no space|ENOSPC|full/i),
    });
  });

  asRoot('that is read-only lets the agent go on, and doctor says so', () => {
    expect(onDisk('read-only')).toMatchObject({
      before: 'deny',
      cold: NOOP,
      doctor: expect.stringMatching(/read-only|EROFS|cannot write|not writable/i),
    });
  });
});
