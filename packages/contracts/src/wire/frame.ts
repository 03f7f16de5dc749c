import { ByteWriter } from './bytes.ts';
import { isUlid } from './ulid.ts';

export const FRAME_VERSION = 1;
/** What a connection opens with; the fourth byte is the version of everything that follows. */
export const MAGIC = Buffer.from([0x50, 0x54, 0x4e, FRAME_VERSION]);
/** A payload up to this size passes whole; a longer one is cut here and marked. */
export const PAYLOAD_LIMIT = 32 * 1024 * 1024;

export const FRAME_FLAGS = { terminal: 1, truncated: 2, resent: 4, runsNothing: 8 } as const;

const TAG = {
  agent: 1,
  nativeEvent: 2,
  scope: 3,
  timeoutMs: 4,
  argument: 5,
  stamp: 6,
  bootId: 7,
  wallUs: 8,
  monotonicUs: 9,
  pid: 10,
  ppid: 11,
  depth: 12,
  run: 13,
  cwd: 14,
  flags: 15,
  variable: 16,
  sender: 17,
  canary: 18,
  payloadSize: 19,
  payload: 32,
} as const;

/** What the forwarder sends: one event as the agent gave it, and where and when that was. */
export interface Frame {
  readonly agent: string;
  readonly nativeEvent: string;
  readonly scope: string;
  /** The agent's native timeout, as written in the registration's command line. */
  readonly timeoutMs: number;
  /** What the caller passed after the registration: a git hook's own arguments. */
  readonly args: readonly string[];
  readonly stamp: string;
  readonly bootId: string;
  readonly wallUs: bigint;
  readonly monotonicUs: bigint;
  readonly pid: number;
  readonly ppid: number;
  readonly depth: number;
  /** PITON_RUN of the hook inside which this event happened, or empty. */
  readonly run: string;
  readonly cwd: string;
  readonly terminal: boolean;
  readonly truncated: boolean;
  /** Sent again after the server died over it. */
  readonly resent: boolean;
  /** Sent from inside the agent, by a plugin: it takes an answer, and where a command must run it fetches a forwarder. */
  readonly runsNothing?: boolean;
  /** The variables that the registration names, as far as they were set. */
  readonly variables: Readonly<Record<string, string>>;
  /** The program and version that built the frame. */
  readonly sender: string;
  /** A one-time token of `piton status`, or empty. */
  readonly canary: string;
  /** Of the payload as the agent sent it, before any cut. */
  readonly payloadSize: number;
  readonly payload: Buffer;
}

export type FrameResult = { readonly ok: true; readonly frame: Frame } | { readonly ok: false; readonly error: string };

export function encodeFrame(frame: Frame): Buffer {
  const writer = new ByteWriter();
  const text = (tag: number, value: string): void => void writer.u8(tag).bytes(value);
  const u32 = (tag: number, value: number): void => void writer.u8(tag).u32(4).u32(value);
  const u64 = (tag: number, value: bigint): void => void writer.u8(tag).u32(8).u64(value);
  text(TAG.agent, frame.agent);
  text(TAG.nativeEvent, frame.nativeEvent);
  text(TAG.scope, frame.scope);
  u32(TAG.timeoutMs, frame.timeoutMs);
  for (const argument of frame.args) text(TAG.argument, argument);
  text(TAG.stamp, frame.stamp);
  text(TAG.bootId, frame.bootId);
  u64(TAG.wallUs, frame.wallUs);
  u64(TAG.monotonicUs, frame.monotonicUs);
  u32(TAG.pid, frame.pid);
  u32(TAG.ppid, frame.ppid);
  u32(TAG.depth, frame.depth);
  text(TAG.run, frame.run);
  text(TAG.cwd, frame.cwd);
  u32(TAG.flags, flagsOf(frame));
  for (const [name, value] of Object.entries(frame.variables)) text(TAG.variable, `${name}=${value}`);
  text(TAG.sender, frame.sender);
  if (frame.canary !== '') text(TAG.canary, frame.canary);
  u64(TAG.payloadSize, BigInt(frame.payloadSize));
  writer.u8(TAG.payload).bytes(frame.payload);
  return writer.end();
}

function flagsOf({ terminal, truncated, resent, runsNothing }: Frame): number {
  return (
    (terminal ? FRAME_FLAGS.terminal : 0) |
    (truncated ? FRAME_FLAGS.truncated : 0) |
    (resent ? FRAME_FLAGS.resent : 0) |
    (runsNothing ? FRAME_FLAGS.runsNothing : 0)
  );
}

/** What stands in a journal file of a forwarder's own: the magic and a frame's body. */
export function readFrameFile(bytes: Buffer): FrameResult {
  if (bytes.length < 4 || !bytes.subarray(0, 3).equals(MAGIC.subarray(0, 3))) return { ok: false, error: 'not a frame file' };
  const version = bytes[3] ?? 0;
  if (version > FRAME_VERSION) return { ok: false, error: `frame version ${version} is newer than this server` };
  return decodeFrame(bytes.subarray(4));
}

/** Reads a frame's body. Unknown tags are passed over, so that a later field breaks no older server. */
export function decodeFrame(body: Uint8Array): FrameResult {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const frame = emptyFrame();
  let flags = 0;
  let size: number | undefined;
  // An agent waits for this: no view is made of a field, only what it says.
  for (let at = 0; at < bytes.length; ) {
    if (at + HEAD > bytes.length) return short(HEAD, at, bytes);
    const tag = bytes[at] as number;
    const length = bytes.readUInt32LE(at + 1);
    const from = at + HEAD;
    at = from + length;
    if (at > bytes.length) return short(length, from, bytes);
    const text = TEXTS[tag];
    if (text !== undefined) frame[text] = bytes.toString('utf8', from, at);
    else if (tag === TAG.payload) frame.payload = bytes.subarray(from, at);
    else if (tag === TAG.argument) frame.args.push(bytes.toString('utf8', from, at));
    else if (tag === TAG.variable) addVariable(frame.variables, bytes.toString('utf8', from, at));
    else if (length === 4) {
      const number = NUMBERS[tag];
      if (number !== undefined) frame[number] = bytes.readUInt32LE(from);
      else if (tag === TAG.flags) flags = bytes.readUInt32LE(from);
    } else if (length === 8) {
      if (tag === TAG.wallUs) frame.wallUs = bytes.readBigUInt64LE(from);
      else if (tag === TAG.monotonicUs) frame.monotonicUs = bytes.readBigUInt64LE(from);
      else if (tag === TAG.payloadSize) size = Number(bytes.readBigUInt64LE(from));
    }
  }
  if (frame.agent === '' || frame.nativeEvent === '') return { ok: false, error: 'frame names no registration' };
  if (!isUlid(frame.stamp)) return { ok: false, error: 'frame has no stamp' };
  frame.terminal = (flags & FRAME_FLAGS.terminal) !== 0;
  frame.truncated = (flags & FRAME_FLAGS.truncated) !== 0;
  frame.resent = (flags & FRAME_FLAGS.resent) !== 0;
  if ((flags & FRAME_FLAGS.runsNothing) !== 0) frame.runsNothing = true;
  frame.payloadSize = size ?? frame.payload.length;
  return { ok: true, frame };
}

/** Before each field: its tag and its length. */
const HEAD = 5;
/** By tag. */
const TEXTS = byTag(['agent', 'nativeEvent', 'scope', 'stamp', 'bootId', 'run', 'cwd', 'sender', 'canary']);
const NUMBERS = byTag(['timeoutMs', 'pid', 'ppid', 'depth']);

function byTag<Name extends keyof typeof TAG>(names: readonly Name[]): readonly (Name | undefined)[] {
  const fields: (Name | undefined)[] = Array.from({ length: 256 }, () => undefined);
  for (const name of names) fields[TAG[name]] = name;
  return fields;
}

const short = (needed: number, at: number, { length }: Buffer): FrameResult => ({
  ok: false,
  error: `frame cut short: needs ${needed} bytes at ${at}, has ${length - at}`,
});

function addVariable(variables: Record<string, string>, pair: string): void {
  const at = pair.indexOf('=');
  if (at > 0) variables[pair.slice(0, at)] = pair.slice(at + 1);
}

type Filling = { -readonly [Key in keyof Frame]: Frame[Key] } & { args: string[]; variables: Record<string, string> };

/** As one is where nothing was sent. */
const emptyFrame = (): Filling => ({
  agent: '',
  nativeEvent: '',
  scope: 'user',
  timeoutMs: 0,
  args: [],
  stamp: '',
  bootId: '',
  wallUs: 0n,
  monotonicUs: 0n,
  pid: 0,
  ppid: 0,
  depth: 0,
  run: '',
  cwd: '',
  terminal: false,
  truncated: false,
  resent: false,
  variables: {},
  sender: '',
  canary: '',
  payloadSize: 0,
  payload: NO_PAYLOAD,
});
const NO_PAYLOAD = Buffer.alloc(0);
