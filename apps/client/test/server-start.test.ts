import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPulse, stopPulse } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch, makeRuntime, REGISTRATION, type Runtime, TWINS } from './runtime.ts';

/** A server of fifteen lines: it answers every frame with its own process id, and leaves after a while. */
const SERVER = (socket: string, started: string): string => `
const { createServer } = require('node:net');
const { appendFileSync, mkdirSync, rmSync } = require('node:fs');
const { dirname } = require('node:path');
appendFileSync(${JSON.stringify(started)}, process.pid + ' ' + Object.keys(process.env).sort().join(',') + ' ' + process.argv.slice(2).join(' ') + '\\n');
mkdirSync(dirname(dirname(${JSON.stringify(socket)})), { recursive: true, mode: 0o700 });
mkdirSync(dirname(${JSON.stringify(socket)}), { recursive: true, mode: 0o700 });
rmSync(${JSON.stringify(socket)}, { force: true });
const bytes = (text) => { const b = Buffer.alloc(4 + text.length); b.writeUInt32LE(text.length); b.write(text, 4); return b; };
createServer((connection) => {
  let seen = 0, want = 0, head = Buffer.alloc(0);
  connection.on('error', () => {}).on('data', (chunk) => {
    seen += chunk.length;
    if (head.length < 9) head = Buffer.concat([head, chunk]);
    if (head.length >= 9) want = 9 + head.readUInt32LE(5);
    if (!want || seen < want) return;
    const body = Buffer.concat([Buffer.alloc(5), bytes(String(process.pid)), bytes('')]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(body.length);
    connection.write(Buffer.concat([Buffer.from([0x4b, 1, 0, 0, 0, 0]), Buffer.from('D'), length, body]));
  });
}).listen(${JSON.stringify(socket)});
setTimeout(() => process.exit(0), 60000);
`;

let runtime: Runtime;
const log = (): string => join(runtime.project, 'started');
const starts = (): string[] => {
  try {
    return readFileSync(log(), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};
afterEach(() => {
  stopPulse(runtime.places.environment);
  for (const line of starts()) {
    try {
      process.kill(Number(line.split(' ')[0]));
    } catch {
      // it has left
    }
  }
  runtime.remove();
});

const WAYS = [
  ...TWINS.map((twin) => ({ ...twin, forwarder: true })),
  { twin: 'the client without a forwarder', argv: TWINS[0].argv, forwarder: false },
];

describe.each(WAYS)('$twin with no server', ({ argv, forwarder }) => {
  beforeEach(async () => {
    runtime = await makeRuntime({ forwarder });
  });
  const fire = (timeoutMs = 20_000) => {
    const line = [...argv(runtime), ...REGISTRATION];
    line[line.length - 2] = String(timeoutMs);
    return launch({ argv: line, cwd: runtime.project, stdin: '{"n":1}', env: { SECRET_OF_THE_AGENT: 'x' } });
  };
  const setServer = (text: string): void => writeFileSync(join(runtime.runtime, 'server.cjs'), text);
  /** It has no pulse of its own, and on a machine that is busy may take longer than a forwarder waits without one. */
  const setLiveServer = (): void => {
    setServer(SERVER(runtime.places.hookSocket, log()));
    startPulse(runtime.places.environment);
  };

  it('starts one, in a clean environment, and gets its answer', async () => {
    setLiveServer();
    const finished = await fire().finished;
    expect(starts()).toHaveLength(1);
    const [pid, names = '', ...args] = starts()[0]?.split(' ') ?? [];
    expect(finished).toEqual({ code: 0, stdout: pid, stderr: '' });
    expect(args).toEqual(['--home', runtime.places.home]);
    expect(names.split(',')).toContain('PATH');
    expect(names.split(',')).toEqual(expect.arrayContaining(['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_']));
    expect(names).not.toContain('SECRET_OF_THE_AGENT');
    expect(runtime.journalled()).toEqual([]);
  });

  it('starts one for many that come at once', async () => {
    setLiveServer();
    const answers = await Promise.all(Array.from({ length: 6 }, () => fire().finished));
    expect(starts()).toHaveLength(1);
    const pid = starts()[0]?.split(' ')[0];
    expect(answers.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 6 }, () => pid));
    expect(runtime.journalled()).toEqual([]);
  });

  it('leaves the event in the journal while starts are suspended', async () => {
    setLiveServer();
    runtime.setBackoff();
    expect(await fire().finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(starts()).toEqual([]);
    expect(runtime.journalled()).toMatchObject([{ payload: Buffer.from('{"n":1}'), nativeEvent: 'PreToolUse' }]);
  });

  it('is silent in time when the server never listens', async () => {
    setServer('setTimeout(() => {}, 4000);');
    expect(await fire(2500).finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(runtime.journalled()).toHaveLength(1);
  });

  it('is silent when the server dies at once, and the next start waits', async () => {
    setServer('process.exit(1);');
    const before = Date.now();
    expect(await fire().finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(runtime.journalled()).toHaveLength(1);
    // Beside a forwarder the client leaves that to the forwarder's next event, which can see the lock.
    if (argv === TWINS[0].argv && forwarder) return;
    const [until, failures] = readFileSync(join(runtime.places.environment, 'backoff'), 'utf8').split(' ').map(Number);
    expect(until).toBeGreaterThan(before);
    expect(failures).toBe(1);
  });
});

describe('the client without a forwarder', () => {
  beforeEach(async () => {
    runtime = await makeRuntime({ forwarder: false });
    writeFileSync(join(runtime.runtime, 'server.cjs'), SERVER(runtime.places.hookSocket, log()));
    mkdirSync(runtime.places.environment, { recursive: true, mode: 0o700 });
  });
  /** One that was started is waited for: it would come up in a home that is being removed. */
  const serve = async () => {
    const before = starts().length;
    const finished = await launch({ argv: [process.execPath, runtime.client, '--serve'], cwd: '/', stdin: '' }).finished;
    if (finished.code === 0) await expect.poll(() => starts().length).toBe(before + 1);
    return finished;
  };

  it('takes away a lock whose process is gone', async () => {
    const gone = launch({ argv: ['/bin/true'], cwd: '/', stdin: '' });
    await gone.finished;
    writeFileSync(join(runtime.places.environment, 'lock.pid'), String(gone.process.pid));
    expect((await serve()).code).toBe(0);
  });

  it('takes away a lock that was never written, once it is old', async () => {
    const lock = join(runtime.places.environment, 'lock.pid');
    writeFileSync(lock, '');
    expect((await serve()).code).toBe(75);
    utimesSync(lock, new Date(0), new Date(0));
    expect((await serve()).code).toBe(0);
  });

  it('takes away a lock whose number belongs to another program now', async () => {
    writeFileSync(join(runtime.places.environment, 'lock.pid'), '1');
    expect((await serve()).code).toBe(0);
  });

  it('says 75 where one serves already, and lets the next through when that one ends', async () => {
    expect((await serve()).code).toBe(0);
    expect((await serve()).code).toBe(75);
    const pid = Number(starts()[0]?.split(' ')[0]);
    process.kill(pid, 'SIGKILL');
    let code: number | null = 75;
    for (let tries = 0; code === 75 && tries < 50; tries++) code = (await serve()).code;
    expect(code).toBe(0);
  });
});
