import type { Agent, CanonicalEvent, Frame } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { inTime } from './in-time.ts';

/** A transcript that Piton wrote for hooks, and the name of its format. */
export interface WrittenTranscript {
  readonly path: string;
  readonly format: string;
}

export interface TranscriptPort {
  /** The last bytes of a file as text; undefined where there is none that may be read. */
  tail(path: string, bytes: number): Promise<string | undefined>;
  /** The agent waits for its stop: a disk that hangs must not hold it up for longer. */
  readonly patienceMs: number;
  /**
   * Writes the session so far in the form of Claude Code, if one of these hooks reads transcripts. Where it lies, or undefined.
   * Absent where nobody has recorded the session.
   */
  readonly forHooks?: (event: CanonicalEvent, frame: Frame, hooks: readonly HookDefinition[]) => Promise<WrittenTranscript | undefined>;
}

/** A last message that is longer than this is left out. */
const TAIL = 256 * 1024;

/** Some agents do not say at a stop what they said last, or say all of the turn; their transcript has it. */
export const lacksLastMessage = ({ event, transcriptPath, agentId }: CanonicalEvent, agent: Agent): boolean =>
  event === 'stop' && agentId === undefined && agent.transcript?.holdsLastMessage === true && transcriptPath !== undefined;

export async function withLastMessage(event: CanonicalEvent, agent: Agent, reader: TranscriptPort): Promise<CanonicalEvent> {
  const { transcriptPath, portable } = event;
  if (transcriptPath === undefined || agent.transcript === null) return event;
  const text = await inTime(reader.patienceMs, reader.tail(transcriptPath, TAIL));
  const last = text === undefined ? undefined : lastAnswer(agent.transcript.read(text).entries);
  const said = portable.last_assistant_message;
  // Where the agent says something, the transcript may be behind it: then what it says counts.
  if (last === undefined || (typeof said === 'string' && said !== '' && !said.endsWith(last))) return event;
  return { ...event, text: last, portable: { ...portable, last_assistant_message: last } };
}

type Entries = ReturnType<NonNullable<Agent['transcript']>['read']>['entries'];

/** Of the turn that is over; what was said before its prompt is not meant. */
function lastAnswer(entries: Entries): string | undefined {
  for (const entry of [...entries].reverse()) {
    if (entry.kind === 'answer') return entry.text;
    if (entry.kind === 'prompt') return undefined;
  }
  return undefined;
}
