import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { frameOf, startScriptedServer } from './scripted-server.ts';
import { endOf, forward, registrationOf, silence } from './spawned.ts';

describe.each(BINARIES)('the stdin of $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  beforeEach(() => {
    home = createForwarderHome(path);
  });
  afterEach(() => home.remove());

  it.each([
    ['an object', '{"a":"}]\\"","b":[1,{}]}'],
    ['an object and a newline', '{}\n'],
    ['an array', '[[]]'],
    ['a string', '"{"'],
    ['a number', '17'],
  ])('needs no end after %s', async (_name, value) => {
    const { frame, ended } = await frameOf(home, { stdin: value, open: true });
    expect(ended).toEqual(silence);
    expect(frame.payload.toString()).toBe(value);
  });

  it('waits for the rest of a value that pauses for longer than the silence', async () => {
    const server = await startScriptedServer(home, async (connection) => {
      const frame = await connection.acked();
      connection.done({ stdout: frame.payload });
    });
    const { child, ended } = forward(home, { stdin: '{"text":"}', open: true });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(child.exitCode).toBe(null);
    child.stdin?.write('"}');
    expect((await ended).stdout).toBe('{"text":"}"}');
    await server.close();
  });

  it('is given up at the deadline when no value is complete, and what came is in the journal', async () => {
    const ended = await forward(home, { stdin: '{"half":', open: true, timeoutMs: 800 }).ended;
    expect(ended).toEqual(silence);
    const [read] = home.frames();
    expect(read?.ok && read.frame.payload.toString()).toBe('{"half":');
  });

  it('may be empty', async () => {
    const { frame, ended } = await frameOf(home, {});
    expect(ended).toEqual(silence);
    expect(frame).toMatchObject({ payloadSize: 0, payload: Buffer.alloc(0) });
  });

  it.each([
    ['stdin', '<&-'],
    ['stdout', '>&-'],
    ['stderr', '2>&-'],
    ['all three', '<&- >&- 2>&-'],
  ])('or closed, as may be %s', async (_name, redirection) => {
    let payload: Buffer | undefined;
    const server = await startScriptedServer(home, async (connection) => {
      payload = (await connection.acked()).payload;
      connection.done({ stdout: 'answer' });
      // Nothing that was meant for stdout may come back on the socket.
      expect(await connection.next()).toBe(undefined);
    });
    const line = `exec '${home.forwarder}' ${registrationOf({}).join(' ')} ${redirection}`;
    const ended = await endOf(spawn('/bin/sh', ['-c', line], { stdio: ['ignore', 'pipe', 'pipe'] }));
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(payload).toEqual(Buffer.alloc(0));
    await server.close();
  });

  it('may be a file', async () => {
    home.setRuntimeFile('payload.json', '{"from":"file"}');
    let text = '';
    const server = await startScriptedServer(home, async (connection) => {
      text = (await connection.acked()).payload.toString();
      connection.done();
    });
    const file = openSync(join(home.places.current, 'payload.json'), 'r');
    await endOf(spawn(home.forwarder, registrationOf({}), { stdio: [file, 'pipe', 'pipe'] }));
    expect(text).toBe('{"from":"file"}');
    await server.close();
  });
});
