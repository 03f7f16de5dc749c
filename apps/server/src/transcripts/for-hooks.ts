import { PORTABLE_TRANSCRIPT, transcriptLines } from '@piton/agents';
import type { CanonicalEvent, Frame, JsonObject } from '@piton/contracts';
import type { Checkout } from '@piton/contracts/repository';
import type { LifecyclePorts } from '@piton/lifecycle';
import type { Recorder } from '../record/recorder.ts';
import { readTranscripts } from './hooks-that-read.ts';

export interface ForHooksPorts {
  /** Everything that was decided so far is known to the recorder. */
  readonly announce: () => void;
  readonly recorder: Pick<Recorder, 'transcript'>;
  readonly repositoryOf: (cwd: string) => Checkout | null;
}

/** A transcript for hooks that read one, in agents that have none for them. */
export const transcriptsForHooks =
  ({ announce, recorder, repositoryOf }: ForHooksPorts): NonNullable<LifecyclePorts['transcripts']['forHooks']> =>
  async (event, frame, hooks) => {
    if (!(await readTranscripts(hooks))) return undefined;
    announce();
    const { agent, sessionId } = event;
    const path = await recorder.transcript({
      agent,
      sessionRef: sessionId,
      eventId: frame.stamp,
      lines: linesOf(event, frame, repositoryOf(event.cwd)?.branch ?? null),
      ends: event.event === 'session_end',
    });
    return path === null ? undefined : { path, format: PORTABLE_TRANSCRIPT };
  };

/** As plain JSON: they go to another thread. */
const linesOf = (event: CanonicalEvent, { stamp, wallUs }: Frame, branch: string | null): JsonObject[] =>
  transcriptLines(event, { eventId: stamp, at: new Date(Number(wallUs / 1000n)).toISOString(), branch }).map(
    (line) => JSON.parse(JSON.stringify(line)) as JsonObject,
  );
