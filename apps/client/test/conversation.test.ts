import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { branchMessage, doneMessage, endMessage, execMessage, refuseMessage } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch, makeRuntime, REGISTRATION, type Runtime, TWINS } from './runtime.ts';
import { type ScriptedServer, scriptedServer, type Visit } from './scripted-server.ts';

let runtime: Runtime;
let server: ScriptedServer | undefined;
beforeEach(async () => {
  runtime = await makeRuntime();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  runtime.remove();
});

describe.each(TWINS)('$twin in conversation', ({ argv }) => {
  const fire = (over: { env?: Record<string, string>; timeoutMs?: number } = {}) => {
    const registration: string[] = [...REGISTRATION];
    if (over.timeoutMs !== undefined) registration[3] = String(over.timeoutMs);
    return launch({ argv: [...argv(runtime), ...registration], cwd: runtime.project, stdin: '{"a":1}', env: over.env ?? {} });
  };
  const play = async (script: (visit: Visit, number: number) => unknown, { pulse = true } = {}): Promise<void> => {
    server = await scriptedServer(runtime.places, (visit) => script(visit, server?.visits.length ?? 1), { pulse });
  };

  it('prints what the server says, and leaves with its code', async () => {
    await play((visit) => {
      visit.ack();
      visit.done({ exitCode: 2, stdout: '{"out":"ü"}', stderr: 'reason' });
    });
    expect(await fire().finished).toEqual({ code: 2, stdout: '{"out":"ü"}', stderr: 'reason' });
    expect(runtime.journalled()).toEqual([]);
  });

  it('runs commands in its own environment, one after the other, and reports each', async () => {
    const outputs: string[] = [];
    await play(async (visit) => {
      visit.ack();
      for (const word of ['one', 'two']) {
        const result = await visit.run({
          argv: ['/bin/sh', '-c', `cat; echo " $OWN $WORD"; pwd`],
          cwd: runtime.project,
          set: { WORD: word },
          stdin: Buffer.from('in'),
        });
        outputs.push(result.stdout.toString());
      }
      visit.done({ stdout: 'after' });
    });
    expect(await fire({ env: { OWN: 'mine' } }).finished).toEqual({ code: 0, stdout: 'after', stderr: '' });
    expect(outputs).toEqual([`in mine one\n${runtime.project}\n`, `in mine two\n${runtime.project}\n`]);
  });

  it('answers first and goes on by itself where there is more', async () => {
    const after = join(runtime.project, 'after');
    const [exec, second] = ['first', 'second'].map((word, id) =>
      execMessage({
        id,
        timeoutMs: 9000,
        stdoutCap: 99,
        stderrCap: 99,
        argv: ['/bin/sh', '-c', `sleep 0.2; echo ${word} >>after; echo ${word}`],
        cwd: runtime.project,
        set: {},
        unset: [],
        stdin: Buffer.alloc(0),
      }),
    ) as [Buffer, Buffer];
    const closed: Promise<void>[] = [];
    await play((visit) => {
      visit.ack();
      closed.push(new Promise((resolve) => visit.socket.once('close', () => resolve())));
      // In one piece, and then some: what was read with the answer must not be lost on the way.
      visit.socket.write(
        Buffer.concat([doneMessage({ exitCode: 0, more: true, stdout: 'answer', stderr: '' }), exec, second.subarray(0, 20)]),
      );
      setTimeout(() => visit.socket.write(Buffer.concat([second.subarray(20), endMessage()])), 300);
    });
    expect(await fire().finished).toEqual({ code: 0, stdout: 'answer', stderr: '' });
    await Promise.all(closed);
    expect(readFileSync(after, 'utf8')).toBe('first\nsecond\n');
  });

  it('branches after the answer: a command beside its own, over a connection of its own', async () => {
    const ticket = '01K00000000000000000000000';
    // Each waits for the other: one after the other both would fail.
    const wait = (mine: string, other: string) =>
      `touch ${mine}; n=0; until [ -e ${other} ]; do n=$((n+1)); [ $n -gt 600 ] && exit 9; sleep 0.05; done`;
    const command = (mine: string, other: string) => ({
      argv: ['/bin/sh', '-c', wait(mine, other)],
      cwd: runtime.project,
      timeoutMs: 50_000,
    });
    const codes: Promise<number>[] = [];
    const over = new Promise<void>((resolve) => {
      void play(async (visit) => {
        visit.ack();
        if (visit.stamp === ticket) {
          codes.push(visit.run(command('b', 'a')).then(({ exitCode }) => exitCode));
          await codes[1];
          visit.socket.end(endMessage());
        } else {
          visit.done({ more: true, stdout: 'answer' });
          visit.socket.write(branchMessage(ticket));
          codes.push(visit.run(command('a', 'b')).then(({ exitCode }) => exitCode));
          await codes[0];
          visit.socket.end(endMessage());
          resolve();
        }
      });
    });
    await expect.poll(() => server !== undefined).toBe(true);
    expect(await fire().finished).toEqual({ code: 0, stdout: 'answer', stderr: '' });
    await over;
    expect(await Promise.all(codes)).toEqual([0, 0]);
  });

  it('journals the event and is silent when the server does not say that it has it', async () => {
    await play(() => undefined, { pulse: false });
    expect(await fire().finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(runtime.journalled()).toMatchObject([{ agent: 'claude', resent: false, payload: Buffer.from('{"a":1}') }]);
  });

  it('waits for a busy server whose pulse is fresh', async () => {
    await play(async (visit) => {
      await sleep(900);
      visit.ack();
      visit.done({ stdout: 'late but there' });
    });
    expect(await fire().finished).toEqual({ code: 0, stdout: 'late but there', stderr: '' });
    expect(runtime.journalled()).toEqual([]);
  });

  it('journals the event and is silent when the server refuses', async () => {
    await play((visit) => visit.socket.end(refuseMessage('I read up to version 0')));
    expect(await fire().finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(runtime.journalled()).toHaveLength(1);
  });

  it('tries once more, and says so, when the server is lost over the event', async () => {
    await play((visit, number) => {
      visit.ack();
      if (number === 1) visit.socket.destroy();
      else visit.done({ stdout: 'second' });
    });
    expect(await fire().finished).toEqual({ code: 0, stdout: 'second', stderr: '' });
    const frames = server?.visits.map((visit) => visit.frame) ?? [];
    expect(frames.map((frame) => frame?.resent)).toEqual([false, true]);
    expect(frames[0]?.stamp).toBe(frames[1]?.stamp);
    expect(runtime.journalled()).toEqual([]);
  });

  it('does not try a third time', async () => {
    await play((visit) => {
      visit.ack();
      visit.socket.destroy();
    });
    expect(await fire().finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(server?.visits).toHaveLength(2);
  });

  it('asks further when the one that it asked again was dying already', async () => {
    await play((visit, number) => {
      if (number === 2) return void visit.socket.destroy();
      visit.ack();
      if (number === 1) visit.socket.destroy();
      else visit.done({ stdout: 'third' });
    });
    expect(await fire().finished).toEqual({ code: 0, stdout: 'third', stderr: '' });
    expect(server?.visits).toHaveLength(3);
    expect(runtime.journalled()).toEqual([]);
  });

  it('does not ask for ever where nobody takes the frame', async () => {
    await play((visit) => void visit.socket.destroy());
    expect(await fire().finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(server?.visits).toHaveLength(4);
    expect(runtime.journalled()).toHaveLength(1);
  });

  it('is silent before the agent gives up, and kills what runs', async () => {
    let running = false;
    await play(async (visit) => {
      visit.ack();
      running = true;
      visit.socket.once('close', () => {
        running = false;
      });
      void visit.run({ argv: ['/bin/sh', '-c', 'echo $$ >pid; exec sleep 30'], cwd: runtime.project, timeoutMs: 60_000 });
    });
    const pid = join(runtime.project, 'pid');
    // On a machine that is busy the time may be over before anything runs: then it gets more.
    for (let timeoutMs = 2000; timeoutMs < 20_000 && !existsSync(pid); timeoutMs *= 2)
      expect(await fire({ timeoutMs }).finished).toEqual({ code: 0, stdout: '', stderr: '' });
    await expect.poll(() => running).toBe(false);
    expect(await isGone(Number(readFileSync(pid, 'utf8')))).toBe(true);
  });

  it('passes a signal on to the command, and then ends by it', async () => {
    let said = '';
    await play(async (visit) => {
      visit.ack();
      const result = await visit.run({
        argv: ['/bin/sh', '-c', 'trap "echo caught; exit 0" TERM; echo >ready; while :; do sleep 0.05; done'],
        cwd: runtime.project,
      });
      said = result.stdout.toString();
    });
    const started = fire();
    await expect.poll(() => existsSync(join(runtime.project, 'ready'))).toBe(true);
    started.process.kill('SIGTERM');
    expect((await started.finished).code).toBe(null);
    expect(started.process.signalCode).toBe('SIGTERM');
    await expect.poll(() => said).toBe('caught\n');
  });

  it('takes no offence at an agent that has closed its stdout', async () => {
    await play(async (visit) => {
      await sleep(200);
      visit.ack();
      visit.done({ exitCode: 0, stdout: 'x'.repeat(200_000) });
    });
    const started = fire();
    started.process.stdout?.destroy();
    expect((await started.finished).code).toBe(0);
  });

  it('attaches to an envelope, runs its hooks and prints the decision', async () => {
    const stamp = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    await play(async (visit) => {
      visit.ack();
      const result = await visit.run({ argv: ['/bin/echo', visit.stamp ?? 'none'] });
      visit.done({ stdout: result.stdout });
    });
    expect(await launch({ argv: [...argv(runtime), '--attach', stamp], cwd: runtime.project, stdin: '' }).finished).toEqual({
      code: 0,
      stdout: `${stamp}\n`,
      stderr: '',
    });
  });
});

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    try {
      process.kill(pid, 0);
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      if (stat[stat.lastIndexOf(')') + 2] === 'Z') return true;
    } catch {
      return true;
    }
    await sleep(50);
  }
  return false;
}
