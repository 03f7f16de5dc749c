import type { TrackedEvent } from '@piton/checkpoints';
import { type Frame, monotonicUs } from '@piton/contracts';
import type { FrameDecision, PreparedFrame, ReceivedFrame } from '@piton/lifecycle';

/** A plugin's frame that a forwarder will send again is not journalled: it would be recorded twice. */
export function needsForwarder(received: ReceivedFrame): boolean {
  try {
    return received.wantsCommand();
  } catch {
    return false; // the normal path hits the same error and handles it
  }
}

/** Some plugin runtimes cannot read the monotonic clock. Their frames arrive at once, so the time of arrival is used. */
export const withClock = (frame: Frame): Frame => (frame.monotonicUs === 0n ? { ...frame, monotonicUs: monotonicUs() } : frame);

export const wallMs = ({ wallUs }: Frame): number => Number(wallUs / 1000n);

export const trackedOf = ({ event, frame, repository, depth }: PreparedFrame): TrackedEvent => ({
  event,
  stamp: frame.stamp,
  root: () => repository()?.root ?? null,
  child: depth > 0,
  reporter: frame,
});

/** Nothing for the agent, and no message for the person. */
export const isSilentDecision = ({ reduced: { decision, endRun, userMessage }, native }: FrameDecision): boolean =>
  decision === 'observe' && !endRun && userMessage === undefined && !native;

/** A denied call changes no files. */
export const isStopped = ({ reduced }: FrameDecision): boolean => reduced.verdict === 'deny';
