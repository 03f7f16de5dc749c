import { ByteReader, ByteWriter, ShortInput } from './bytes.ts';
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
  const text: Partial<Record<number, string>> = {};
  const numbers: Partial<Record<number, number>> = {};
  const wide: Partial<Record<number, bigint>> = {};
  const args: string[] = [];
  const variables: Record<string, string> = {};
  let payload = Buffer.alloc(0);
  try {
    const reader = new ByteReader(body);
    while (!reader.done) {
      const tag = reader.u8();
      const value = reader.bytes();
      if (tag === TAG.payload) payload = value as Buffer<ArrayBuffer>;
      else if (tag === TAG.argument) args.push(value.toString('utf8'));
      else if (tag === TAG.variable) {
        const pair = value.toString('utf8');
        const at = pair.indexOf('=');
        if (at > 0) variables[pair.slice(0, at)] = pair.slice(at + 1);
      } else if (value.length === 4 && NUMBER_TAGS.has(tag)) numbers[tag] = value.readUInt32LE();
      else if (value.length === 8 && WIDE_TAGS.has(tag)) wide[tag] = value.readBigUInt64LE();
      else text[tag] = value.toString('utf8');
    }
  } catch (error) {
    if (error instanceof ShortInput) return { ok: false, error: `frame cut short: ${error.message}` };
    throw error;
  }
  const agent = text[TAG.agent];
  const nativeEvent = text[TAG.nativeEvent];
  const stamp = text[TAG.stamp];
  if (!agent || !nativeEvent) return { ok: false, error: 'frame names no registration' };
  if (stamp === undefined || !isUlid(stamp)) return { ok: false, error: 'frame has no stamp' };
  const flags = numbers[TAG.flags] ?? 0;
  return {
    ok: true,
    frame: {
      agent,
      nativeEvent,
      scope: text[TAG.scope] ?? 'user',
      timeoutMs: numbers[TAG.timeoutMs] ?? 0,
      args,
      stamp,
      bootId: text[TAG.bootId] ?? '',
      wallUs: wide[TAG.wallUs] ?? 0n,
      monotonicUs: wide[TAG.monotonicUs] ?? 0n,
      pid: numbers[TAG.pid] ?? 0,
      ppid: numbers[TAG.ppid] ?? 0,
      depth: numbers[TAG.depth] ?? 0,
      run: text[TAG.run] ?? '',
      cwd: text[TAG.cwd] ?? '',
      terminal: (flags & FRAME_FLAGS.terminal) !== 0,
      truncated: (flags & FRAME_FLAGS.truncated) !== 0,
      resent: (flags & FRAME_FLAGS.resent) !== 0,
      ...((flags & FRAME_FLAGS.runsNothing) !== 0 && { runsNothing: true }),
      variables,
      sender: text[TAG.sender] ?? '',
      canary: text[TAG.canary] ?? '',
      payloadSize: Number(wide[TAG.payloadSize] ?? BigInt(payload.length)),
      payload,
    },
  };
}

const NUMBER_TAGS: ReadonlySet<number> = new Set([TAG.timeoutMs, TAG.pid, TAG.ppid, TAG.depth, TAG.flags]);
const WIDE_TAGS: ReadonlySet<number> = new Set([TAG.wallUs, TAG.monotonicUs, TAG.payloadSize]);
