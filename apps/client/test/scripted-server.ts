import { createServer, type Server, type Socket } from 'node:net';
import {
  ackMessage,
  type Done,
  decodeFrame,
  doneMessage,
  type Exec,
  type ExecResult,
  execMessage,
  type Frame,
  MAGIC,
  MESSAGE,
  MessageReader,
  readResult,
} from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { startPulse, stopPulse } from '@piton/testing';
import { makeSocketDirectory } from './runtime.ts';

/** One connection as the server sees it; the test plays the server. */
export interface Visit {
  readonly socket: Socket;
  readonly frame: Frame | undefined;
  /** Of an attaching forwarder. */
  readonly stamp: string | undefined;
  ack(): void;
  done(done?: Partial<Done>): void;
  run(exec: Partial<Exec>): Promise<ExecResult>;
}

export interface ScriptedServer {
  readonly visits: Visit[];
  close(): Promise<void>;
}

/** Its pulse goes on beside the test's loop, which may well stand still for longer than a forwarder waits; `pulse: false` for one that hangs. */
export async function scriptedServer(places: Places, play: (visit: Visit) => unknown, { pulse = true } = {}): Promise<ScriptedServer> {
  makeSocketDirectory(places);
  if (pulse) startPulse(places.environment);
  const visits: Visit[] = [];
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    const results: ((result: ExecResult) => void)[] = [];
    const reader = new MessageReader();
    let magic = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      let rest = chunk;
      if (magic.length < 4) {
        const missing = 4 - magic.length;
        magic = Buffer.concat([magic, chunk.subarray(0, missing)]);
        rest = chunk.subarray(missing);
        if (magic.length === 4 && !magic.equals(MAGIC)) socket.destroy();
      }
      for (const event of reader.push(rest)) {
        if (event.kind === 'error') socket.destroy();
        else if (event.type === MESSAGE.result) results.shift()?.(readResult(event.body));
        else {
          const visit = visitOf(socket, event.type, event.body, results);
          visits.push(visit);
          play(visit);
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(places.hookSocket, resolve));
  return {
    visits,
    close: () =>
      new Promise((resolve) => {
        stopPulse(places.environment);
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

let lastId = 0;

function visitOf(socket: Socket, type: number, body: Buffer, results: ((result: ExecResult) => void)[]): Visit {
  const decoded = type === MESSAGE.frame ? decodeFrame(body) : undefined;
  if (decoded && !decoded.ok) throw new Error(decoded.error);
  return {
    socket,
    frame: decoded?.frame,
    stamp: type === MESSAGE.attach ? body.toString() : undefined,
    ack: () => void socket.write(ackMessage(true)),
    done: (done) => void socket.write(doneMessage({ exitCode: 0, more: false, stdout: '', stderr: '', ...done })),
    run(exec) {
      const whole: Exec = {
        id: ++lastId,
        timeoutMs: 10_000,
        stdoutCap: 65536,
        stderrCap: 65536,
        argv: [],
        cwd: '/',
        set: {},
        unset: [],
        stdin: Buffer.alloc(0),
        ...exec,
      };
      socket.write(execMessage(whole));
      return new Promise((resolve) => results.push(resolve));
    },
  };
}
