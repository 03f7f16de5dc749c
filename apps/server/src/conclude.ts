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
import { DEEPEST, decide, observe, type RunResult, withDecision } from '@piton/hooks';
import { nowUs } from './now.ts';
import { type Heard, isCommand, type Pipeline, type Spawn } from './pipeline.ts';
import { sessionNotice } from './session-notice.ts';
import { adjust, type Concluded, derivedBy, join, settle } from './settlement.ts';
import { isSilent, silentAnswer } from './silence.ts';
import { shareOf } from './twins.ts';
import type { Verdict } from './verdict.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
/** What runs after the answer has no agent waiting for it. */
const AFTERWARDS_MS = 600_000;

/** Hands the agent its answer before anything else is made of it. */
export type AnswerAtOnce = (answer: NativeAnswer) => void;

/** Decides; at once where no hook stands in the way and nobody else is asked. `atOnce`: where a hook that says nothing may be answered so, by the forwarder or by us. */
export function conclude(pipeline: Pipeline, heard: Heard, forward: Spawn, atOnce?: AnswerAtOnce): Concluded | Promise<Concluded> {
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
  let tell: Tell = () => {};
  const told = new Promise<Reduced | undefined>((resolve) => {
    tell = resolve;
  });
  const first = pipeline.twins.meet(event, viaOf(frame), frame.stamp, Number(heard.startedUs / 1000n), told);
  const lost = (error: unknown): never => {
    tell(undefined); // a twin must not wait for one that failed
    throw error;
  };
  const alone = (): Concluded | Promise<Concluded> => {
    try {
      const ready = named(pipeline, heard);
      const answered = answer(pipeline, ready, agent, runnerOf(pipeline, ready, agent, forward, atOnce), tell);
      return answered instanceof Promise ? answered.catch(lost) : answered;
    } catch (error) {
      return lost(error);
    }
  };
  return first === undefined
    ? alone()
    : first.reduced.then((decided) => (decided === undefined ? alone() : shared(heard, agent, first.stamp, decided)));
}

/** A hook that says nothing is answered first, and looked at afterwards. */
function runnerOf(pipeline: Pipeline, heard: Heard, agent: Agent, forward: Spawn, atOnce: AnswerAtOnce | undefined): Spawn {
  const run = withModules(pipeline, forward);
  if (atOnce === undefined) return run;
  // A command takes it along. While a module runs there is time to make it.
  const ifSilent = heard.deciding.some(isCommand) ? silentAnswer(pipeline, heard, agent) : undefined;
  return (request) => {
    if (request.hook.module === undefined) return run(ifSilent === undefined ? request : { ...request, ifSilent });
    return firstAnswered(run(request), () => silentAnswer(pipeline, heard, agent), atOnce);
  };
}

function firstAnswered(running: Promise<RunResult>, answerOf: () => NativeAnswer | undefined, atOnce: AnswerAtOnce): Promise<RunResult> {
  let answer: NativeAnswer | undefined;
  try {
    answer = answerOf();
  } catch {
    return running; // the usual way finds the same fault
  }
  if (answer === undefined) return running;
  const known = answer;
  return running.then((result) => {
    if (!isSilent(result)) return result;
    atOnce(known);
    return { ...result, answered: true };
  });
}

type Tell = (reduced: Reduced | undefined) => void;

/** With an id for its tool call, where the agent gave none. */
function named(pipeline: Pipeline, heard: Heard): Heard {
  const event = pipeline.toolCalls.name(heard.event, heard.frame.stamp);
  return event === heard.event ? heard : { ...heard, event };
}

/** What its twin was told counts for this one. A twin that was lost has decided nothing, and this one takes its place. */
function shared({ event, frame }: Heard, agent: Agent, first: string, decided: Reduced): Concluded {
  const share = shareOf(decided);
  const verdict: Verdict = { stamp: frame.stamp, kind: 'twin', of: first };
  return {
    encoded: agent.encode(event, share, { attended: attendedBy(agent, frame) }),
    reduced: share,
    verdict: () => verdict,
    afterwards: null,
  };
}

function answer(pipeline: Pipeline, heard: Heard, agent: Agent, spawn: Spawn, tell: Tell): Concluded | Promise<Concluded> {
  const { deciding, depth } = heard;
  if (depth >= DEEPEST) pipeline.trouble(`hooks called agents ${depth} deep`, 'look for a hook that starts an agent: piton events list');
  if (deciding.length === 0) return finish(pipeline, heard, agent, NOTHING_RAN, tell);
  return decideWith(pipeline, heard, agent, spawn).then((ran) => finish(pipeline, heard, agent, ran, tell));
}

function finish(pipeline: Pipeline, heard: Heard, agent: Agent, ran: Ran, tell: Tell): Concluded {
  const { frame, event } = heard;
  const continuation = pipeline.sessions.isContinuation(event);
  const notice = event.event === 'session_start' ? sessionNotice(pipeline.registry, event.cwd) : undefined;
  const { reduced, notes } = adjust(
    pipeline,
    agent,
    event,
    notice === undefined ? ran.reduced : { ...ran.reduced, userMessage: join(ran.reduced.userMessage, notice) },
    ran.answered,
  );
  tell(ran.trace.some((entry) => entry.did === 'ran' && entry.failed === 'lost') ? undefined : reduced);
  const encoded = answerOf(agent.encode(event, reduced, { attended: attendedBy(agent, frame) }), reduced, ran.native);
  if (encoded.deferred !== undefined) pipeline.sessions.defer(event, encoded.deferred);
  if (derivedBy(event, encoded.delivered).length > 0) pipeline.toolCalls.denied(event);
  const later = afterwards(pipeline, heard, agent, reduced);
  const concluded = settle({ ...heard, continuation }, reduced, encoded, ran.trace, ran.waitedUs, notes, later);
  if (ran.answered) return { ...concluded, answered: true };
  return ran.native === undefined ? concluded : { ...concluded, native: true };
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
  /** The agent has heard already that nobody had anything to say. */
  readonly answered: boolean;
}

const NOTHING_RAN: Ran = { reduced: OBSERVE, trace: [], waitedUs: 0n, answered: false };

async function decideWith(pipeline: Pipeline, heard: Heard, agent: Agent, spawn: Spawn): Promise<Ran> {
  const deniable = capabilityOf(agent.capabilities, heard.event.event, 'deny').how === 'now';
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
    return { ...said, waitedUs, answered };
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
