import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Frame, isUlid, ulidTime } from '@piton/contracts';
import { startPulse, stopPulse } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch, makeRuntime, REGISTRATION, type Runtime, TWINS } from './runtime.ts';
import { type ScriptedServer, scriptedServer } from './scripted-server.ts';

let runtime: Runtime;
let server: ScriptedServer;
beforeEach(async () => {
  runtime = await makeRuntime();
  server = await scriptedServer(runtime.places, (visit) => {
    visit.ack();
    visit.done();
  });
  startPulse(runtime.places.environment);
});
afterEach(async () => {
  stopPulse(runtime.places.environment);
  await server.close();
  runtime.remove();
});

const theFrame = (): Frame => {
  expect(server.visits).toHaveLength(1);
  return server.visits[0]?.frame as Frame;
};
/** What two programs at two moments cannot share. */
const shared = ({ pid: _, ppid: __, stamp: ___, wallUs: ____, monotonicUs: _____, sender: ______, ...rest }: Frame) => rest;

describe('the frames of both programs', () => {
  it('are the same for the same event, but for who sent it and when', async () => {
    const frames: Frame[] = [];
    for (const { argv } of TWINS) {
      const line = ['codex', 'Pre Tool-Üse', 'project', '4711', 'SET,EMPTY,UNSET,UML', 'first', '', 'drïtter'];
      const env = { SET: 'a=b', EMPTY: '', UNSET: undefined, UML: 'ü\nx', PITON_DEPTH: '2', PITON_RUN: 'outer', PITON_CANARY: 'tweet' };
      await launch({ argv: [...argv(runtime), ...line], cwd: runtime.project, stdin: '{"b":[1,"}"]}\n', env }).finished;
      frames.push(server.visits.at(-1)?.frame as Frame);
    }
    const [client, forwarder] = frames as [Frame, Frame];
    expect(shared(client)).toEqual(shared(forwarder));
    expect(shared(client)).toEqual({
      agent: 'codex',
      nativeEvent: 'Pre Tool-Üse',
      scope: 'project',
      timeoutMs: 4711,
      args: ['first', '', 'drïtter'],
      bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      depth: 2,
      run: 'outer',
      cwd: runtime.project,
      terminal: forwarder.terminal,
      truncated: false,
      resent: false,
      variables: { SET: 'a=b', EMPTY: '', UML: 'ü\nx' },
      canary: 'tweet',
      payloadSize: 14,
      payload: Buffer.from('{"b":[1,"}"]}\n'),
    });
    expect(client.sender).toBe('client/7.8.9');
    expect(client.ppid).toBe(process.pid);
  });

  it('name the same places', async () => {
    const [client, forwarder] = await Promise.all(
      TWINS.map(({ argv }) => launch({ argv: [...argv(runtime), '--where'], cwd: '/', stdin: '' }).finished),
    );
    expect(client).toEqual(forwarder);
    expect(client?.stdout).toBe(`${runtime.places.hash}\n${runtime.places.environment}\n${runtime.places.sockets}\n`);
  });
});

describe.each(TWINS)('$twin reads an event', ({ argv }) => {
  const fire = (stdin: string | Buffer | undefined, timeoutMs = 20_000) => {
    const line = [...argv(runtime), ...REGISTRATION];
    line[line.length - 2] = String(timeoutMs);
    return launch({ argv: line, cwd: runtime.project, stdin });
  };

  it('stamps it with the clocks of its own start', async () => {
    const before = [Date.now(), process.hrtime.bigint() / 1000n] as const;
    const { process: child, finished } = fire('{}');
    await finished;
    const after = [Date.now(), process.hrtime.bigint() / 1000n] as const;
    const frame = theFrame();
    expect(frame.pid).toBe(child.pid);
    expect(isUlid(frame.stamp)).toBe(true);
    for (const time of [ulidTime(frame.stamp), Number(frame.wallUs / 1000n)]) {
      expect(time).toBeGreaterThanOrEqual(before[0] - 5);
      expect(time).toBeLessThanOrEqual(after[0] + 5);
    }
    expect(frame.monotonicUs > before[1] - 5000n && frame.monotonicUs < after[1]).toBe(true);
  });

  it('to its end', async () => {
    await fire('').finished;
    expect(theFrame()).toMatchObject({ payloadSize: 0, payload: Buffer.alloc(0) });
  });

  it('byte by byte, whatever they mean', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0xfe, 0x22]);
    await fire(bytes).finished;
    expect(theFrame().payload).toEqual(bytes);
  });

  it('without an end, once a value is complete and silence follows', async () => {
    const started = fire(undefined);
    started.process.stdin?.write('{"a":"}');
    await new Promise((resolve) => setTimeout(resolve, 350));
    started.process.stdin?.write('\\""}  ');
    expect((await started.finished).code).toBe(0);
    expect(theFrame().payload.toString()).toBe('{"a":"}\\""}  ');
  });

  it('without an end and incomplete only until it is time to go, and journals it', async () => {
    const started = fire(undefined, 3000);
    started.process.stdin?.write('{"a":');
    expect(await started.finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(server.visits).toEqual([]);
    expect(runtime.journalled()).toMatchObject([{ payload: Buffer.from('{"a":') }]);
  });

  it('from a file and from nowhere', async () => {
    const file = join(runtime.project, 'event.json');
    writeFileSync(file, '{"from":"file"}');
    for (const path of [file, '/dev/null']) {
      const stdin = openSync(path, 'r');
      const [command = '', ...args] = argv(runtime);
      // Not spawnSync: the scripted server lives in this process.
      const { spawn } = await import('node:child_process');
      const child = spawn(command, [...args, ...REGISTRATION], { stdio: [stdin, 'ignore', 'ignore'], cwd: runtime.project });
      await new Promise((resolve) => child.once('close', resolve));
      closeSync(stdin);
    }
    expect(server.visits.map((visit) => visit.frame?.payload.toString())).toEqual(['{"from":"file"}', '']);
  });

  it('of 32 MiB whole', async () => {
    await fire(Buffer.alloc(32 * 1024 * 1024, 'a')).finished;
    const { payload, payloadSize, truncated } = theFrame();
    expect([payload.length, payloadSize, truncated]).toEqual([33554432, 33554432, false]);
  });

  it('beyond 32 MiB to its end, and marks what is cut', async () => {
    await fire(Buffer.alloc(33 * 1024 * 1024 + 5, 'a')).finished;
    const { payload, payloadSize, truncated } = theFrame();
    expect([payload.length, payloadSize, truncated]).toEqual([33554432, 34603013, true]);
  });

  it('in a directory that is gone', async () => {
    const gone = join(runtime.project, 'gone');
    mkdirSync(gone);
    const shell = `rmdir "${gone}"; exec "$@"`;
    const started = launch({ argv: ['/bin/sh', '-c', shell, 'sh', ...argv(runtime), ...REGISTRATION], cwd: gone, stdin: '{}' });
    expect(await started.finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(theFrame().cwd).toBe('');
  });

  it('only with a line that it understands, and is silent about others', async () => {
    for (const line of [[], ['claude'], ['claude', 'Stop', 'user', 'soon', '-'], ['claude', 'Stop', 'user', '-5', '-']]) {
      expect(await launch({ argv: [...argv(runtime), ...line], cwd: runtime.project, stdin: '{}' }).finished).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
    }
    expect(server.visits).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)('not at all in the home of another user', async () => {
    spawnSync('chown', ['12345', runtime.places.home]);
    const finished = await fire('{}').finished;
    spawnSync('chown', ['0', runtime.places.home]);
    expect(finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(server.visits).toEqual([]);
    expect(runtime.journalled()).toEqual([]);
  });

  it('but speaks to no socket in a place that others can enter', async () => {
    spawnSync('chmod', ['755', runtime.places.sockets]);
    expect(await fire('{}').finished).toEqual({ code: 0, stdout: '', stderr: '' });
    spawnSync('chmod', ['700', runtime.places.sockets]);
    expect(server.visits).toEqual([]);
    expect(runtime.journalled()).toHaveLength(1);
  });

  it('without a journal where the home cannot be written, and is silent', async () => {
    await server.close();
    rmSync(runtime.places.sockets, { recursive: true });
    runtime.setBackoff();
    writeFileSync(runtime.places.journal, 'a file where the journal should be');
    expect(await fire('{}').finished).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
