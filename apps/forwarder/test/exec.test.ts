import { type StdioOptions, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exec, ExecResult } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { execOf, startScriptedServer } from './scripted-server.ts';
import { type Call, endOf, forward, isGone, registrationOf, silence, until } from './spawned.ts';

// What every runner must do is in the shared suite; here is what only a forwarder between agent and server can do.
describe.each(BINARIES)('a command run by $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  beforeEach(() => {
    home = createForwarderHome(path);
  });
  afterEach(() => home.remove());

  async function run(execs: readonly Exec[], call: Call = {}): Promise<ExecResult[]> {
    const results: ExecResult[] = [];
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      for (const exec of execs) results.push(await connection.exec(exec));
      connection.done();
    });
    expect(await forward(home, { stdin: '{}', ...call }).ended).toEqual(silence);
    await server.close();
    return results;
  }

  it('sees the environment of the agent, less what is unset, plus what is set', async () => {
    const env = {
      PATH: process.env.PATH,
      KEEP: '1',
      GIT_DIR: 'x',
      GIT_INDEX_FILE: 'y',
      GITHUB: 'z',
      DROP: '2',
      DROPPED: '3',
      TWICE: 'old',
    };
    const [result] = await run([execOf(['env'], { unset: ['GIT_*', 'DROP'], set: { TWICE: 'new', GIT_EDITOR: ':', EMPTY: '' } })], { env });
    const seen = Object.fromEntries(
      result?.stdout
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)) ?? [],
    );
    for (const name of ['_', 'PWD', 'SHLVL']) delete seen[name];
    expect(seen).toEqual({ PATH: process.env.PATH, KEEP: '1', GITHUB: 'z', DROPPED: '3', TWICE: 'new', GIT_EDITOR: ':', EMPTY: '' });
  });

  it('is found on the PATH that it will have', async () => {
    home.setNode('echo found'); // writes an executable script named fake-node
    const [missing, found] = await run([execOf(['fake-node']), execOf(['fake-node'], { set: { PATH: home.root } })]);
    expect(missing).toMatchObject({ exitCode: 127, notStarted: true });
    expect(found).toMatchObject({ exitCode: 0, notStarted: false, stdout: Buffer.from('found\n') });
  });

  it.each([
    ['HUP and PIPE ignored', "trap '' HUP PIPE;"],
    ['CHLD and INT ignored', "trap '' CHLD INT;"],
    ['nothing ignored', ''],
  ])('gets the umask, the limits, the signals and the descriptors that the agent gave, and none of ours: %s', async (_name, trap) => {
    const probe = 'umask; grep -E "^Sig(Blk|Ign|Cgt)" /proc/self/status; ls /proc/self/fd | tr "\\n" " "; ulimit -n';
    // What a shell starts directly is the reference; the agent has descriptor 7 open.
    const surroundings = `${trap} umask 027; ulimit -n 99; exec 7</dev/null; `;
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    const direct = await endOf(spawn('/bin/sh', ['-c', `${surroundings} exec sh -c '${probe}' </dev/null`], { stdio }));
    let seen = '';
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      seen = (await connection.exec(execOf(['sh', '-c', probe]))).stdout.toString();
      connection.done();
    });
    const line = `${surroundings} exec '${home.forwarder}' ${registrationOf({}).join(' ')} </dev/null`;
    await endOf(spawn('/bin/sh', ['-c', line], { stdio }));
    await server.close();
    expect(direct.stdout).toMatch(/^0027\n/);
    expect(direct.stdout).toMatch(/\b7 /);
    expect(seen).toBe(direct.stdout);
  });

  it('has a process group of its own in the session of the agent', async () => {
    const [result] = await run([execOf(['sh', '-c', 'ps -o pid=,pgid=,sess= -p $$; ps -o sess= -p $PPID'])]);
    const [pid, group, session, parentSession] = result?.stdout.toString().trim().split(/\s+/).map(Number) ?? [];
    expect(group).toBe(pid);
    expect(session).toBe(parentSession);
  });

  it('is ended with the forwarder, however that ends', async () => {
    const pidFile = join(home.root, 'pid');
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      connection.socket.on('error', () => undefined);
      await connection.exec(execOf(['sh', '-c', `echo $$ > '${pidFile}'; exec sleep 60`])).catch(() => undefined);
    });
    const { child, ended } = forward(home, { stdin: '{}' });
    const pid = await until(() => existsSync(pidFile) && /^(\d+)\n/.exec(readFileSync(pidFile, 'utf8'))?.[1]);
    child.kill('SIGKILL');
    await ended;
    await until(() => isGone(pid));
    await server.close();
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('gets the %s that the forwarder gets; no further one starts', async (name) => {
    const ready = join(home.root, 'ready');
    let result: ExecResult | undefined;
    let second: unknown = 'not asked';
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      const trap = `trap 'echo caught; exit 3' TERM INT HUP; echo > '${ready}'; while :; do sleep 0.01; done`;
      result = await connection.exec(execOf(['sh', '-c', trap]));
      second = await connection.exec(execOf(['sh', '-c', 'echo second'])).catch(() => 'never ran');
    });
    const { child, ended } = forward(home, { stdin: '{}' });
    await until(() => existsSync(ready));
    child.kill(name);
    expect(await ended).toEqual({ code: null, signal: name, stdout: '', stderr: '' });
    await until(() => second !== 'not asked');
    expect(result).toMatchObject({ exitCode: 3, stdout: Buffer.from('caught\n') });
    expect(second).toBe('never ran');
    await server.close();
  });

  it('may leave a daemon behind, which a later time limit does not touch', async () => {
    const pidFile = join(home.root, 'pid');
    const daemon = `setsid sh -c 'echo $$ > "${pidFile}"; exec sleep 60' >/dev/null 2>&1 & while [ ! -s '${pidFile}' ]; do sleep 0.01; done`;
    const [first, second] = await run([execOf(['sh', '-c', daemon]), execOf(['sleep', '60'], { timeoutMs: 200 })]);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    try {
      expect(first?.exitCode).toBe(0);
      expect(second).toMatchObject({ exitCode: -1, timedOut: true });
      expect(isGone(pid)).toBe(false);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });

  it('is not started with a NUL in its words', async () => {
    const [result] = await run([execOf(['echo', 'a\0b'])]);
    expect(result).toMatchObject({ exitCode: 126, notStarted: true, stdout: Buffer.alloc(0) });
  });

  it('is killed when the agent is about to give up, with all that it started', async () => {
    const pidFile = join(home.root, 'pid');
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      await connection.exec(execOf(['sh', '-c', `setsid sh -c 'echo $$ > "${pidFile}"; exec sleep 60' & wait`])).catch(() => undefined);
    });
    // On a machine that is busy the time may be over before anything runs: then it gets more.
    for (let timeoutMs = 1200; timeoutMs < 20_000 && !existsSync(pidFile); timeoutMs *= 2)
      expect(await forward(home, { stdin: '{}', timeoutMs }).ended).toEqual(silence);
    const pid = readFileSync(pidFile, 'utf8').trim();
    await until(() => isGone(pid));
    await server.close();
  });
});
