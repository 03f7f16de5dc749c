import { noWayBackText, type TrackedEvent, type TurnTracker } from '@piton/checkpoints';
import {
  type Agent,
  bareDecision,
  decodeFrame,
  type Envelope,
  encodeFrame,
  type Frame,
  GIT_HOOK,
  type NativeAnswer,
  SILENCE,
  type TraceEntry,
} from '@piton/contracts';
import { nameCommand } from '@piton/contracts/command';
import type { Spawn } from '@piton/hooks';
import {
  decideFrame,
  decodeEvent,
  type FrameDecision,
  type FrameOutcome,
  type LifecyclePorts,
  type PreparedFrame,
  type ReceivedFrame,
  receiveFrame,
  runsCommandOnDeny,
  withUserMessage,
} from '@piton/lifecycle';
import type { Journal } from '../journal/journal.ts';
import type { CrashPoint } from '../process/crash-points.ts';
import type { EventPublisher } from '../subscriptions/event-publisher.ts';
import type { Delivery } from '../subscriptions/subscriptions.ts';
import type { AgentVersionWatch } from '../versions/agent-versions.ts';
import { type Link, LinkLost } from './connection.ts';
import { type FrameClock, frameOfEnvelope, hasCommands, noCommand, WaitingEnvelopes } from './envelope-frame.ts';
import { isSilentDecision, isStopped, needsForwarder, trackedOf, wallMs, withClock } from './frame-facts.ts';
import { FramesInDoubt } from './frames-in-doubt.ts';
import { handleGitHook } from './git-hook.ts';
import type { LatencyWindow } from './latency-window.ts';
import { ParallelRuns } from './parallel-runs.ts';
import { WayBackNotices } from './way-back-notices.ts';

const BEAT_MS = 50;

export interface FrameHandlerPorts {
  readonly lifecycle: LifecyclePorts;
  readonly journal: Journal;
  readonly latencies: LatencyWindow;
  readonly crash: (point: CrashPoint) => void;
  readonly beat: () => void;
  readonly checkpoints: TurnTracker<Delivery>;
  readonly publisher: EventPublisher;
  readonly versions: AgentVersionWatch;
  readonly findAgent: (id: string) => Agent | undefined;
  /** What the person should do after a turn that failed. */
  readonly adviceOn: (prepared: PreparedFrame) => string | undefined;
  /** The native deny of a registration that has a policy. */
  readonly denyFor: (agent: string, nativeEvent: string) => string | undefined;
}

type AnswerOf = (decided: FrameDecision) => NativeAnswer;

export interface FrameCounts {
  frames: number;
  answered: number;
}

/** Handles frames and envelopes: journal, decide, answer, and then the work that nobody waits for. */
export class FrameHandler {
  readonly counts: FrameCounts = { frames: 0, answered: 0 };
  readonly #ports: FrameHandlerPorts;
  readonly #parallelRuns = new ParallelRuns();
  readonly #notices = new WayBackNotices();
  /** Their forwarders gave up before they were read: the agents went on. */
  readonly #late = new WeakSet<PreparedFrame>();
  readonly #inDoubt = new FramesInDoubt();
  /** The link whose frame is being prepared right now. */
  #serving: Link | undefined;
  readonly #waiting: WaitingEnvelopes;

  constructor(ports: FrameHandlerPorts) {
    this.#ports = ports;
    this.#waiting = new WaitingEnvelopes((stamp) => ports.journal.appendOutcome({ stamp, kind: 'late' }));
  }

  frame(body: Buffer, link: Link): void {
    const { journal, lifecycle } = this.#ports;
    const result = decodeFrame(body);
    if (!result.ok) {
      lifecycle.reportProblem(
        `could not read a frame: ${result.error}`,
        'run piton doctor: the versions of forwarder and server do not match',
      );
      return link.refuse(result.error);
    }
    if (result.frame.agent === GIT_HOOK.agent) return void handleGitHook(this.#ports, result.frame, link);
    const frame = withClock(result.frame);
    const received = receiveFrame(lifecycle, frame);
    if (frame.runsNothing && needsForwarder(received)) return link.summon();
    const bytes = frame === result.frame ? body : encodeFrame(frame);
    if (journal.isSmall(bytes)) this.#serve(received, journal.appendSmallFrame(bytes), link);
    else void this.#serveLarge(received, bytes, link);
  }

  /** The registry is about to read something large. A forwarder without its acknowledgement would think that the server hangs. */
  onSlow(): void {
    this.#serving?.onSlow();
    this.#ports.beat();
  }

  /** Writing 32 MiB takes longer than a forwarder waits, so the pulse goes on meanwhile. */
  async #serveLarge(received: ReceivedFrame, body: Buffer, link: Link): Promise<void> {
    const beating = setInterval(this.#ports.beat, BEAT_MS);
    const durable = await this.#ports.journal.appendFrame(received.frame.stamp, body);
    clearInterval(beating);
    this.#serve(received, durable, link, true);
  }

  #serve(received: ReceivedFrame, durable: boolean, link: Link, large = false): void {
    this.#ports.crash('after-journal');
    this.counts.frames += 1;
    link.ack(durable, large);
    if (large) this.#ports.beat();
    if (!durable) this.#inDoubt.hold(received.frame.stamp);
    this.#inDoubt.settle(received.frame, link, (late) => this.#resolve(received, link, late));
  }

  /** Settles once what agents have sent so far is read, and the checkpoints know of each call that went on meanwhile. */
  allReceived(): Promise<void> {
    return this.#inDoubt.allReceived();
  }

  #resolve(received: ReceivedFrame, link: Link, late: boolean): Promise<void> | undefined {
    const resolving = this.#guarded(received.frame, link, () => received.complete());
    if (resolving === 'failed') return undefined;
    if (resolving === undefined) {
      this.#decide(received, link, late);
      return undefined;
    }
    link.keepWaiting();
    return resolving
      .then(() => this.#decide(received, link, late))
      .catch((error: unknown) => this.#handleFault(received.frame, link, error));
  }

  #decide(received: ReceivedFrame, link: Link, late: boolean): void {
    const prepared = this.#guarded(received.frame, link, () => received.prepare());
    if (prepared === 'failed') return;
    if (late) this.#late.add(prepared);
    // At once, whatever its hooks do: the agent is past them.
    if (late) this.#ports.checkpoints.late(trackedOf(prepared), wallMs(prepared.frame));
    this.#answer(prepared, link, ({ encoded }) => encoded.answer);
    link.keepWaiting();
    this.#ports.beat();
  }

  /** The hooks in force are read here, and a bug of ours may show. */
  #guarded<T>(frame: Frame, link: Link, work: () => T): T | 'failed' {
    this.#serving = link;
    try {
      return work();
    } catch (error) {
      this.#handleFault(frame, link, error);
      return 'failed';
    } finally {
      this.#serving = undefined;
    }
  }

  /** A frame from the journal, that no server answered. `denied`: the call that it announced did not run. */
  adopted(frame: Frame, denied: boolean): void {
    const { lifecycle, checkpoints } = this.#ports;
    if (denied || frame.agent === GIT_HOOK.agent || frame.depth > 0 || this.#inDoubt.isHeld(frame.stamp)) return;
    const { event } = decodeEvent(frame, lifecycle.agentFor, lifecycle.home);
    const root = (): string | null => lifecycle.repositoryOf(event.cwd)?.root ?? null;
    checkpoints.late({ event, stamp: frame.stamp, root, child: false }, wallMs(frame));
  }

  /** Something that the person of a session has to know, and that is known only after the answer: that a call has no way back, … */
  notify(session: string, text: string): void {
    this.#notices.add(session, text);
  }

  /** A bug of ours never breaks the agent: it gets its no-op, and doctor shows the cause. Where a policy is in force it is denied. */
  #handleFault(frame: Frame, link: Link, error: unknown): void {
    const { lifecycle, journal, findAgent, denyFor } = this.#ports;
    journal.appendOutcome({ stamp: frame.stamp, kind: 'late' });
    if (error instanceof LinkLost) return;
    lifecycle.reportProblem(`could not decide an event: ${(error as Error).stack ?? error}`, 'report this as a bug');
    const agent = findAgent(frame.agent);
    const deny = agent && denyFor(agent.id, frame.nativeEvent);
    link.done(deny === undefined ? (agent?.noop(frame.nativeEvent) ?? SILENCE) : { ...SILENCE, stdout: deny }, false);
  }

  /** `attached`: the event came as an envelope, so the forwarder may not answer by itself. */
  #answer(prepared: PreparedFrame, link: Link, answerOf: AnswerOf, attached = false): void {
    const failed = (error: unknown): void => this.#handleFault(prepared.frame, link, error);
    try {
      const tracked = trackedOf(prepared);
      this.#ports.checkpoints.arrives(tracked);
      const mayAnswer = !attached && !this.#ports.checkpoints.mayWait(tracked);
      const atOnce = mayAnswer ? (answer: NativeAnswer) => link.done(answer, false) : undefined;
      const decided = decideFrame(this.#ports.lifecycle, prepared, (request) => link.spawn(request), atOnce);
      if (decided instanceof Promise) decided.then((late) => this.#saveFirst(prepared, late, link, answerOf)).catch(failed);
      else this.#saveFirst(prepared, decided, link, answerOf)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Saves the checkpoint that must exist before the agent continues. */
  #saveFirst(prepared: PreparedFrame, decided: FrameDecision, link: Link, answerOf: AnswerOf): Promise<void> | undefined {
    const tracked = trackedOf(prepared);
    const isLate = this.#late.has(prepared);
    const saved = isLate ? null : this.#ports.checkpoints.before(tracked, isStopped(decided));
    if (saved !== null)
      return saved.then((noWayBack) => {
        const { sessionId, tool } = prepared.event;
        if (noWayBack !== undefined) this.#notices.add(sessionId, noWayBackText(tool?.name ?? 'tool', noWayBack));
        this.#deliver(prepared, this.#withNotice(prepared, decided), tracked, link, answerOf);
      });
    this.#deliver(prepared, this.#withNotice(prepared, decided), tracked, link, answerOf);
    return undefined;
  }

  /** What the person has to know goes with the first answer that can show it: this one, or that to the next prompt. */
  #withNotice(prepared: PreparedFrame, decided: FrameDecision): FrameDecision {
    if (this.#late.has(prepared)) return decided; // nobody reads this one
    const advice = this.#ports.adviceOn(prepared);
    if (advice !== undefined) this.#notices.add(prepared.event.sessionId, advice);
    const notice = this.#notices.of(prepared.event);
    const told = notice === undefined ? null : withUserMessage(prepared, decided, nameCommand(notice, this.#ports.lifecycle.command));
    if (told !== null) this.#notices.told(prepared.event);
    return told ?? decided;
  }

  #deliver(prepared: PreparedFrame, decided: FrameDecision, tracked: TrackedEvent, link: Link, answerOf: AnswerOf): void {
    const { crash, checkpoints, publisher, versions } = this.#ports;
    const { reduced, afterwards } = decided;
    // A decision is on disk before the agent gets it. An empty outcome can be written after the answer.
    let outcome = isSilentDecision(decided) ? undefined : this.#journalOutcome(decided);
    crash('before-answer');
    if (!decided.answered) link.done(answerOf(decided), afterwards !== null);
    crash('after-answer');
    outcome ??= this.#journalOutcome(decided);
    this.counts.answered += 1;
    if (!this.#late.has(prepared)) checkpoints.after(tracked);
    versions.heard(prepared.event);
    if (reduced.decision !== 'observe' || prepared.deciding.length > 0) publisher.answered(prepared, outcome);
    if (afterwards !== null) void this.#runLater(prepared, afterwards, link);
  }

  #journalOutcome(decided: FrameDecision): FrameOutcome {
    const outcome = decided.outcome();
    this.#ports.journal.appendOutcome(outcome);
    if (outcome.kind === 'decided') this.#ports.latencies.add(outcome.serverUs);
    return outcome;
  }

  async #runLater(prepared: PreparedFrame, afterwards: (spawn: Spawn) => Promise<TraceEntry[]>, link: Link): Promise<void> {
    const { journal, lifecycle } = this.#ports;
    try {
      const trace = await afterwards(this.#parallelRuns.spawnOn(link));
      journal.appendRuns({ stamp: prepared.frame.stamp, trace });
      this.#ports.publisher.ranLater(prepared, trace);
    } catch (error) {
      lifecycle.reportProblem(`observing hooks did not run: ${(error as Error).message}`, 'see which: piton events show');
    }
    link.end();
  }

  /** An envelope from a plugin: the decision, or the stamp with which a forwarder must attach to run the hooks. */
  async envelope(envelope: Envelope, agent: Agent, stamp: string, clock: FrameClock): Promise<{ decision: object } | { attach: string }> {
    const { lifecycle, journal } = this.#ports;
    const frame = frameOfEnvelope(envelope, agent, stamp, clock);
    await journal.appendFrame(stamp, encodeFrame(frame));
    this.counts.frames += 1;
    const received = receiveFrame(lifecycle, frame);
    await received.complete();
    const prepared = received.prepare();
    if (hasCommands(prepared) || (prepared.deciding.length > 0 && runsCommandOnDeny(lifecycle, frame, prepared.event))) {
      this.#waiting.add(stamp, prepared);
      return { attach: stamp };
    }
    const decided = await decideFrame(lifecycle, prepared, noCommand);
    this.#ports.publisher.answered(prepared, this.#journalOutcome(decided));
    this.counts.answered += 1;
    void decided.afterwards?.(noCommand).then((trace) => {
      journal.appendRuns({ stamp, trace });
      this.#ports.publisher.ranLater(prepared, trace);
    });
    return { decision: bareDecision(decided.reduced) };
  }

  attach(stamp: string, link: Link): void {
    if (this.#parallelRuns.attach(stamp, link)) return;
    const prepared = this.#waiting.take(stamp);
    if (prepared === undefined) return link.refuse(`no envelope waits under ${stamp}`);
    link.ack(true, false);
    const bare: AnswerOf = ({ reduced }) => ({ stdout: JSON.stringify(bareDecision(reduced)), stderr: '', exitCode: 0 });
    this.#answer(prepared, link, bare, true);
    link.keepWaiting();
  }
}
