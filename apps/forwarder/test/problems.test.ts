import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ackMessage, type Frame, MESSAGE, message, refuseMessage } from '@piton/contracts';
import { startPulse, stopPulse } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { execOf, startScriptedServer } from './scripted-server.ts';
import { forward, silence } from './spawned.ts';

describe.each(BINARIES)('with a server in trouble, $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  beforeEach(() => {
    home = createForwarderHome(path);
    home.setBackoff(Date.now() + 60_000); // no test here wants a second server
  });
  afterEach(() => home.remove());

  it('takes one that accepts and never acknowledges for hung: journal and silence', async () => {
    const server = await startScriptedServer(home, () => undefined, { pulse: false });
    expect(await forward(home, { stdin: '{"h":1}' }).ended).toEqual(silence);
    const [read] = home.frames();
    expect(read?.ok && read.frame.payload.toString()).toBe('{"h":1}');
    await server.close();
  });

  it('waits for one whose pulse goes on', async () => {
    const server = await startScriptedServer(home, async (connection) => {
      await connection.frame();
      await new Promise((resolve) => setTimeout(resolve, 1200));
      connection.socket.write(ackMessage(true));
      connection.done({ stdout: 'slow, alive' });
    });
    expect((await forward(home, { stdin: '{}' }).ended).stdout).toBe('slow, alive');
    await server.close();
    expect(home.frames()).toEqual([]);
  });

  it('does not take an old pulse for life', async () => {
    mkdirSync(home.places.environment, { recursive: true });
    const pulse = join(home.places.environment, 'pulse');
    writeFileSync(pulse, '');
    utimesSync(pulse, new Date(Date.now() - 5000), new Date(Date.now() - 5000));
    const server = await startScriptedServer(home, () => undefined, { pulse: false });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(home.frames().length).toBe(1);
    await server.close();
  });

  it('takes a stopped one for hung', async () => {
    const other = await otherServer(home, '');
    other.kill('SIGSTOP');
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(home.frames().length).toBe(1);
    other.kill('SIGKILL');
  });

  it('takes one with a full backlog for busy, and each of many is answered', async () => {
    // It blocks its loop for a while, with room for one in the queue; its pulse is ours meanwhile.
    const block = `process.once('SIGUSR2', () => { process.stdout.write('blocked\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500) });`;
    const other = await otherServer(home, block);
    startPulse(home.places.environment);
    other.kill('SIGUSR2');
    await new Promise((resolve) => other.stdout?.once('data', resolve));
    const ends = await Promise.all(Array.from({ length: 8 }, () => forward(home, { stdin: '{}' }).ended));
    stopPulse(home.places.environment);
    expect(ends.map(({ code, stdout }) => [code, stdout])).toEqual(Array.from({ length: 8 }, () => [0, 'answered']));
    expect(home.frames()).toEqual([]);
    other.kill('SIGKILL');
  });

  it('keeps the frame of a version that the server refuses', async () => {
    const server = await startScriptedServer(home, (connection) => void connection.socket.end(refuseMessage('another version')));
    expect(await forward(home, { stdin: Buffer.alloc(3 << 20, 0x63) }).ended).toEqual(silence);
    expect(home.frames().length).toBe(1);
    expect(server.connections.length).toBe(1);
    await server.close();
  });

  it.each([
    ['after the ack', true],
    ['before the ack', false],
  ])('sends the frame again, once and marked, when the connection is lost %s', async (_name, ack) => {
    const frames: Frame[] = [];
    const server = await startScriptedServer(home, async (connection, number) => {
      frames.push(ack || number > 1 ? await connection.acked() : await connection.frame());
      if (number === 1) setTimeout(() => connection.socket.destroy(), 20);
      else connection.done({ stdout: 'second time' });
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual({ ...silence, stdout: 'second time' });
    expect(frames.map(({ resent }) => resent)).toEqual([false, true]);
    expect(frames[1]).toEqual({ ...frames[0], resent: true });
    expect(home.frames()).toEqual([]);
    await server.close();
  });

  it('does not try a third time', async () => {
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      setTimeout(() => connection.socket.destroy(), 20);
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(server.connections.length).toBe(2);
    const [read] = home.frames();
    expect(read?.ok && read.frame.resent).toBe(true);
    await server.close();
  });

  it('asks further when the one that it asked again was dying already', async () => {
    const server = await startScriptedServer(home, async (connection, number) => {
      if (number === 2) return void connection.socket.destroy();
      await connection.acked();
      if (number === 1) connection.socket.destroy();
      else connection.done({ stdout: 'third' });
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual({ ...silence, stdout: 'third' });
    expect(server.connections.length).toBe(3);
    expect(home.frames()).toEqual([]);
    await server.close();
  });

  it('does not ask for ever where nobody takes the frame', async () => {
    const server = await startScriptedServer(home, async (connection) => {
      await connection.frame();
      connection.socket.destroy();
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(server.connections.length).toBe(4);
    expect(home.frames().length).toBe(1);
    await server.close();
  });

  it('finds out after a command that the server is gone', async () => {
    let ran = 0;
    const server = await startScriptedServer(home, async (connection, number) => {
      await connection.acked();
      if (number === 1) {
        connection.exec(execOf(['sleep', '0.2'])).catch(() => undefined);
        setTimeout(() => connection.socket.destroy(), 50);
        return;
      }
      ran = (await connection.exec(execOf(['sh', '-c', 'exit 4']))).exitCode;
      connection.done();
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(ran).toBe(4);
    await server.close();
  });

  it.each([
    ['an unknown message', message(0x3f as 0x46)],
    ['a message that is too long', Buffer.from([MESSAGE.done, 1, 0, 0, 4])],
    ['a command cut short', message(MESSAGE.exec, Buffer.from([1, 0, 0, 0]))],
    ['a list that lies', message(MESSAGE.exec, Buffer.concat([Buffer.alloc(16), Buffer.from([255, 255, 255, 255])]))],
    ['an answer cut short', message(MESSAGE.done, Buffer.from([0, 0, 0, 0, 0, 9, 0, 0, 0]))],
  ])('treats %s as a lost connection', async (_name, bytes) => {
    const server = await startScriptedServer(home, async (connection, number) => {
      await connection.acked();
      if (number === 1) connection.socket.write(bytes);
      else connection.done({ stdout: 'sane again' });
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual({ ...silence, stdout: 'sane again' });
    expect(server.connections.length).toBe(2);
    await server.close();
  });

  it('gives up in time when the answer never comes, and the frame is the server’s', async () => {
    const server = await startScriptedServer(home, (connection) => connection.acked());
    const before = Date.now();
    expect(await forward(home, { stdin: '{}', timeoutMs: 4000 }).ended).toEqual(silence);
    expect(Date.now() - before).toBeGreaterThanOrEqual(3790); // max(10 %, 300 ms) / 2 before the limit
    expect(home.frames()).toEqual([]);
    await server.close();
  });
});

/** A server in a process of its own, which can be stopped and blocked. It answers `answered`. */
async function otherServer(home: ForwarderHome, extra: string): Promise<ChildProcess> {
  mkdirSync(home.places.sockets, { recursive: true, mode: 0o700 });
  mkdirSync(home.places.environment, { recursive: true });
  const answer = Buffer.concat([ackMessage(true), message(MESSAGE.done, Buffer.from('\0\0\0\0\0\x08\0\0\0answered\0\0\0\0', 'latin1'))]);
  const script = `${extra}
    require('node:net').createServer((s) => s.once('data', () => s.end(Buffer.from('${answer.toString('hex')}', 'hex'))))
      .listen({ path: '${home.places.hookSocket}', backlog: 1 }, () => process.stdout.write('listening\\n'));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}
