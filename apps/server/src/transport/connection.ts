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

/** What a connection may ask of the server: exactly one of these, as its first message. */
export interface ConnectionPorts {
  /** Something came that is not all: the rest may take its time. */
  readonly partly: () => void;
  readonly frame: (body: Buffer, link: Link) => void;
  readonly attach: (stamp: string, link: Link) => void;
  readonly closed: (link: Link) => void;
}

/** The forwarder at the other end: it runs what it is told, and hands the answer to the agent. */
export interface Link {
  /** Goes out together with what follows; `atOnce` where that takes longer than a forwarder waits for a sign of life. */
  ack(durable: boolean, atOnce: boolean): void;
  /** Nothing has followed yet, and it may be a while: the acknowledgement need not wait for it. */
  keepWaiting(): void;
  /** The same, and it will be a while: nothing else is said, or heard, until then. */
  willTakeAWhile(): void;
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
  stderr: Buffer.from(`its payload of ${bytes} bytes is too large for a forwarder`),
});

/** Far less than a forwarder waits for it, and more than most answers take. */
const ACK_WITHIN_MS = 5;
const NOTHING = Buffer.alloc(0);

export function acceptConnection(socket: Socket, ports: ConnectionPorts): void {
  new Connection(socket, ports);
}

interface Waiting {
  /** The forwarder may answer for it, should it be silent. */
  readonly mayAnswer: boolean;
  readonly resolve: (result: RunResult) => void;
  readonly reject: (error: Error) => void;
}

/** One forwarder. Every event makes one of these while an agent waits: it holds nothing that most of them never need. */
class Connection implements Link {
  readonly #socket: Socket;
  readonly #ports: ConnectionPorts;
  #reader: MessageReader | undefined;
  /** What came before the opening was whole. */
  #opening: Buffer | undefined = NOTHING;
  #waiting: Map<number, Waiting> | undefined;
  #asked = false;
  #last = 0;
  #acknowledgement: Buffer | undefined;
  #flushing: NodeJS.Timeout | undefined;

  constructor(socket: Socket, ports: ConnectionPorts) {
    this.#socket = socket;
    this.#ports = ports;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', ignore); // the close that follows says all
    socket.on('close', () => this.#close());
  }

  ack(durable: boolean, atOnce: boolean): void {
    if (atOnce) this.#socket.write(ackMessage(durable));
    // It waits for what follows: one write instead of two, and a forwarder that wakes once.
    else this.#acknowledgement = ackMessage(durable);
  }

  keepWaiting(): void {
    if (this.#acknowledgement !== undefined) this.#flushing = setTimeout(() => this.#send(NOTHING), ACK_WITHIN_MS);
  }

  willTakeAWhile(): void {
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
    // Nearly all that is ever sent comes as one whole message.
    const alone = this.#reader === undefined ? wholeMessage(rest) : undefined;
    if (alone !== undefined) return this.#decodeEvent(alone);
    this.#ports.partly();
    this.#reader ??= new MessageReader();
    for (const event of this.#reader.push(rest)) {
      if (event.kind === 'error') return void this.#socket.destroy();
      this.#decodeEvent(event);
    }
  }

  /** What follows the opening, once that is whole and says what we understand. */
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

  #decodeEvent({ type, body }: { readonly type: number; readonly body: Buffer }): void {
    try {
      if (type === MESSAGE.result) this.#over(body);
      else if (this.#asked) this.#socket.destroy();
      else {
        this.#asked = true;
        if (type === MESSAGE.frame) this.#ports.frame(body, this);
        else if (type === MESSAGE.attach) this.#ports.attach(body.toString('latin1'), this);
        else this.refuse(`unknown message type ${type}`);
      }
    } catch {
      this.#socket.destroy(); // a message that is not what its type says
    }
  }

  #over(body: Buffer): void {
    const { id, ...result } = readResult(body);
    const run = this.#waiting?.get(id);
    if (result.answered && !(run?.mayAnswer && isSilent(result))) throw new LinkLost('it says that it has answered, and cannot have');
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
