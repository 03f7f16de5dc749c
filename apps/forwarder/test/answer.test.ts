import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ackMessage, branchMessage, doneMessage, endMessage, execMessage, MESSAGE } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { execOf, startScriptedServer } from './scripted-server.ts';
import { endOf, forward, isGone, option, registrationOf, silence, until } from './spawned.ts';

describe.each(BINARIES)('the answer of $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  beforeEach(() => {
    home = createForwarderHome(path);
  });
  afterEach(() => home.remove());

  it.each([
    { exitCode: 0, stdout: '{"decision":"block"}\n', stderr: '' },
    { exitCode: 2, stdout: '', stderr: 'not here\n' },
    { exitCode: 255, stdout: '\0\xff', stderr: '\xfe' },
  ])('is what the server says: $exitCode', async ({ exitCode, stdout, stderr }) => {
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      connection.done({ exitCode, stdout: Buffer.from(stdout, 'latin1'), stderr: Buffer.from(stderr, 'latin1') });
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual({ code: exitCode, signal: null, stdout, stderr });
    await server.close();
    expect(home.journalNames()).toEqual([]);
  });

  it('arrives whole in many pieces, and when it is 10 MiB', async () => {
    const large = 'x'.repeat(10 * 1024 * 1024);
    const server = await startScriptedServer(home, async (connection) => {
      await connection.frame();
      const bytes = Buffer.concat([ackMessage(true), doneMessage({ exitCode: 3, more: false, stdout: large, stderr: 'e' })]);
      for (let at = 0; at < 40; at++) {
        connection.socket.write(bytes.subarray(at, at + 1));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      connection.socket.write(bytes.subarray(40));
    });
    const ended = await forward(home, { stdin: '{}' }).ended;
    expect(ended).toMatchObject({ code: 3, stderr: 'e' });
    expect(ended.stdout === large).toBe(true);
    await server.close();
  });

  it('is lost without harm when the agent has closed its end', async () => {
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      connection.done({ exitCode: 5, stdout: 'y'.repeat(1 << 20), stderr: '' });
    });
    const child = spawn('/bin/sh', ['-c', `'${home.forwarder}' ${registrationOf({}).join(' ')} </dev/null | true; echo done`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(await endOf(child)).toEqual({ ...silence, stdout: 'done\n' });
    await server.close();
  });

  it('waits for an answer for as long as the agent does, not for 250 ms', async () => {
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      await new Promise((resolve) => setTimeout(resolve, 900));
      connection.done({ stdout: 'late but there' });
    });
    expect((await forward(home, { stdin: '{}' }).ended).stdout).toBe('late but there');
    await server.close();
  });

  it('runs several commands for one event, one after the other', async () => {
    const said: string[] = [];
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      for (const word of ['one', 'two', 'three']) said.push((await connection.exec(execOf(['echo', word]))).stdout.toString());
      connection.done({ stdout: 'over' });
    });
    expect((await forward(home, { stdin: '{}' }).ended).stdout).toBe('over');
    expect(said).toEqual(['one\n', 'two\n', 'three\n']);
    await server.close();
  });

  it('comes before what only observes, which goes on in a session of its own and holds nothing open', async () => {
    let released = false;
    let facts = '';
    const mark = join(home.root, 'observed');
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      connection.done({ exitCode: 4, more: true, stdout: 'answer', stderr: 'and more' });
      await until(() => released);
      const stdio = 'for fd in 0 1 2; do readlink /proc/$PPID/fd/$fd; done';
      const script = `ps -o sid= -p $$ | tr -d ' '; ${stdio}; ls /proc/$PPID/fd | wc -l; echo "$PPID"; pwd`;
      facts = (await connection.exec(execOf(['sh', '-c', script], { cwd: home.root }))).stdout.toString();
      await connection.exec(execOf(['sh', '-c', `echo "$HERE" > '${mark}'`], { set: { HERE: 'kept' } }));
      connection.end();
      await connection.closed;
    });
    // `close` comes only when nobody holds stdout, stderr or any further pipe of this agent open any more.
    const child = spawn(home.forwarder, registrationOf({}), { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
    expect(await endOf(child)).toEqual({ code: 4, signal: null, stdout: 'answer', stderr: 'and more' });
    released = true;
    const [session, stdin, stdout, stderr, open, parent, cwd] = (await until(() => facts)).split('\n');
    expect(Number(parent)).not.toBe(child.pid);
    expect(session).toBe(parent);
    expect([stdin, stdout, stderr]).toEqual(['/dev/null', '/dev/null', '/dev/null']);
    expect(Number(open)).toBeLessThan(16);
    expect(cwd).toBe(home.root);
    await until(() => existsSync(mark) && readFileSync(mark, 'utf8') === 'kept\n');
    await server.connections[0]?.closed;
    await until(() => isGone(parent));
    await server.close();
  });

  it('loses nothing that came in one piece with the answer', async () => {
    const file = join(home.root, 'after');
    const [first, second] = ['first', 'second'].map((word) => execMessage(execOf(['sh', '-c', `echo ${word} >> '${file}'`]))) as [
      Buffer,
      Buffer,
    ];
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      const answer = doneMessage({ exitCode: 0, more: true, stdout: 'answer', stderr: '' });
      connection.socket.write(Buffer.concat([answer, first, second.subarray(0, 20)]));
      setTimeout(() => connection.socket.write(Buffer.concat([second.subarray(20), endMessage()])), 300);
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual({ ...silence, stdout: 'answer' });
    await server.connections[0]?.closed;
    expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n');
    await server.close();
  });

  it('branches after it: a command beside the first, over a connection of its own', async () => {
    const ticket = '01K00000000000000000000000';
    // Each waits for the other: one after the other both would fail.
    const wait = (mine: string, other: string): string =>
      `touch ${mine}; n=0; until [ -e ${other} ]; do n=$((n+1)); [ $n -gt 600 ] && exit 9; sleep 0.05; done`;
    const command = (mine: string, other: string) => execOf(['sh', '-c', wait(mine, other)], { cwd: home.root, timeoutMs: 50_000 });
    const codes: number[] = [];
    const server = await startScriptedServer(home, async (connection, number) => {
      if (number === 1) {
        await connection.acked();
        connection.done({ more: true, stdout: 'answer' });
        connection.socket.write(branchMessage(ticket));
        codes.push((await connection.exec(command('a', 'b'))).exitCode);
      } else {
        const received = await connection.next();
        expect([received?.type, received?.body.toString()]).toEqual([MESSAGE.attach, ticket]);
        codes.push((await connection.exec(command('b', 'a'))).exitCode);
      }
      connection.end();
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual({ ...silence, stdout: 'answer' });
    await until(() => codes.length === 2);
    expect(codes).toEqual([0, 0]);
    await server.close();
  });

  it('takes a command that runs longer than the agent would wait, once the answer is out', async () => {
    let code: number | undefined;
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      connection.done({ more: true });
      code = (await connection.exec(execOf(['sh', '-c', 'sleep 4; exit 9']))).exitCode;
      connection.end();
    });
    expect(await forward(home, { stdin: '{}', timeoutMs: 3000 }).ended).toEqual(silence);
    expect(await until(() => code)).toBe(9);
    await server.close();
  });

  it('is asked for by --attach with the stamp of an envelope posted before', async () => {
    const stamp = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const server = await startScriptedServer(home, async (connection) => {
      const received = await connection.next();
      expect([received?.type, received?.body.toString()]).toEqual([MESSAGE.attach, stamp]);
      const { stdout } = await connection.exec(execOf(['echo', 'ran']));
      connection.done({ stdout: `{"ran":${JSON.stringify(stdout.toString())}}` });
    });
    expect((await option(home, '--attach', stamp)).stdout).toBe('{"ran":"ran\\n"}');
    await server.close();
    expect(await option(home, '--attach', stamp)).toEqual(silence); // nobody is there
    expect(home.journalNames()).toEqual([]);
  });

  it('leaves no connection and no zombie behind', async () => {
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      await connection.exec(execOf(['sh', '-c', '(sleep 0.01 &) ; (true &) ; exit 0']));
      connection.done();
    });
    const forwarders = Array.from({ length: 20 }, () => forward(home, { stdin: '{}' }));
    for (const { ended } of forwarders) expect(await ended).toEqual(silence);
    await Promise.all(server.connections.map(({ closed }) => closed));
    for (const { child } of forwarders) expect(() => readlinkSync(`/proc/${child.pid}/exe`)).toThrow();
    await server.close();
  });
});
