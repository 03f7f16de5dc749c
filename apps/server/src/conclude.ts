import {
  type Agent,
  budgetOf,
  capabilityOf,
  type Encoded,
  type Frame,
  type NativeAnswer,
  OBSERVE,
  type PortableContext,
  type Reduced,
  SILENCE,
  type TraceEntry,
  viaOf,
} from '@piton/contracts';
import { DEEPEST, decide, observe, withDecision } from '@piton/hooks';
import { nowUs } from './now.ts';
import type { Heard, Pipeline, Spawn } from './pipeline.ts';
import { sessionNotice } from './session-notice.ts';
import { adjust, type Concluded, derivedBy, join, settle } from './settlement.ts';
import { shareOf } from './twins.ts';
import type { Verdict } from './verdict.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
/** What runs after the answer has no agent waiting for it. */
const AFTERWARDS_MS = 600_000;

/** Decides. Without hooks in the way it does so without ever giving up the loop. */
export async function conclude(pipeline: Pipeline, heard: Heard, forward: Spawn): Promise<Concluded> {
  const spawn = withModules(pipeline, forward);
  const { frame, event, agent } = heard;
  if (agent === undefined) {
    pipeline.trouble(
      `an event came for an agent that this version does not know: ${frame.agent}`,
      'upgrade Piton, or run piton doctor --fix to remove the registration',
    );
    return settle(heard, OBSERVE, { answer: SILENCE, delivered: [] }, [], 0n, []);
  }
  if (heard.canary) {
    const verdict: Verdict = { stamp: frame.stamp, kind: 'canary' };
    return {
      encoded: { answer: agent.noop(event.nativeEvent), delivered: [] },
      reduced: OBSERVE,
      verdict: () => verdict,
      afterwards: null,
    };
  }
  let tell: (reduced: Reduced | undefined) => void = () => {};
  const told = new Promise<Reduced | undefined>((resolve) => {
    tell = resolve;
  });
  const first = pipeline.twins.meet(event, viaOf(frame), frame.stamp, Number(heard.startedUs / 1000n), told);
  const decided = first && (await first.reduced);
  // A first one that was lost has decided nothing: this one takes its place.
  if (first !== undefined && decided !== undefined) {
    const share = shareOf(decided);
    const verdict: Verdict = { stamp: frame.stamp, kind: 'twin', of: first.stamp };
    return {
      encoded: agent.encode(event, share, { attended: attendedBy(agent, frame) }),
      reduced: share,
      verdict: () => verdict,
      afterwards: null,
    };
  }
  return answer(pipeline, { ...heard, event: pipeline.toolCalls.name(event, frame.stamp) }, agent, spawn, tell);
}

async function answer(
  pipeline: Pipeline,
  heard: Heard,
  agent: Agent,
  spawn: Spawn,
  tell: (reduced: Reduced | undefined) => void,
): Promise<Concluded> {
  const { frame, event } = heard;
  let ran: Ran;
  try {
    ran = await runHooks(pipeline, heard, agent, spawn);
  } catch (error) {
    tell(undefined); // a twin must not wait for one that failed
    throw error;
  }
  const continuation = pipeline.sessions.isContinuation(event);
  const notice = event.event === 'session_start' ? sessionNotice(pipeline.registry, event.cwd) : undefined;
  const { reduced, notes } = adjust(
    pipeline,
    agent,
    event,
    notice === undefined ? ran.reduced : { ...ran.reduced, userMessage: join(ran.reduced.userMessage, notice) },
  );
  tell(ran.trace.some((entry) => entry.did === 'ran' && entry.failed === 'lost') ? undefined : reduced);
  const encoded = answerOf(agent.encode(event, reduced, { attended: attendedBy(agent, frame) }), reduced, ran.native);
  if (encoded.deferred !== undefined) pipeline.sessions.defer(event, encoded.deferred);
  if (derivedBy(event, encoded.delivered).length > 0) pipeline.toolCalls.denied(event);
  return settle({ ...heard, continuation }, reduced, encoded, ran.trace, ran.waitedUs, notes, afterwards(pipeline, heard, agent, reduced));
}

const attendedBy = (agent: Agent, { variables, terminal }: Frame): boolean => agent.attended(variables, terminal);

/** A module runs in its warm host, whoever forwarded the event; a command where the agent is. */
const withModules =
  (pipeline: Pipeline, forward: Spawn): Spawn =>
  (request) =>
    request.hook.module === undefined ? forward(request) : pipeline.modules.run(request);

/** What a hook said in the agent's own language, unless another one decided. */
const answerOf = (encoded: Encoded, { decision }: Reduced, native: NativeAnswer | undefined): Encoded =>
  native !== undefined && decision === 'observe' ? { ...encoded, answer: native } : encoded;

interface Ran {
  readonly native?: NativeAnswer;
  readonly reduced: Reduced;
  readonly trace: readonly TraceEntry[];
  readonly waitedUs: bigint;
}

function runHooks(pipeline: Pipeline, heard: Heard, agent: Agent, spawn: Spawn): Promise<Ran> | Ran {
  const { deciding, depth } = heard;
  if (depth >= DEEPEST) pipeline.trouble(`hooks called agents ${depth} deep`, 'look for a hook that starts an agent: piton events list');
  return deciding.length === 0 ? { reduced: OBSERVE, trace: [], waitedUs: 0n } : decideWith(pipeline, heard, agent, spawn);
}

async function decideWith(pipeline: Pipeline, heard: Heard, agent: Agent, spawn: Spawn): Promise<Ran> {
  const deniable = capabilityOf(agent.capabilities, heard.event.event, 'deny').how === 'now';
  let waitedUs = 0n;
  const timed: Spawn = async (request) => {
    const from = nowUs();
    try {
      return await spawn(request);
    } finally {
      waitedUs += nowUs() - from;
    }
  };
  const release = pipeline.runs.open(heard.frame.stamp);
  try {
    const said = await decide({
      ...common(pipeline, heard, agent),
      hooks: heard.deciding,
      budgetMs: remaining(heard.frame),
      deniable,
      truncated: heard.unreadable,
      spawn: timed,
    });
    return { ...said, waitedUs };
  } finally {
    release();
  }
}

/** Who only watches sees the event as it was let through. */
function afterwards(pipeline: Pipeline, heard: Heard, agent: Agent, reduced: Reduced): Concluded['afterwards'] {
  if (heard.observing.length === 0 || heard.depth >= DEEPEST) return null;
  return async (forward) => {
    const spawn = withModules(pipeline, forward);
    const release = pipeline.runs.open(heard.frame.stamp);
    try {
      const event = withDecision(heard.event, reduced);
      return await observe({
        ...common(pipeline, heard, agent),
        event,
        hooks: heard.observing,
        budgetMs: AFTERWARDS_MS,
        deniable: false,
        spawn,
      });
    } finally {
      release();
    }
  };
}

function common({ sandbox }: Pipeline, heard: Heard, agent: Agent) {
  const { event, frame } = heard;
  const repository = heard.repository();
  const context: PortableContext = {
    eventId: frame.stamp,
    repo: repository?.root ?? null,
    branch: repository?.branch ?? null,
    transcriptFormat: agent.transcript?.name ?? null,
  };
  const projectDir = repository?.root ?? event.cwd;
  return {
    event,
    context,
    secrets: agent.secrets,
    depth: heard.depth,
    run: frame.stamp,
    now: () => performance.now(),
    projectDir,
    sandbox,
  };
}

/** The event's budget less what has passed since the agent fired it. Both clocks are the machine's monotonic one. */
function remaining(frame: Frame): number {
  const budget = budgetOf(frame.timeoutMs > 0 ? frame.timeoutMs : DEFAULT_TIMEOUT_MS);
  const passed = Number(nowUs() - frame.monotonicUs) / 1000;
  return passed >= 0 && passed < budget ? budget - passed : passed < 0 ? budget : 0;
}
