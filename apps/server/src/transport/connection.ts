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
  wholeMessage,
} from '@piton/contracts';
import type { RunRequest, RunResult } from '@piton/hooks';
import { isSilent } from '@piton/lifecycle';

/** What the first message of a connection may be: exactly one of these. */
export interface ConnectionPorts {
  /** A part of a message has arrived. The rest may take a while. */
  readonly partial: () => void;
  readonly frame: (body: Buffer, link: Link) => void;
  readonly attach: (stamp: string, link: Link) => void;
  readonly closed: (link: Link) => void;
}

/** The forwarder at the other end: it runs commands, and prints the answer for the agent. */
export interface Link {
  /** Is sent together with the next message; `atOnce` if that takes longer than a forwarder waits for an acknowledgement. */
  ack(durable: boolean, atOnce: boolean): void;
  /** Sends the acknowledgement single if the next message is not sent soon. */
  keepWaiting(): void;
  /** Sends the acknowledgement now: the event loop is about to be blocked for a while. */
  onSlow(): void;
  /** Rejects with LinkLost if the forwarder disconnects. Its hooks are gone with it. */
  spawn(request: RunRequest): Promise<RunResult>;
  done(answer: NativeAnswer, more: boolean): void;
  /** Asks for another forwarder, which attaches with this ticket. Only after the answer, and before a run on this link. */
  branch(ticket: string): void;
  end(): void;
  /** Tells a plugin, which cannot run commands, to send the event again through a forwarder. */
  summon(): void;
  refuse(why: string): void;
  /** The forwarder has closed its end. Known once what it sent before that is read. */
  readonly gone: boolean;
}

export class LinkLost extends Error {}

/** Space in an EXEC for everything but stdin. */
const EXEC_MARGIN = 1024 * 1024;

/** A hook that cannot get its payload has not run. A policy then denies. */
const tooLarge = (bytes: number): RunResult => ({
  exitCode: 126,
  timedOut: false,
  stdoutCut: false,
  stderrCut: false,
  notStarted: true,
  durationUs: 0n,
  stdout: Buffer.alloc(0),
  stderr: Buffer.from(`its payload of ${bytes} bytes is too large for a forwarder`),
});

/** Far less than a forwarder waits, and more than most answers take. */
const ACK_WITHIN_MS = 5;
const NOTHING = Buffer.alloc(0);

export function acceptConnection(socket: Socket, ports: ConnectionPorts): void {
  new Connection(socket, ports);
}

interface Waiting {
  /** The forwarder may answer by itself if the hook is silent. */
  readonly mayAnswer: boolean;
  readonly resolve: (result: RunResult) => void;
  readonly reject: (error: Error) => void;
}

/** One forwarder. Created for every event while an agent waits, so it allocates only what it needs. */
class Connection implements Link {
  readonly #socket: Socket;
  readonly #ports: ConnectionPorts;
  #reader: MessageReader | undefined;
  /** The opening bytes, until they are complete. */
  #opening: Buffer | undefined = NOTHING;
  #waiting: Map<number, Waiting> | undefined;
  #opened = false;
  #last = 0;
  #acknowledgement: Buffer | undefined;
  #flushing: NodeJS.Timeout | undefined;

  constructor(socket: Socket, ports: ConnectionPorts) {
    this.#socket = socket;
    this.#ports = ports;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', ignore); // handled by the close event that follows
    socket.on('close', () => this.#close());
  }

  ack(durable: boolean, atOnce: boolean): void {
    if (atOnce) this.#socket.write(ackMessage(durable));
    // Sent with the next message: one write instead of two, and the forwarder wakes up once.
    else this.#acknowledgement = ackMessage(durable);
  }

  keepWaiting(): void {
    if (this.#acknowledgement !== undefined) this.#flushing = setTimeout(() => this.#send(NOTHING), ACK_WITHIN_MS);
  }

  onSlow(): void {
    if (this.#acknowledgement !== undefined) this.#send(NOTHING);
  }

  spawn(request: RunRequest): Promise<RunResult> {
    if (this.#socket.destroyed) return Promise.reject(new LinkLost('the forwarder disconnected'));
    const id = ++this.#last;
    const { argv, cwd, set, unset, timeoutMs, stdoutCap, stderrCap, stdin, ifSilent } = request;
    const size = Buffer.byteLength(stdin);
    if (size > MESSAGE_LIMIT - EXEC_MARGIN) return Promise.resolve(tooLarge(size));
    return new Promise((resolve, reject) => {
      this.#waiting ??= new Map();
      this.#waiting.set(id, { resolve, reject, mayAnswer: ifSilent !== undefined });
      const exec = execMessage({
        ...{ id, argv, cwd, set, unset, timeoutMs: Math.ceil(timeoutMs), stdoutCap, stderrCap, stdin },
        ...(ifSilent && { ifSilent }),
      });
      this.#send(exec);
    });
  }

  done({ exitCode, stdout, stderr }: NativeAnswer, more: boolean): void {
    this.#send(doneMessage({ exitCode, more, stdout, stderr }), !more);
  }

  get gone(): boolean {
    return this.#socket.readableEnded || this.#socket.destroyed;
  }

  branch(ticket: string): void {
    this.#send(branchMessage(ticket));
  }

  end(): void {
    this.#send(endMessage(), true);
  }

  summon(): void {
    this.#send(summonMessage(), true);
  }

  refuse(why: string): void {
    this.#send(refuseMessage(why), true);
  }

  #send(message: Buffer, last = false): void {
    const acknowledgement = this.#acknowledgement;
    const bytes = acknowledgement === undefined ? message : Buffer.concat([acknowledgement, message]);
    this.#acknowledgement = undefined;
    if (this.#flushing !== undefined) clearTimeout(this.#flushing);
    this.#flushing = undefined;
    if (last) this.#socket.end(bytes);
    else this.#socket.write(bytes);
  }

  #receive(chunk: Buffer): void {
    const rest = this.#opening === undefined ? chunk : this.#open(chunk, this.#opening);
    if (rest === undefined) return;
    // Nearly every message arrives whole in one chunk.
    const single = this.#reader === undefined ? wholeMessage(rest) : undefined;
    if (single !== undefined) return this.#handle(single);
    this.#ports.partial();
    this.#reader ??= new MessageReader();
    for (const event of this.#reader.push(rest)) {
      if (event.kind === 'error') return void this.#socket.destroy();
      this.#handle(event);
    }
  }

  /** The bytes after the opening, once it is complete and its version is supported. */
  #open(chunk: Buffer, held: Buffer): Buffer | undefined {
    const opening = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    this.#opening = opening;
    if (opening.length < MAGIC.length) return undefined;
    const version = opening[3] ?? 0;
    if (opening.compare(MAGIC, 0, 3, 0, 3) !== 0) this.#socket.destroy();
    else if (version > FRAME_VERSION) this.refuse(`this server reads frames up to version ${FRAME_VERSION}, not ${version}`);
    else {
      this.#opening = undefined;
      return opening.subarray(MAGIC.length);
    }
    return undefined;
  }

  #handle({ type, body }: { readonly type: number; readonly body: Buffer }): void {
    try {
      if (type === MESSAGE.result) this.#finishRun(body);
      else if (this.#opened) this.#socket.destroy();
      else {
        this.#opened = true;
        if (type === MESSAGE.frame) this.#ports.frame(body, this);
        else if (type === MESSAGE.attach) this.#ports.attach(body.toString('latin1'), this);
        else this.refuse(`unknown message type ${type}`);
      }
    } catch {
      this.#socket.destroy(); // a message that is not what its type says
    }
  }

  #finishRun(body: Buffer): void {
    const { id, ...result } = readResult(body);
    const run = this.#waiting?.get(id);
    if (result.answered && !(run?.mayAnswer && isSilent(result)))
      throw new LinkLost('the forwarder reports an answer that it was not allowed to give');
    this.#waiting?.delete(id);
    run?.resolve(result);
  }

  #close(): void {
    clearTimeout(this.#flushing);
    for (const { reject } of this.#waiting?.values() ?? []) reject(new LinkLost('the forwarder disconnected'));
    this.#waiting?.clear();
    this.#ports.closed(this);
  }
}

const ignore = (): void => {};
