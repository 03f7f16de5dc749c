import { ByteReader, ByteWriter } from './bytes.ts';

/** A message on the hook socket is one byte of type, four of length, and a body. */
export const MESSAGE = {
  frame: 0x46, // F  forwarder → server
  attach: 0x41, // A  forwarder → server: run the hooks of an envelope posted before
  result: 0x52, // R  forwarder → server
  ack: 0x4b, // K  server → forwarder: the frame is in the journal
  exec: 0x45, // E  server → forwarder: run this
  done: 0x44, // D  server → forwarder: print this and exit
  branch: 0x42, // B  server → forwarder, after its answer: another of you must attach here, to run a command beside yours
  end: 0x5a, // Z  server → forwarder: nothing more to run after the answer
  summon: 0x53, // S  server → plugin: there is something to run, a forwarder must bring this event
  refuse: 0x58, // X  server → forwarder: I cannot read you
} as const;
export type MessageType = (typeof MESSAGE)[keyof typeof MESSAGE];

/** Nobody may make the other side hold more than this for one message. */
export const MESSAGE_LIMIT = 64 * 1024 * 1024;
export const ACK_FLAGS = { notDurable: 1 } as const;
export const DONE_FLAGS = { more: 1 } as const;
export const RESULT_FLAGS = { timedOut: 1, stdoutCut: 2, stderrCut: 4, notStarted: 8, answered: 16 } as const;

export interface Exec {
  readonly id: number;
  readonly timeoutMs: number;
  readonly stdoutCap: number;
  readonly stderrCap: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly set: Readonly<Record<string, string>>;
  /** Names; one that ends in `*` unsets every variable that begins so. `set` is applied afterwards. */
  readonly unset: readonly string[];
  readonly stdin: Uint8Array;
  /** What to print where it exits with 0 and prints nothing: then the server need not be asked, and gets the result afterwards. */
  readonly ifSilent?: SilentAnswer;
}

export type SilentAnswer = Omit<Done, 'more'>;

export interface ExecResult {
  readonly id: number;
  /** −1 when it was killed at its limit, 128 + n when signal n ended it, 126 or 127 when it did not start. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly stdoutCut: boolean;
  readonly stderrCut: boolean;
  /** It could not be started; stderr says why. */
  readonly notStarted: boolean;
  readonly durationUs: bigint;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** It printed nothing, and the agent got the answer prepared for that. */
  readonly answered?: true;
}

export interface Done {
  readonly exitCode: number;
  /** Print, then go on in a detached child: more EXEC follow, and then END. */
  readonly more: boolean;
  readonly stdout: Uint8Array | string;
  readonly stderr: Uint8Array | string;
}

const HEAD = 5;

export function message(type: MessageType, body: Uint8Array = Buffer.alloc(0)): Buffer {
  return end(begin(type).raw(body));
}

/** The length is known when the body is. */
const begin = (type: MessageType): ByteWriter => new ByteWriter().u8(type).u32(0);

function end(writer: ByteWriter): Buffer {
  const bytes = writer.end();
  bytes.writeUInt32LE(bytes.length - HEAD, 1);
  return bytes;
}

export const ackMessage = (durable: boolean): Buffer => (durable ? ACK : ACK_NOT_DURABLE);
const ACK = message(MESSAGE.ack, Buffer.of(0));
const ACK_NOT_DURABLE = message(MESSAGE.ack, Buffer.of(ACK_FLAGS.notDurable));
export const summonMessage = (): Buffer => message(MESSAGE.summon);
export const branchMessage = (ticket: string): Buffer => message(MESSAGE.branch, Buffer.from(ticket));
export const endMessage = (): Buffer => message(MESSAGE.end);
export const refuseMessage = (why: string): Buffer => message(MESSAGE.refuse, Buffer.from(why));

export function doneMessage(done: Done): Buffer {
  const body = begin(MESSAGE.done)
    .i32(done.exitCode)
    .u8(done.more ? DONE_FLAGS.more : 0);
  return end(body.bytes(done.stdout).bytes(done.stderr));
}

export function readDone(body: Uint8Array): Done {
  const reader = new ByteReader(body);
  const exitCode = reader.i32();
  const flags = reader.u8();
  return { exitCode, more: (flags & DONE_FLAGS.more) !== 0, stdout: reader.bytes(), stderr: reader.bytes() };
}

export function execMessage(exec: Omit<Exec, 'stdin'> & { readonly stdin: Uint8Array | string }): Buffer {
  const body = begin(MESSAGE.exec).u32(exec.id).u32(exec.timeoutMs).u32(exec.stdoutCap).u32(exec.stderrCap);
  body.list(exec.argv).bytes(exec.cwd);
  const names = Object.keys(exec.set);
  body.u32(names.length);
  for (const name of names) body.bytes(`${name}=${exec.set[name]}`);
  body.list(exec.unset).bytes(exec.stdin);
  const { ifSilent } = exec;
  return end(ifSilent === undefined ? body : body.i32(ifSilent.exitCode).bytes(ifSilent.stdout).bytes(ifSilent.stderr));
}

export function readExec(body: Uint8Array): Exec {
  const reader = new ByteReader(body);
  const [id, timeoutMs, stdoutCap, stderrCap] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()];
  const argv = reader.list().map(String);
  const cwd = reader.text();
  const set: Record<string, string> = {};
  for (const pair of reader.list().map(String)) set[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1);
  const exec = { id, timeoutMs, stdoutCap, stderrCap, argv, cwd, set, unset: reader.list().map(String), stdin: reader.bytes() };
  return reader.done ? exec : { ...exec, ifSilent: { exitCode: reader.i32(), stdout: reader.bytes(), stderr: reader.bytes() } };
}

export function resultMessage(result: ExecResult): Buffer {
  const flags =
    (result.timedOut ? RESULT_FLAGS.timedOut : 0) |
    (result.stdoutCut ? RESULT_FLAGS.stdoutCut : 0) |
    (result.stderrCut ? RESULT_FLAGS.stderrCut : 0) |
    (result.notStarted ? RESULT_FLAGS.notStarted : 0) |
    (result.answered ? RESULT_FLAGS.answered : 0);
  const body = begin(MESSAGE.result).u32(result.id).i32(result.exitCode).u8(flags).u64(result.durationUs);
  return end(body.bytes(result.stdout).bytes(result.stderr));
}

export function readResult(body: Uint8Array): ExecResult {
  const reader = new ByteReader(body);
  const id = reader.u32();
  const exitCode = reader.i32();
  const flags = reader.u8();
  const has = (flag: number): boolean => (flags & flag) !== 0;
  return {
    id,
    exitCode,
    timedOut: has(RESULT_FLAGS.timedOut),
    stdoutCut: has(RESULT_FLAGS.stdoutCut),
    stderrCut: has(RESULT_FLAGS.stderrCut),
    notStarted: has(RESULT_FLAGS.notStarted),
    durationUs: reader.u64(),
    stdout: reader.bytes(),
    stderr: reader.bytes(),
    ...(has(RESULT_FLAGS.answered) && { answered: true }),
  };
}

export type MessageEvent =
  | { readonly kind: 'message'; readonly type: number; readonly body: Buffer }
  | { readonly kind: 'error'; readonly error: string };

/** The one message that these bytes are, or undefined where they are less or more than that. */
export function wholeMessage(bytes: Buffer): { readonly type: number; readonly body: Buffer } | undefined {
  if (bytes.length < HEAD || bytes.readUInt32LE(1) !== bytes.length - HEAD) return undefined;
  return { type: bytes[0] as number, body: bytes.subarray(HEAD) };
}

/** Cuts a byte stream into messages. Feed it chunks; it hands back what is complete. */
export class MessageReader {
  #parts: Buffer[] = [];
  #held = 0;

  push(chunk: Buffer): MessageEvent[] {
    this.#parts.push(chunk);
    this.#held += chunk.length;
    const events: MessageEvent[] = [];
    while (this.#held >= 5) {
      const head = this.#peek(5);
      const length = head.readUInt32LE(1);
      if (length > MESSAGE_LIMIT) return [...events, { kind: 'error', error: `message of ${length} bytes` }];
      if (this.#held < 5 + length) break;
      const whole = this.#take(5 + length);
      events.push({ kind: 'message', type: whole.readUInt8(0), body: whole.subarray(5) });
    }
    return events;
  }

  #peek(count: number): Buffer {
    const first = this.#parts[0];
    if (first && first.length >= count) return first;
    this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] as Buffer;
  }

  #take(count: number): Buffer {
    const all = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#held -= count;
    this.#parts = this.#held > 0 ? [all.subarray(count)] : [];
    return all.subarray(0, count);
  }
}
