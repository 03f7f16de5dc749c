import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startPulse, stopPulse } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { endOf, forward, isGone, option, silence, until } from './spawned.ts';

interface Facts {
  pid: number;
  ppid: number;
  session: number;
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  umask: number;
  fds: Record<string, string>;
  ignored: string;
  blocked: string;
}

/** What makes glibc give memory back. */
const FRUGAL = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Writes down where it finds itself, then listens and answers every frame with its own pid. */
const serverSource = (home: ForwarderHome): string => `
  const fs = require('node:fs');
  const links = {};
  for (const fd of fs.readdirSync('/proc/self/fd')) try { links[fd] = fs.readlinkSync('/proc/self/fd/' + fd) } catch {}
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  const facts = { pid: process.pid, ppid: process.ppid, argv: process.argv.slice(1), env: process.env, cwd: process.cwd(), umask: process.umask(), fds: links,
    session: Number(fs.readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ')[3]),
    ignored: /SigIgn:\\s*(\\w+)/.exec(status)[1], blocked: /SigBlk:\\s*(\\w+)/.exec(status)[1] };
  fs.appendFileSync('${home.root}/starts', process.pid + '\\n');
  fs.writeFileSync('${home.root}/facts.tmp', JSON.stringify(facts));
  fs.renameSync('${home.root}/facts.tmp', '${home.root}/facts');
  console.error('a word for the log');
  fs.mkdirSync('${home.places.sockets}', { recursive: true, mode: 0o700 });
  fs.rmSync('${home.places.hookSocket}', { force: true });
  require('node:net').createServer((socket) => socket.on('error', () => {}).once('data', () => {
    const text = Buffer.from(String(process.pid));
    const body = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, text.length, 0, 0, 0]), text, Buffer.alloc(4)]);
    socket.end(Buffer.concat([Buffer.from([0x4b, 1, 0, 0, 0, 0, 0x44, body.length, 0, 0, 0]), body]));
  })).listen('${home.places.hookSocket}');
`;

describe.each(BINARIES)('the server that $build starts', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  beforeEach(() => {
    home = createForwarderHome(path);
    home.setNodePath(process.execPath);
    home.setRuntimeFile('server.cjs', serverSource(home));
  });
  afterEach(() => {
    for (const pid of starts(home)) killQuietly(pid);
    stopPulse(home.places.environment);
    home.remove();
  });

  const facts = async (): Promise<Facts> =>
    JSON.parse(await until(() => existsSync(join(home.root, 'facts')) && readFileSync(join(home.root, 'facts'), 'utf8')));

  it('is one: the second start says 75', async () => {
    expect(await option(home, '--serve')).toEqual(silence);
    const { pid } = await facts();
    expect(await option(home, '--serve')).toEqual({ ...silence, code: 75 });
    expect(await option(home, '--serve', '300')).toEqual({ ...silence, code: 75 });
    expect(starts(home)).toEqual([pid]);
  });

  it('is one when many are started at once', async () => {
    const codes = await Promise.all(Array.from({ length: 12 }, async () => (await option(home, '--serve')).code));
    await facts();
    expect(codes.sort()).toEqual([0, ...Array.from({ length: 11 }, () => 75)]);
    expect(starts(home).length).toBe(1);
  });

  it('gives the lock back however it ends', async () => {
    expect(await option(home, '--serve')).toEqual(silence);
    const { pid } = await facts();
    process.kill(pid, 'SIGKILL');
    expect(await option(home, '--serve', '30000')).toEqual(silence);
    await until(() => starts(home).length === 2);
  });

  it('is this very process with --serve here, holds the lock, and ends with it', async () => {
    const child = spawn(home.places.forwarder, ['--serve', 'here'], { stdio: 'ignore' });
    expect((await facts()).pid).toBe(child.pid);
    expect((await option(home, '--serve')).code).toBe(75);
    expect((await option(home, '--serve', 'here')).code).toBe(75);
    child.kill('SIGKILL');
    await endOf(child);
    expect((await option(home, '--serve')).code).toBe(0);
    await until(() => starts(home).length === 2);
  });

  it('is waited for by --serve <ms>', async () => {
    expect(await option(home, '--serve')).toEqual(silence);
    const { pid } = await facts();
    const second = option(home, '--serve', '20000');
    setTimeout(() => process.kill(pid, 'SIGKILL'), 200);
    expect(await second).toEqual(silence);
    await until(() => starts(home).length === 2);
  });

  it('has nothing of the agent that happened to start it', async () => {
    const env = {
      ...process.env,
      LANG: 'C',
      TZ: 'UTC',
      CLAUDE_PROJECT_DIR: '/p',
      NODE_OPTIONS: '--no-warnings',
      GIT_DIR: 'x',
      PITON_DEPTH: '1',
    };
    const line = `trap '' HUP PIPE TERM; umask 0; exec 7</dev/null 9>'${home.root}/agent-pipe'; exec '${home.forwarder}' --serve`;
    // `close` of the agent's pipes comes only when the server does not hold them.
    expect(await endOf(spawn('/bin/sh', ['-c', line], { env, cwd: home.root, stdio: 'pipe' }))).toEqual(silence);
    const seen = await facts();
    expect(seen.argv).toEqual([join(home.places.current, 'server.cjs'), '--home', home.places.home]);
    expect(seen.cwd).toBe(home.places.home);
    expect(seen.umask).toBe(0o077);
    expect(seen.session).not.toBe(seen.pid); // no session leader: it can never get a terminal
    expect(seen.env).toMatchObject({ LANG: 'C', TZ: 'UTC', ...FRUGAL });
    const kept = 'HOME PATH USER LOGNAME SHELL LANG LC_ALL TZ TMPDIR XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_STATE_HOME'.split(' ');
    expect(Object.keys(seen.env).filter((name) => !kept.includes(name) && !(name in FRUGAL))).toEqual([]);
    expect([seen.fds[0], seen.fds[1], seen.fds[2]]).toEqual(['/dev/null', '/dev/null', join(home.places.logs, 'server.log')]);
    const files = Object.values(seen.fds).filter((link) => link.startsWith(home.root));
    expect(files.sort()).toEqual(
      [
        join(home.places.environment, 'lock'),
        join(home.places.logs, 'server.log'),
        join(home.places.current.replace('current', '0.1.0'), 'server.cjs'),
      ]
        .filter((file) => files.includes(file))
        .sort(),
    );
    expect(files).toContain(join(home.places.environment, 'lock'));
    expect(seen.blocked).toBe('0000000000000000');
    expect(BigInt(`0x${seen.ignored}`) & ((1n << 0n) | (1n << 14n))).toBe(0n); // HUP and TERM; Node itself ignores PIPE
    await until(() => readFileSync(join(home.places.logs, 'server.log'), 'utf8').includes('a word for the log'));
    for (const file of [join(home.places.environment, 'lock'), join(home.places.logs, 'server.log')])
      expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const folder of [home.places.environment, home.places.logs]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is started by an event, which it then answers; the next events find it', async () => {
    startPulse(home.places.environment); // this one has none of its own, and may take a while on a machine that is busy
    const first = await forward(home, { stdin: '{}' }).ended;
    const { pid } = await facts();
    expect(first).toEqual({ ...silence, stdout: String(pid) });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(first);
    expect(home.journalNames()).toEqual([]);
    expect(starts(home)).toEqual([pid]);
  });

  it('is one for many events at once, and answers each', async () => {
    startPulse(home.places.environment);
    const ends = await Promise.all(Array.from({ length: 25 }, () => forward(home, { stdin: '{}' }).ended));
    const { pid } = await facts();
    expect(ends).toEqual(Array.from({ length: 25 }, () => ({ ...silence, stdout: String(pid) })));
    expect(starts(home)).toEqual([pid]);
    expect(home.journalNames()).toEqual([]);
  });

  it('is started anew by the event that finds it killed', async () => {
    startPulse(home.places.environment);
    await forward(home, { stdin: '{}' }).ended;
    const { pid } = await facts();
    process.kill(pid, 'SIGKILL');
    await until(() => isGone(pid));
    const again = await forward(home, { stdin: '{}' }).ended;
    expect(again.stdout).toMatch(/^\d+$/);
    expect(again.stdout).not.toBe(String(pid));
  });
});

function starts(home: ForwarderHome): number[] {
  const file = join(home.root, 'starts');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended before
  }
}
