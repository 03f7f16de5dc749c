import {
  type Agent,
  budgetOf,
  capabilityOf,
  type Frame,
  type NativeAnswer,
  OBSERVE,
  type PortableContext,
  type Reduced,
  type TraceEntry,
} from '@piton/contracts';
import { DEEPEST, decide, type HookDefinition, observe, type Spawn, withDecision } from '@piton/hooks';
import type { DerivedRun } from './derived-events.ts';
import type { FrameDecision } from './frame-decision.ts';
import type { LifecyclePorts } from './ports.ts';
import type { PreparedFrame } from './prepared-frame.ts';

/** For a registration without a timeout. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** For hooks that run after the answer: no agent waits for them. */
const AFTERWARDS_MS = 600_000;

/** The result of the deciding hooks of an event. */
export interface HooksRan {
  readonly reduced: Reduced;
  readonly trace: readonly TraceEntry[];
  /** An answer in the agent's native format, to be passed on unchanged. */
  readonly native?: NativeAnswer;
  readonly waitedUs: bigint;
  /** The agent has already been answered, because the hook was silent. */
  readonly answered: boolean;
}

export const NOTHING_RAN: HooksRan = { reduced: OBSERVE, trace: [], waitedUs: 0n, answered: false };

/** Runs the deciding hooks within the time that is left for the event. */
export async function runDeciding(ports: LifecyclePorts, prepared: PreparedFrame, agent: Agent, spawn: Spawn): Promise<HooksRan> {
  const { nowUs } = ports;
  let waitedUs = 0n;
  let answered = false;
  const timed: Spawn = async (request) => {
    const from = nowUs();
    try {
      const result = await spawn(request);
      answered ||= result.answered === true;
      return result;
    } finally {
      waitedUs += nowUs() - from;
    }
  };
  const release = ports.runs.open(prepared.frame.stamp);
  try {
    const decided = await decide({
      ...runOptions(ports, prepared, agent),
      hooks: prepared.deciding,
      budgetMs: remainingMs(prepared.frame, nowUs()),
      deniable: capabilityOf(agent.capabilities, prepared.event.event, 'deny').how === 'now',
      ...(prepared.incomplete !== undefined && { truncated: prepared.incomplete }),
      spawn: timed,
    });
    return { ...decided, waitedUs, answered };
  } finally {
    release();
  }
}

/** The observing hooks, to be run after the answer. They see the event as it was let through, and what followed from a deny. */
export function observingLater(
  ports: LifecyclePorts,
  prepared: PreparedFrame,
  agent: Agent,
  reduced: Reduced,
  onDerived: readonly DerivedRun[],
): FrameDecision['afterwards'] {
  const { observing, depth, frame } = prepared;
  const runs = observing.length === 0 ? onDerived : [{ event: withDecision(prepared.event, reduced), hooks: observing }, ...onDerived];
  if (runs.length === 0 || depth >= DEEPEST) return null;
  return async (forward) => {
    const release = ports.runs.open(frame.stamp);
    try {
      const spawn = withModules(ports, forward);
      const options = { ...runOptions(ports, prepared, agent), budgetMs: AFTERWARDS_MS, deniable: false, spawn };
      const trace: TraceEntry[] = [];
      for (const { event, hooks } of runs)
        trace.push(...(await observe({ ...options, event, hooks })).map((entry) => withDropped(entry, hooks)));
      return trace;
    } finally {
      release();
    }
  };
}

/** A hook that was not written to observe: its decision has no effect here, and the trace says so. */
function withDropped(entry: TraceEntry, hooks: readonly HookDefinition[]): TraceEntry {
  if (entry.did !== 'ran' || entry.said.decision === 'observe') return entry;
  const hook = hooks.find(({ id, event }) => id === entry.hook && event === entry.event);
  if (hook === undefined || hook.observe) return entry;
  const note = `its ${entry.said.decision} was dropped: this event takes no answer`;
  return { ...entry, note: entry.note === undefined ? note : `${entry.note}; ${note}` };
}

/** A module runs in its host, whichever forwarder sent the event. A command runs in the forwarder. */
export const withModules =
  ({ modules }: Pick<LifecyclePorts, 'modules'>, forward: Spawn): Spawn =>
  (request) =>
    request.hook.module === undefined ? forward(request) : modules.run(request);

function runOptions({ sandbox, nowUs, command }: LifecyclePorts, prepared: PreparedFrame, agent: Agent) {
  const { event, frame, depth } = prepared;
  const repository = prepared.repository();
  const context: PortableContext = {
    eventId: frame.stamp,
    repo: repository?.root ?? null,
    branch: repository?.branch ?? null,
    transcriptFormat: event.writtenTranscript ?? agent.transcript?.name ?? null,
  };
  return {
    ...{ event, context, depth, sandbox, command, secrets: agent.secrets, run: frame.stamp },
    now: () => Number(nowUs()) / 1000,
    // The clock of a frame from another time namespace may be ahead.
    elapsedUs: () => Math.max(0, Number(nowUs() - frame.monotonicUs)),
    projectDir: repository?.root ?? event.cwd,
  };
}

/** The budget of the event, minus the time since the agent fired it. Both are read from the monotonic clock. */
function remainingMs(frame: Frame, nowUs: bigint): number {
  const budget = budgetOf(frame.timeoutMs > 0 ? frame.timeoutMs : DEFAULT_TIMEOUT_MS);
  const passed = Math.max(0, Number(nowUs - frame.monotonicUs) / 1000);
  return Math.max(0, budget - passed);
}
