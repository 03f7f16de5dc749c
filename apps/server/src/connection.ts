import type { Socket } from 'node:net';
import {
  ackMessage,
  branchMessage,
  doneMessage,
  endMessage,
  execMessage,
  FRAME_VERSION,
  MAGIC,
  MESSAGE,
  MESSAGE_LIMIT,
  MessageReader,
  type NativeAnswer,
  readResult,
  refuseMessage,
  summonMessage,
} from '@piton/contracts';
import type { RunRequest, RunResult } from '@piton/hooks';

/** What a connection may ask of the server: exactly one of these, as its first message. */
export interface ConnectionPorts {
  readonly frame: (body: Buffer, link: Link) => void;
  readonly attach: (stamp: string, link: Link) => void;
  readonly closed: (link: Link) => void;
}

/** The forwarder at the other end: it runs what it is told, and hands the answer to the agent. */
export interface Link {
  /** `atOnce`: what follows takes longer than a forwarder waits for a sign of life. */
  ack(durable: boolean, atOnce: boolean): void;
  /** Rejects with LinkLost when the forwarder goes away; its hooks went with it. */
  spawn(request: RunRequest): Promise<RunResult>;
  done(answer: NativeAnswer, more: boolean): void;
  /** Only after the answer, and before what runs here itself: another forwarder is to attach under this ticket. */
  branch(ticket: string): void;
  end(): void;
  /** To a plugin, which runs nothing: the same event is to come again, by a forwarder. */
  summon(): void;
  refuse(why: string): void;
}

export class LinkLost extends Error {}

/** For all of an EXEC that is not stdin. */
const EXEC_MARGIN = 1024 * 1024;

/** A hook that cannot be given its payload has not run; one that must hold then denies. */
const tooLarge = (bytes: number): RunResult => ({
  exitCode: 126,
  timedOut: false,
  stdoutCut: false,
  stderrCut: false,
  notStarted: true,
  durationUs: 0n,
  stdout: Buffer.alloc(0),
  stderr: Buffer.from(`its payload of ${bytes} bytes is larger than a forwarder takes`),
});

/** A forwarder connects before it has read what the agent sends; an agent may take its time. */
const OPENING_MS = 120_000;

/** Far less than a forwarder waits for it, and more than most answers take. */
const ACK_WITHIN_MS = 5;

export function acceptConnection(socket: Socket, ports: ConnectionPorts): void {
  const reader = new MessageReader();
  const waiting = new Map<number, { resolve: (result: RunResult) => void; reject: (error: Error) => void }>();
  let opening: Buffer | undefined = Buffer.alloc(0);
  let asked = false;
  let next = 0;
  let acknowledgement: Buffer | undefined;
  let flushing: NodeJS.Timeout | undefined;

  const link: Link = {
    ack(durable, atOnce) {
      if (atOnce) return void socket.write(ackMessage(durable));
      // It waits a moment for what follows: one write instead of two, and a forwarder that wakes once.
      acknowledgement = ackMessage(durable);
      flushing = setTimeout(() => socket.write(acknowledged()), ACK_WITHIN_MS);
    },
    spawn(request) {
      if (socket.destroyed) return Promise.reject(new LinkLost('the forwarder is gone'));
      const id = ++next;
      const { argv, cwd, set, unset, timeoutMs, stdoutCap, stderrCap } = request;
      const stdin = Buffer.from(request.stdin);
      if (stdin.length > MESSAGE_LIMIT - EXEC_MARGIN) return Promise.resolve(tooLarge(stdin.length));
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        const exec = execMessage({ id, argv, cwd, set, unset, timeoutMs: Math.ceil(timeoutMs), stdoutCap, stderrCap, stdin });
        socket.write(acknowledged(exec));
      });
    },
    done(answer, more) {
      const done = acknowledged(doneMessage({ exitCode: answer.exitCode, more, stdout: answer.stdout, stderr: answer.stderr }));
      if (more) socket.write(done);
      else socket.end(done);
    },
    branch: (ticket) => void socket.write(branchMessage(ticket)),
    end: () => void socket.end(endMessage()),
    summon: () => void socket.end(summonMessage()),
    refuse: (why) => void socket.end(refuseMessage(why)),
  };

  function acknowledged(next: Buffer = Buffer.alloc(0)): Buffer {
    if (acknowledgement === undefined) return next;
    const both = Buffer.concat([acknowledgement, next]);
    acknowledgement = undefined;
    clearTimeout(flushing);
    return both;
  }

  // What stops half-way must not be held for ever.
  socket.setTimeout(OPENING_MS, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    if (opening !== undefined) {
      opening = Buffer.concat([opening, chunk]);
      if (opening.length < MAGIC.length) return;
      if (!opening.subarray(0, 3).equals(MAGIC.subarray(0, 3))) return void socket.destroy();
      const version = opening[3] ?? 0;
      if (version > FRAME_VERSION) return link.refuse(`this server reads frames up to version ${FRAME_VERSION}, not ${version}`);
      rest = opening.subarray(MAGIC.length);
      opening = undefined;
    }
    for (const event of reader.push(rest)) {
      if (event.kind === 'error') return void socket.destroy();
      try {
        hear(event.type, event.body);
      } catch {
        return void socket.destroy(); // a message that is not what its type says
      }
    }
  });
  socket.on('error', () => {}); // the close that follows says all
  socket.on('close', () => {
    clearTimeout(flushing);
    for (const { reject } of waiting.values()) reject(new LinkLost('the forwarder is gone'));
    waiting.clear();
    ports.closed(link);
  });

  function hear(type: number, body: Buffer): void {
    if (type === MESSAGE.result) {
      const { id, ...result } = readResult(body);
      const run = waiting.get(id);
      waiting.delete(id);
      return run?.resolve(result);
    }
    if (asked) return void socket.destroy();
    asked = true;
    socket.setTimeout(0);
    if (type === MESSAGE.frame) return ports.frame(body, link);
    if (type === MESSAGE.attach) return ports.attach(body.toString('latin1'), link);
    link.refuse(`message type ${type} is not known`);
  }
}
