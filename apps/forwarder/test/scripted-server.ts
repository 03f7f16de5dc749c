import { mkdirSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import {
  ackMessage,
  decodeFrame,
  doneMessage,
  type Exec,
  type ExecResult,
  endMessage,
  execMessage,
  type Frame,
  MAGIC,
  MESSAGE,
  MessageReader,
  readResult,
} from '@piton/contracts';
import { startPulse, stopPulse } from '@piton/testing';
import { createForwarderHome, type ForwarderHome } from './home.ts';
import { type Call, forward, type Spawned } from './spawned.ts';

export interface Received {
  readonly type: number;
  readonly body: Buffer;
}

/** One connection of a forwarder, seen by a server that says only what the test tells it. */
export interface Connection {
  readonly socket: Socket;
  /** The next message; undefined once the forwarder has closed. */
  next(): Promise<Received | undefined>;
  frame(): Promise<Frame>;
  /** Says ack after the frame. */
  acked(): Promise<Frame>;
  exec(exec: Exec): Promise<ExecResult>;
  done(answer?: { exitCode?: number; more?: boolean; stdout?: string | Buffer; stderr?: string | Buffer }): void;
  end(): void;
  readonly closed: Promise<void>;
}

export interface ScriptedServer {
  readonly connections: Connection[];
  close(): Promise<void>;
}

export type Script = (connection: Connection, number: number) => unknown;

export async function startScriptedServer(home: ForwarderHome, script: Script, { pulse = true } = {}): Promise<ScriptedServer> {
  mkdirSync(home.places.sockets, { recursive: true, mode: 0o700 });
  if (pulse) startPulse(home.places.environment);
  const connections: Connection[] = [];
  const failures: unknown[] = [];
  const server: Server = createServer((socket) => {
    const connection = converse(socket, (broken) => failures.push(broken));
    connections.push(connection);
    Promise.resolve(script(connection, connections.length)).catch((error: unknown) => {
      failures.push(error);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(home.places.hookSocket, resolve));
  return {
    connections,
    async close() {
      stopPulse(home.places.environment);
      for (const { socket } of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      if (failures.length > 0) throw failures[0];
    },
  };
}

function converse(socket: Socket, fail: (broken: Error) => void): Connection {
  const reader = new MessageReader();
  const waiting: Received[] = [];
  const readers: ((received: Received | undefined) => void)[] = [];
  let greeting: Buffer | undefined = Buffer.alloc(0);
  let over = false;
  const finish = (): void => {
    over = true;
    for (const resolve of readers.splice(0)) resolve(undefined);
  };
  const take = (chunk: Buffer): void => {
    for (const event of reader.push(chunk)) {
      if (event.kind === 'error') return fail(new Error(event.error));
      const resolve = readers.shift();
      if (resolve) resolve(event);
      else waiting.push(event);
    }
  };
  socket.on('data', (chunk) => {
    if (greeting === undefined) return take(chunk);
    greeting = Buffer.concat([greeting, chunk]);
    if (greeting.length < MAGIC.length) return;
    if (!greeting.subarray(0, MAGIC.length).equals(MAGIC)) return fail(new Error('a connection without the magic'));
    const rest = greeting.subarray(MAGIC.length);
    greeting = undefined;
    take(rest);
  });
  socket.on('error', finish);
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('close', finish);

  const next = (): Promise<Received | undefined> => {
    const first = waiting.shift();
    if (first || over) return Promise.resolve(first);
    return new Promise((resolve) => readers.push(resolve));
  };
  const expectOne = async (type: number): Promise<Buffer> => {
    const received = await next();
    if (received?.type !== type)
      throw new Error(`wanted ${String.fromCharCode(type)}, got ${received ? String.fromCharCode(received.type) : 'the end'}`);
    return received.body;
  };
  const frame = async (): Promise<Frame> => {
    const read = decodeFrame(await expectOne(MESSAGE.frame));
    if (!read.ok) throw new Error(read.error);
    return read.frame;
  };
  return {
    socket,
    next,
    frame,
    closed,
    async acked() {
      const received = await frame();
      socket.write(ackMessage(true));
      return received;
    },
    async exec(exec) {
      socket.write(execMessage(exec));
      return readResult(await expectOne(MESSAGE.result));
    },
    done({ exitCode = 0, more = false, stdout = '', stderr = '' } = {}) {
      socket.write(doneMessage({ exitCode, more, stdout, stderr }));
    },
    end: () => void socket.write(endMessage()),
  };
}

/** An event whose frame is acknowledged and whose answer is empty: what most tests want to look at is the frame. */
export async function frameOf(home: ForwarderHome, call: Call): Promise<{ frame: Frame; pid: number; ended: Spawned }> {
  let seen: Frame | undefined;
  const server = await startScriptedServer(home, async (connection) => {
    seen = await connection.acked();
    connection.done();
  });
  const { child, ended } = forward(home, call);
  const end = await ended;
  await server.close();
  if (!seen) throw new Error('no frame arrived');
  return { frame: seen, pid: child.pid ?? 0, ended: end };
}

/** Runs one command the way a hook is run: told to a forwarder over the socket. */
export async function runThroughForwarder(exec: Exec, binary: string): Promise<ExecResult> {
  const home = createForwarderHome(binary);
  let result: ExecResult | undefined;
  const server = await startScriptedServer(home, async (connection) => {
    await connection.acked();
    result = await connection.exec(exec);
    connection.done();
  });
  try {
    const ended = await forward(home, { timeoutMs: 120_000, stdin: '{}' }).ended;
    if (ended.code !== 0 || ended.stderr !== '') throw new Error(`the forwarder ended with ${ended.code}: ${ended.stderr}`);
  } finally {
    await server.close();
    home.remove();
  }
  if (!result) throw new Error('no result arrived');
  return result;
}

export const execOf = (argv: readonly string[], more: Partial<Exec> = {}): Exec => ({
  id: 7,
  timeoutMs: 20_000,
  stdoutCap: 1 << 20,
  stderrCap: 1 << 20,
  argv,
  cwd: '/',
  set: {},
  unset: [],
  stdin: Buffer.alloc(0),
  ...more,
});
