import type { Agent, CanonicalEvent, Frame, NativeContext } from '@piton/contracts';
import { withAbsolutePaths } from './paths/absolute-paths.ts';

/** How much of an invalid or truncated payload is kept. */
const SHOWN = 64 * 1024;
const LARGE = 1024 * 1024;
const MAX_PARTS = 1_000_000;
const LONGEST_PATH = 4096;
const [COMMA, BRACE, BRACKET] = [0x2c, 0x7b, 0x5b];

/** Which agent sent this: the registration's own, or one that also runs its configuration. */
export type AgentFor = (registered: string, payload: unknown, native: NativeContext) => Agent | undefined;

export interface DecodedEvent {
  readonly event: CanonicalEvent;
  /** Undefined if this version knows no such agent. */
  readonly agent: Agent | undefined;
  /** Its payload was truncated or is not JSON: only the frame is known. */
  readonly unreadable: boolean;
}

type Parse = (json: string) => unknown;

/** The canonical event of a frame; `home` is what `~` means. There is one for every payload: an event that cannot be read has still happened. */
export function decodeEvent(frame: Frame, agentFor: AgentFor, home: string, parse: Parse = JSON.parse): DecodedEvent {
  const { payload, problem } = parsePayload(frame, parse);
  const native: NativeContext = { nativeEvent: frame.nativeEvent, cwd: frame.cwd, variables: frame.variables };
  const agent = agentFor(frame.agent, payload, native);
  if (agent === undefined) return { event: unknownAgent(frame, payload, problem), agent, unreadable: false };
  const event = withAbsolutePaths(withPossibleCwd(agent.decode(payload, native), frame), home);
  if (problem === undefined) return { event, agent, unreadable: false };
  return { event: { ...event, raw: headOf(frame, problem), problems: [problem, ...(event.problems ?? [])] }, agent, unreadable: true };
}

function parsePayload(frame: Frame, parse: Parse): { payload: unknown; problem?: string } {
  if (frame.truncated) return { payload: null, problem: `payload of ${frame.payloadSize} bytes was truncated at ${frame.payload.length}` };
  if (frame.payload.length === 0) return { payload: null, problem: 'no payload on stdin' };
  if (frame.payload.length > LARGE && hasTooManyParts(frame.payload))
    return { payload: null, problem: `payload has more than ${MAX_PARTS} parts` };
  try {
    return { payload: parse(frame.payload.toString('utf8')) };
  } catch (error) {
    return { payload: null, problem: `payload is not JSON: ${(error as Error).message.slice(0, 120)}` };
  }
}

/** Thirty megabytes of text parse quickly. Thirty megabytes of empty objects would block every other agent for a minute. */
function hasTooManyParts(bytes: Buffer): boolean {
  let parts = 0;
  for (const byte of bytes) if ((byte === COMMA || byte === BRACE || byte === BRACKET) && ++parts > MAX_PARTS) return true;
  return false;
}

/** An impossible path would make every file system call on it throw. */
function withPossibleCwd(event: CanonicalEvent, frame: Frame): CanonicalEvent {
  if (isPossible(event.cwd)) return event;
  const cwd = isPossible(frame.cwd) ? frame.cwd : '/';
  return { ...event, cwd, problems: ['its working directory is not a valid path', ...(event.problems ?? [])] };
}

/** From a relative one nobody can tell which file a name means. */
const isPossible = (cwd: string): boolean => cwd.startsWith('/') && !cwd.includes('\0') && Buffer.byteLength(cwd) <= LONGEST_PATH;

/** Keeps the head of a payload that cannot be parsed, as text. */
function headOf(frame: Frame, problem: string): object {
  return { piton_unreadable: problem, bytes: frame.payloadSize, head: frame.payload.subarray(0, SHOWN).toString('utf8') };
}

function unknownAgent(frame: Frame, payload: unknown, problem: string | undefined): CanonicalEvent {
  return {
    event: 'other',
    names: ['other'],
    agent: frame.agent,
    nativeEvent: frame.nativeEvent,
    sessionId: '',
    cwd: frame.cwd,
    portable: {},
    raw: problem === undefined ? payload : headOf(frame, problem),
    problems: [`no agent is named ${frame.agent}`],
  };
}
