import type { Delivery, Encoded, Outcome, Reduced, TraceEntry } from '@piton/contracts';
import type { Spawn } from '@piton/hooks';
import { derivedBy } from './derived-events.ts';
import type { FrameOutcome } from './frame-outcome.ts';
import type { LifecyclePorts } from './ports.ts';
import type { PreparedFrame } from './prepared-frame.ts';
import { generatedId } from './tool-calls.ts';

const LISTED_UNMATCHED = 20;

export interface FrameDecision {
  readonly encoded: Encoded;
  readonly reduced: Reduced;
  /** For the journal. If nothing was decided, it can be built after the answer. */
  readonly outcome: () => FrameOutcome;
  /** Runs the observing hooks. Their trace is recorded under the same stamp. */
  readonly afterwards: ((spawn: Spawn) => Promise<TraceEntry[]>) | null;
  /** The forwarder has already answered the agent. */
  readonly answered?: true;
  /** A hook has answered in the agent's native format, so its decision is unknown. */
  readonly native?: true;
}

export interface Finished {
  readonly reduced: Reduced;
  readonly encoded: Encoded;
  /** Of the hooks that ran before the answer. */
  readonly trace: readonly TraceEntry[];
  /** How long they ran. */
  readonly waitedUs: bigint;
  readonly notes?: readonly Delivery[];
  readonly continuation?: boolean;
  readonly afterwards?: FrameDecision['afterwards'];
}

export function finishDecision({ nowUs }: Pick<LifecyclePorts, 'nowUs'>, prepared: PreparedFrame, finished: Finished): FrameDecision {
  const { reduced, encoded, trace, waitedUs, notes = [], continuation, afterwards = null } = finished;
  const { event, frame, depth, parent, skipped, caller } = prepared;
  const serverUs = Number(nowUs() - prepared.startedUs - waitedUs);
  const outcome = (): FrameOutcome => {
    const repository = prepared.repository();
    const useId = generatedId(event);
    return {
      stamp: frame.stamp,
      kind: 'decided',
      outcome: { decision: reduced, delivered: [...encoded.delivered, ...notes], ...shortened([...skipped, ...trace]) },
      serverUs,
      depth,
      parent,
      repo: repository?.root ?? null,
      branch: repository?.branch ?? null,
      derived: derivedBy(event, encoded.delivered),
      ...(useId !== undefined && { useId }),
      ...(continuation && { continuation: true }),
      ...(caller !== undefined && { caller }),
    };
  };
  return { encoded, reduced, outcome, afterwards };
}

/** A thousand hooks that did not match would make the trace larger than the event. */
function shortened(trace: readonly TraceEntry[]): Pick<Outcome, 'trace' | 'unmatched'> {
  let listed = 0;
  const kept = trace.filter((entry) => entry.did === 'ran' || entry.why !== 'no-match' || ++listed <= LISTED_UNMATCHED);
  return kept.length === trace.length ? { trace } : { trace: kept, unmatched: trace.length - kept.length };
}
