import {
  type Agent,
  type CanonicalEvent,
  type Encoded,
  exactJson,
  type Frame,
  type NativeAnswer,
  OBSERVE,
  type Reduced,
  SILENCE,
  viaOf,
} from '@piton/contracts';
import { nameCommand } from '@piton/contracts/command';
import { DEEPEST, type Spawn } from '@piton/hooks';
import { arrives, overLimit, withLimit } from './context-limit.ts';
import { derivedBy, derivedRuns } from './derived-events.ts';
import { sharedDecision } from './duplicates.ts';
import { type FrameDecision, finishDecision } from './frame-decision.ts';
import type { FrameOutcome } from './frame-outcome.ts';
import { type HooksRan, NOTHING_RAN, observingLater, runDeciding, withModules } from './hook-runs.ts';
import { withNativePaths } from './paths/absolute-paths.ts';
import type { LifecyclePorts } from './ports.ts';
import type { PreparedFrame } from './prepared-frame.ts';
import { joinTexts, withSessionEffects } from './session/effects.ts';
import { type AnswerAtOnce, answeringAtOnce } from './silent-answer.ts';

/** Decides a frame; synchronously if no hook runs. `atOnce`: called with the answer as soon as a hook is known to be silent, if that is allowed. */
export function decideFrame(
  ports: LifecyclePorts,
  prepared: PreparedFrame,
  forward: Spawn,
  atOnce?: AnswerAtOnce,
): FrameDecision | Promise<FrameDecision> {
  const { frame, event, agent, startedUs } = prepared;
  if (agent === undefined) return unknownAgent(ports, prepared);
  if (prepared.canary) return undecided(agent.noop(event.nativeEvent), { stamp: frame.stamp, kind: 'canary' });
  let resolve: Resolve = () => {};
  const reduced = new Promise<Reduced | undefined>((settled) => {
    resolve = settled;
  });
  const first = ports.duplicates.firstOf(event, viaOf(frame), frame.stamp, Number(startedUs / 1000n), reduced);
  const lost = (error: unknown): never => {
    resolve(undefined); // a duplicate must not wait for one that failed
    throw error;
  };
  const alone = (): FrameDecision | Promise<FrameDecision> => {
    try {
      const decided = decideAlone(ports, withToolCallId(ports, prepared), agent, forward, atOnce, resolve);
      return decided instanceof Promise ? decided.catch(lost) : decided;
    } catch (error) {
      return lost(error);
    }
  };
  return first === undefined
    ? alone()
    : first.reduced.then((decided) => (decided === undefined ? alone() : asDuplicate(prepared, agent, first.stamp, decided)));
}

/** Gives duplicates the decision; undefined if the link was lost and there is none. */
type Resolve = (reduced: Reduced | undefined) => void;

function unknownAgent(ports: LifecyclePorts, prepared: PreparedFrame): FrameDecision {
  ports.reportProblem(
    `an event came for an agent that this version does not know: ${prepared.frame.agent}`,
    'upgrade Piton, or remove the registration with piton doctor --fix',
  );
  const encoded = { answer: SILENCE, delivered: [] };
  return finishDecision(ports, prepared, { reduced: OBSERVE, encoded, trace: [], waitedUs: 0n });
}

const undecided = (answer: NativeAnswer, outcome: FrameOutcome): FrameDecision => ({
  encoded: { answer, delivered: [] },
  reduced: OBSERVE,
  outcome: () => outcome,
  afterwards: null,
});

/** Adds an id to its tool call if the agent sent none. */
function withToolCallId({ toolCalls }: LifecyclePorts, prepared: PreparedFrame): PreparedFrame {
  const event = toolCalls.withId(prepared.event, prepared.frame.stamp);
  return event === prepared.event ? prepared : { ...prepared, event };
}

/** A duplicate gets the decision of the first. (If the first was lost, the duplicate is decided itself.) */
function asDuplicate({ event, frame }: PreparedFrame, agent: Agent, first: string, decided: Reduced): FrameDecision {
  const reduced = sharedDecision(decided);
  const outcome: FrameOutcome = { stamp: frame.stamp, kind: 'twin', of: first };
  return {
    encoded: encode(agent, event, reduced, frame),
    reduced,
    outcome: () => outcome,
    afterwards: null,
  };
}

function decideAlone(
  ports: LifecyclePorts,
  prepared: PreparedFrame,
  agent: Agent,
  forward: Spawn,
  atOnce: AnswerAtOnce | undefined,
  resolve: Resolve,
): FrameDecision | Promise<FrameDecision> {
  const { deciding, depth } = prepared;
  if (depth >= DEEPEST)
    ports.reportProblem(`hooks start agents recursively (depth ${depth})`, 'find the hook that starts an agent: piton events list');
  if (deciding.length === 0) return finish(ports, prepared, agent, NOTHING_RAN, resolve);
  const spawn = answeringAtOnce(ports, prepared, agent, withModules(ports, forward), atOnce);
  return runDeciding(ports, prepared, agent, spawn).then((ran) => finish(ports, prepared, agent, ran, resolve));
}

function finish(ports: LifecyclePorts, prepared: PreparedFrame, agent: Agent, ran: HooksRan, resolve: Resolve): FrameDecision {
  const { frame, event } = prepared;
  const { trace, waitedUs } = ran;
  const continuation = ports.sessions.isContinuation(event);
  const { reduced, notes } = withSessionEffects(ports, agent, event, withNotice(ports, prepared, ran.reduced), ran.answered);
  resolve(trace.some((entry) => entry.did === 'ran' && entry.failed === 'lost') ? undefined : reduced);
  const encoded = inNative(encode(agent, event, reduced, frame), reduced, ran.native);
  if (encoded.deferred !== undefined) ports.sessions.defer(event, encoded.deferred);
  reportLimit(ports, agent, event, reduced, encoded);
  const derived = derivedBy(event, encoded.delivered);
  if (derived.length > 0) ports.toolCalls.denied(event);
  const onDerived = derived.length > 0 ? derivedRuns(ports, frame, event, derived, reduced) : [];
  const afterwards = observingLater(ports, prepared, agent, reduced, onDerived);
  const decision = finishDecision(ports, prepared, { reduced, encoded, trace, waitedUs, notes, continuation, afterwards });
  if (ran.answered) return { ...decision, answered: true };
  return ran.native === undefined ? decision : { ...decision, native: true };
}

/** Some agents show the person nothing at this event: `status` and `doctor` do. */
function reportLimit(
  { reportProblem }: LifecyclePorts,
  agent: Agent,
  event: CanonicalEvent,
  reduced: Reduced,
  { delivered }: Encoded,
): void {
  const over = overLimit(agent, event, reduced);
  if (over !== undefined && delivered.some(arrives)) reportProblem(over.note, 'shorten what your hooks say: piton events list', 'note');
}

function withNotice({ noticeFor, command }: LifecyclePorts, { event }: PreparedFrame, reduced: Reduced): Reduced {
  const notice = event.event === 'session_start' ? noticeFor(event) : undefined;
  return notice === undefined ? reduced : { ...reduced, userMessage: joinTexts(reduced.userMessage, nameCommand(notice, command)) };
}

/** The same decision with a message for the person; null where nobody would see it, or the answer is not ours to change. */
export function withUserMessage({ agent, event, frame }: PreparedFrame, decision: FrameDecision, message: string): FrameDecision | null {
  if (agent === undefined || decision.answered || decision.native) return null;
  const reduced = { ...decision.reduced, userMessage: joinTexts(decision.reduced.userMessage, message) };
  const before = encode(agent, event, decision.reduced, frame);
  const encoded = encode(agent, event, reduced, frame);
  return encoded.answer.stdout === before.answer.stdout ? null : { ...decision, reduced, encoded };
}

/** The decision in the agent's own format, with its own spelling of paths and numbers. */
function encode(agent: Agent, event: CanonicalEvent, reduced: Reduced, { variables, terminal }: Frame): Encoded {
  const attended = agent.attended(variables, terminal);
  const encoded = withLimit(
    (decision) => agent.encode(event, withNativePaths(event, decision), { attended }),
    reduced,
    overLimit(agent, event, reduced),
  );
  const stdout = exactJson(encoded.answer.stdout);
  return stdout === encoded.answer.stdout ? encoded : { ...encoded, answer: { ...encoded.answer, stdout } };
}

/** The native answer of a hook, unless another hook decided. */
const inNative = (encoded: Encoded, { decision }: Reduced, native: NativeAnswer | undefined): Encoded =>
  native !== undefined && decision === 'observe' ? { ...encoded, answer: native } : encoded;
