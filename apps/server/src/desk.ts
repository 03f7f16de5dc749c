import {
  type Agent,
  decodeFrame,
  type Envelope,
  encodeFrame,
  type Frame,
  GIT_HOOK,
  type NativeAnswer,
  type Reduced,
  SILENCE,
  type TraceEntry,
} from '@piton/contracts';
import { Branches } from './branches.ts';
import type { Checkpointer, Step } from './checkpoints/checkpointer.ts';
import { conclude } from './conclude.ts';
import { type Link, LinkLost } from './connection.ts';
import type { CrashPoint } from './crash-points.ts';
import { heedGit } from './git-call.ts';
import type { Journal } from './journal.ts';
import { nowUs } from './now.ts';
import { type Heard, isCommand, listen, type Pipeline, type Spawn, wantsCommand } from './pipeline.ts';
import type { Concluded } from './settlement.ts';
import type { Shares } from './shares.ts';
import type { Telling } from './subscriptions/telling.ts';
import type { Verdict } from './verdict.ts';

const ATTACH_MS = 30_000;
const BEAT_MS = 50;

export interface DeskPorts {
  readonly pipeline: Pipeline;
  readonly journal: Journal;
  readonly shares: Shares;
  readonly crash: (point: CrashPoint) => void;
  readonly beat: () => void;
  readonly checkpoints: Checkpointer;
  readonly telling: Telling;
}

type AnswerOf = (concluded: Concluded) => NativeAnswer;

export interface DeskCounts {
  frames: number;
  answered: number;
}

/** Where frames and envelopes arrive: journal first, then decide, then answer, and afterwards what nobody waits for. */
export class Desk {
  readonly counts: DeskCounts = { frames: 0, answered: 0 };
  readonly #ports: DeskPorts;
  readonly #branches = new Branches();
  /** Whose forwarder waits for what we do at this very moment. */
  #serving: Link | undefined;
  readonly #attachable = new Map<string, { heard: Heard; expiry: NodeJS.Timeout }>();

  constructor(ports: DeskPorts) {
    this.#ports = ports;
  }

  frame(body: Buffer, link: Link): void {
    const { journal, pipeline } = this.#ports;
    const result = decodeFrame(body);
    if (!result.ok) {
      pipeline.trouble(`a frame could not be read: ${result.error}`, 'run piton doctor: the forwarder and the server do not fit');
      return link.refuse(result.error);
    }
    if (result.frame.agent === GIT_HOOK.agent) return void heedGit(this.#ports, result.frame, link);
    if (result.frame.runsNothing && this.#needsForwarder(result.frame)) return link.summon();
    const { frame, bytes } = timed(result.frame, body);
    if (journal.isSmall(bytes)) this.#serve(frame, journal.appendSmallFrame(bytes), link);
    else void this.#serveLarge(frame, bytes, link);
  }

  /** Something is to be read that may be large. A forwarder that has its acknowledgement waits; another takes us for hung. */
  willTakeAWhile(): void {
    this.#serving?.willTakeAWhile();
    this.#ports.beat();
  }

  /** A plugin's frame that a forwarder will bring again is not journalled: it would be two events. */
  #needsForwarder(frame: Frame): boolean {
    try {
      return wantsCommand(this.#ports.pipeline, frame);
    } catch {
      return false; // the usual way finds the same fault, and answers it
    }
  }

  /** Writing 32 MiB takes longer than a forwarder waits for a sign of life. */
  async #serveLarge(frame: Frame, body: Buffer, link: Link): Promise<void> {
    const beating = setInterval(this.#ports.beat, BEAT_MS);
    const durable = await this.#ports.journal.appendFrame(frame.stamp, body);
    clearInterval(beating);
    this.#serve(frame, durable, link, true);
  }

  #serve(frame: Frame, durable: boolean, link: Link, large = false): void {
    this.#ports.crash('after-journal');
    this.counts.frames += 1;
    link.ack(durable, large);
    if (large) this.#ports.beat();
    let heard: Heard;
    this.#serving = link;
    try {
      heard = listen(this.#ports.pipeline, frame);
    } catch (error) {
      return this.#fault(frame, link, error);
    } finally {
      this.#serving = undefined;
    }
    this.#answer(heard, link, ({ encoded }) => encoded.answer);
    link.keepWaiting();
    this.#ports.beat();
  }

  /** A fault of ours never breaks the agent: it gets its no-op, and doctor the cause. Where a hook must hold it is denied. */
  #fault(frame: Frame, link: Link, error: unknown): void {
    const { pipeline, journal } = this.#ports;
    journal.appendVerdict({ stamp: frame.stamp, kind: 'late' });
    if (error instanceof LinkLost) return;
    pipeline.trouble(`an event could not be decided: ${(error as Error).stack ?? error}`, 'please report this');
    const agent = pipeline.agents(frame.agent);
    const deny = agent && pipeline.snapshot.denyFor(agent.id, frame.nativeEvent);
    link.done(deny === undefined ? (agent?.noop(frame.nativeEvent) ?? SILENCE) : { ...SILENCE, stdout: deny }, false);
  }

  /** `attached`: not an agent's own event, so that its forwarder has nothing to say before we do. */
  #answer(heard: Heard, link: Link, answerOf: AnswerOf, attached = false): void {
    const failed = (error: unknown): void => this.#fault(heard.frame, link, error);
    try {
      const mayAnswer = !attached && !this.#ports.checkpoints.mayLay(stepOf(heard));
      const atOnce = mayAnswer ? (answer: NativeAnswer) => link.done(answer, false) : undefined;
      const concluded = conclude(this.#ports.pipeline, heard, (request) => link.spawn(request), atOnce);
      if (concluded instanceof Promise) concluded.then((late) => this.#prepare(heard, late, link, answerOf)).catch(failed);
      else this.#prepare(heard, concluded, link, answerOf)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  /** What must be durable before the agent goes on is seen to first. */
  #prepare(heard: Heard, concluded: Concluded, link: Link, answerOf: AnswerOf): Promise<void> | undefined {
    const step = stepOf(heard);
    const laid = isStopped(concluded) ? null : this.#ports.checkpoints.before(step);
    if (laid !== null) return laid.then(() => this.#hand(heard, concluded, step, link, answerOf));
    this.#hand(heard, concluded, step, link, answerOf);
    return undefined;
  }

  #hand(heard: Heard, concluded: Concluded, step: Step, link: Link, answerOf: AnswerOf): void {
    const { crash, checkpoints, telling } = this.#ports;
    const { reduced, afterwards } = concluded;
    // What was decided is on disk before the agent hears it; that nobody had anything to say can follow.
    let verdict = saysNothing(concluded) ? undefined : this.#note(concluded);
    crash('before-answer');
    if (!concluded.answered) link.done(answerOf(concluded), afterwards !== null);
    crash('after-answer');
    verdict ??= this.#note(concluded);
    this.counts.answered += 1;
    checkpoints.after(step);
    if (reduced.decision !== 'observe' || heard.deciding.length > 0) telling.answered(heard, verdict);
    if (afterwards !== null) void this.#later(heard, afterwards, link);
  }

  #note(concluded: Concluded): Verdict {
    const verdict = concluded.verdict();
    this.#ports.journal.appendVerdict(verdict);
    if (verdict.kind === 'decided') this.#ports.shares.add(verdict.serverUs);
    return verdict;
  }

  async #later(heard: Heard, afterwards: (spawn: Spawn) => Promise<TraceEntry[]>, link: Link): Promise<void> {
    const { journal, pipeline } = this.#ports;
    try {
      const trace = await afterwards(this.#branches.spawnOn(link));
      journal.appendRuns({ stamp: heard.frame.stamp, trace });
      this.#ports.telling.ranLater(heard, trace);
    } catch (error) {
      pipeline.trouble(`hooks that only watch were lost: ${(error as Error).message}`, 'piton events show tells which');
    }
    link.end();
  }

  /** An envelope from a plugin: the decision at once, or the stamp under which a forwarder must run the hooks first. */
  async envelope(
    envelope: Envelope,
    agent: Agent,
    stamp: string,
    clock: Pick<Frame, 'wallUs' | 'monotonicUs' | 'bootId'>,
  ): Promise<{ decision: object } | { attach: string }> {
    const { pipeline, journal } = this.#ports;
    const frame = frameOf(envelope, agent, stamp, clock);
    await journal.appendFrame(stamp, encodeFrame(frame));
    this.counts.frames += 1;
    const heard = listen(pipeline, frame);
    if (hasCommands(heard)) {
      const expiry = setTimeout(() => this.#expire(stamp), ATTACH_MS).unref();
      this.#attachable.set(stamp, { heard, expiry });
      return { attach: stamp };
    }
    const concluded = await conclude(pipeline, heard, noCommand);
    this.#ports.telling.answered(heard, this.#note(concluded));
    this.counts.answered += 1;
    void concluded.afterwards?.(noCommand).then((trace) => {
      journal.appendRuns({ stamp, trace });
      this.#ports.telling.ranLater(heard, trace);
    });
    return { decision: bareDecision(concluded.reduced) };
  }

  attach(stamp: string, link: Link): void {
    if (this.#branches.attach(stamp, link)) return;
    const pending = this.#attachable.get(stamp);
    if (!pending) return link.refuse(`no envelope waits under ${stamp}`);
    this.#attachable.delete(stamp);
    clearTimeout(pending.expiry);
    link.ack(true, false);
    const bare: AnswerOf = ({ reduced }) => ({ stdout: JSON.stringify(bareDecision(reduced)), stderr: '', exitCode: 0 });
    this.#answer(pending.heard, link, bare, true);
    link.keepWaiting();
  }

  #expire(stamp: string): void {
    if (this.#attachable.delete(stamp)) this.#ports.journal.appendVerdict({ stamp, kind: 'late' });
  }
}

/** Not every runtime of a plugin can read the machine's monotonic clock; what it sends arrives at once. */
function timed(frame: Frame, body: Buffer): { frame: Frame; bytes: Buffer } {
  if (frame.monotonicUs !== 0n) return { frame, bytes: body };
  const known = { ...frame, monotonicUs: nowUs() };
  return { frame: known, bytes: encodeFrame(known) };
}

const hasCommands = ({ deciding, observing }: Heard): boolean => [...deciding, ...observing].some(isCommand);

/** Where modules alone were planned, nothing is left for a forwarder. */
const noCommand: Spawn = () => Promise.reject(new LinkLost('nothing to run'));

/** The decision as the envelope route says it: its name and its fields, no verdict beside it. */
export function bareDecision(reduced: Reduced): object {
  const { verdict: _, continue: goOn, userMessage: __, endRun: ___, ...rest } = reduced;
  return goOn === undefined ? rest : { ...rest, reason: goOn };
}

function frameOf(envelope: Envelope, agent: Agent, stamp: string, clock: Pick<Frame, 'wallUs' | 'monotonicUs' | 'bootId'>): Frame {
  const payload = Buffer.from(JSON.stringify(envelope.payload ?? null));
  return {
    agent: agent.id,
    nativeEvent: agent.events.find((native) => native.event === envelope.event)?.name ?? envelope.event,
    scope: 'envelope',
    timeoutMs: ATTACH_MS,
    args: [],
    stamp,
    ...clock,
    pid: 0,
    ppid: 0,
    depth: 0,
    run: '',
    cwd: envelope.projectPath,
    terminal: false,
    truncated: false,
    resent: false,
    variables: {},
    sender: 'envelope',
    canary: '',
    payloadSize: payload.length,
    payload,
  };
}

const stepOf = ({ event, frame, repository, depth }: Heard): Step => ({
  event,
  stamp: frame.stamp,
  root: () => repository()?.root ?? null,
  child: depth > 0,
});

/** Not to the agent, and not through it to the person. */
const saysNothing = ({ reduced: { decision, endRun, userMessage }, native }: Concluded): boolean =>
  decision === 'observe' && !endRun && userMessage === undefined && !native;

/** What does not run changes nothing. */
const isStopped = ({ reduced }: Concluded): boolean => reduced.verdict === 'deny';
