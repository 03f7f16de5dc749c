import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CanonicalEvent, EventTable, KindEvent, Tool } from '@piton/contracts';
import type { GitHookCall } from '../links/git-hook-call.ts';
import type { Pushed } from '../links/pushes.ts';
import { birthAt, isBornAfter } from '../repositories/birth.ts';
import { reachedRepositories } from '../repositories/reached.ts';
import { stateDirectory } from '../repositories/state-directory.ts';
import type { Watched } from '../repositories/watched.ts';
import { SubagentFiles } from '../subagents/subagent-files.ts';
import { Subagents } from '../subagents/subagents.ts';
import { readFewNow } from '../waiting/named-now.ts';
import { type AgentProcess, AgentProcesses, lineOf } from './agent-process.ts';
import { callInfo, ENDS_CALL, isHarmless, namesItsFiles } from './calls/call-effect.ts';
import { callMade } from './calls/call-made.ts';
import { type Ending, EndingCalls } from './calls/ending-calls.ts';
import { isTaskEnd, taskName, taskOf, todoOf } from './calls/tool-events.ts';
import { type GitHookAsked, GitHookRequests } from './git-hook-requests.ts';
import type { Awaited, CallMade, CheckpointReport, CheckpointRequest, FollowedCall, MadeReport, TreeSession } from './messages.ts';
import { allOf, placed, Requests } from './requests.ts';
import { treesAtWork } from './turn-file.ts';
import { type Begun, callOf, isOwnId, TurnRepositories } from './turn-repositories.ts';

export interface TrackerPorts<Delivery> {
  /** The directory of all that Piton knows. */
  readonly home: string;
  /** Where `piton init` ran. */
  readonly watched: Watched;
  /** The repository around a directory. */
  readonly rootOf: (directory: string) => string | null;
  /** Hands a request to the worker. Never waits. */
  readonly send: (request: CheckpointRequest) => void;
  readonly problem: (what: string, remedy: string, kind?: 'note') => void;
  /** A checkpoint is durable: what is delivered to whom because of it. */
  readonly made: (report: MadeReport) => readonly Delivery[];
  readonly pushed: (push: Pushed) => void;
  /** The person of a session has to be told that something has no way back, and was not told at the call. */
  readonly noWayBack: (session: string, text: string) => void;
  /** As in `RequestPorts`. */
  readonly toolPatienceMs?: number;
}

/** An event of a session, with what the tracker asks about it. */
export interface TrackedEvent {
  readonly event: CanonicalEvent;
  readonly stamp: string;
  /** Looked up only where it matters. */
  readonly root: () => string | null;
  readonly child: boolean;
  /** The process that reported it. */
  readonly reporter?: { readonly pid: number; readonly ppid: number };
}

/** Events that `after` does something for. */
const TRACKED: EventTable<boolean, KindEvent> = {
  session_start: false,
  session_end: true,
  user_prompt_submit: true,
  pre_tool_use: false,
  post_tool_use: true,
  post_tool_use_failure: true,
  permission_request: false,
  permission_denied: true,
  subagent_start: false,
  subagent_stop: true,
  stop: true,
  stop_failure: false,
  pre_compact: false,
  post_compact: false,
  notification: false,
  other: false,
};

/** By which the run of a subagent is followed. */
const subagentKey = (agentId: string): string => `subagent ${agentId}`;

/** What is older than a turn can last concerns nothing that is open. */
const OLDEST_LATE_MS = 24 * 3_600_000;
const MOST_LATE = 10_000;

/** Of a subagent whose note has no name. */
const UNNAMED = 'Task: subagent';

/** Follows every session's turns from its events, and asks the worker for the checkpoints that they need. */
export class TurnTracker<Delivery> {
  readonly #ports: TrackerPorts<Delivery>;
  readonly #requests: Requests;
  readonly #gitHooks: GitHookRequests<Delivery>;
  readonly #subagents: Subagents;
  readonly #turns: TurnRepositories;
  readonly #processes = new AgentProcesses();
  readonly #ending = new EndingCalls();
  readonly #harmless = new WeakMap<CanonicalEvent, boolean>();
  readonly #lateSeen = new Set<string>();

  constructor(ports: TrackerPorts<Delivery>) {
    this.#ports = ports;
    this.#requests = new Requests(ports);
    this.#gitHooks = new GitHookRequests(ports, this.#requests);
    this.#turns = new TurnRepositories((session) => treesAtWork(stateDirectory(ports.home), session));
    this.#subagents = new Subagents(new SubagentFiles(join(ports.home, 'subagents')));
  }

  /** Before anything else: once the forwarder has its answer, nobody can tell which agent started it. */
  arrives(tracked: TrackedEvent): void {
    const { event } = tracked.event;
    if ((event === 'user_prompt_submit' || event === 'session_start') && this.#ports.watched.any()) this.#processOf(tracked);
  }

  /** Could `before` have something to do for this event? */
  mayWait({ event }: TrackedEvent): boolean {
    const { tool } = event;
    if (this.#ports.watched.any() && this.#ending.of(event) !== null) return true;
    if (event.event !== 'subagent_start' && (event.event !== 'pre_tool_use' || tool === undefined)) return false;
    return this.#ports.watched.any() && (tool === undefined || !this.#isHarmless(event, tool));
  }

  #isHarmless(event: CanonicalEvent, tool: Tool): boolean {
    // Asked twice for each call: whether it may wait, and whether it does.
    const known = this.#harmless.get(event);
    if (known !== undefined) return known;
    const harmless = isHarmless(event, tool);
    this.#harmless.set(event, harmless);
    return harmless;
  }

  /**
   * Before the answer: what must be durable before the tool may run, or read before anybody learns that it is over, or null. Settles with
   * why it is not durable, where that is so. `denied`: the call will not be made.
   */
  before(tracked: TrackedEvent, denied = false): Promise<string | undefined> | null {
    const { event, stamp, root, child } = tracked;
    const ending = this.#ports.watched.any() ? this.#ending.of(event) : null;
    if (ending !== null) return this.#readEnding(tracked, ending);
    if (denied) return null;
    if (event.event === 'subagent_start') return this.#subagentStarts(tracked);
    const { tool } = event;
    if (event.event !== 'pre_tool_use' || tool === undefined || !this.#ports.watched.any() || this.#isHarmless(event, tool)) return null;
    if (namesItsFiles(tool)) return this.#hold(tracked, tool);
    const where = this.#treeSession(event, root, child);
    if (where !== null) this.#reach(where);
    const call = this.#callMade(tracked, tool);
    if (tool.kind !== 'subagent')
      return this.#awaitAll([...(where === null ? [] : [where]), ...this.#visit(tracked)], { ...callInfo(stamp, tool), call });
    if (where === null) return null;
    const name = taskName(event);
    this.#subagents.called(event.sessionId, tool.useId, name);
    return this.#ask((awaited) => ({ kind: 'task', ...awaited, stamp, task: taskOf(event), name, call, ...where }));
  }

  #processOf({ event: { sessionId: session, agent }, reporter }: TrackedEvent): AgentProcess | undefined {
    if (session === '' || reporter === undefined) return undefined;
    return this.#processes.seen({ session, agent }, lineOf(reporter.pid, reporter.ppid));
  }

  #callMade(tracked: TrackedEvent, tool: Tool): CallMade {
    const { event, root } = tracked;
    const made = callMade(tool, { cwd: event.cwd, root: root(), process: this.#processOf(tracked) });
    this.#ending.begins(event, made);
    return made;
  }

  /** A few small files are read right here, before anybody else is heard; the thread, which is of low priority, reads more than that. */
  #readEnding({ event, child }: TrackedEvent, { key, files, named }: Ending): Promise<string | undefined> | null {
    const { sessionId: session, agent } = event;
    this.#ending.ends(event, key);
    const ending = { kind: 'ending', key, files } as const;
    return allOf(
      this.#turns.at(session).flatMap((directory) => {
        const where = { directory, session, agent, child };
        const readMs = Date.now();
        const read = readFewNow(directory, named);
        if (read === null) return [this.#requests.askAtEnd((awaited) => ({ ...ending, ...awaited, ...where }))];
        this.#send({ ...ending, read: [...read], readMs, ...where });
        return [];
      }),
    );
  }

  #awaitAll(worktrees: readonly TreeSession[], call: FollowedCall): Promise<string | undefined> | null {
    return allOf(worktrees.map((where) => this.#ask((awaited) => ({ kind: 'await', ...awaited, ...call, ...where }))));
  }

  /** The other repositories that a tool names: it may change anything there. */
  #visit(tracked: TrackedEvent): TreeSession[] {
    const { event, child } = tracked;
    const { sessionId: session, agent, tool } = event;
    if (session === '' || !this.#ports.watched.any()) return [];
    return this.#reached(tracked).map((directory) => {
      const where = { directory, session, agent, child };
      const begun = this.#turns.visits(session, directory, callOf(tool));
      if (begun !== null) this.#send({ kind: 'prompt', ...begun, ...where });
      return where;
    });
  }

  #reached({ event: { cwd, tool }, root }: TrackedEvent): readonly string[] {
    return reachedRepositories(tool?.input, { cwd, root: root(), home: homedir() }, this.#ports.watched);
  }

  /** After the answer. */
  after(tracked: TrackedEvent): void {
    const { event, stamp, root, child } = tracked;
    if (!TRACKED[event.event] && !event.names.includes('todo_update')) return;
    const where = this.#treeSession(event, root, child);
    if (event.event === 'user_prompt_submit' && event.agentId === undefined && event.prompt)
      this.#begin(tracked, { turn: stamp, prompt: event.prompt }, where);
    if (event.event === 'session_end' || (event.event === 'stop' && event.agentId === undefined)) return this.#end(event, where, child);
    this.#afterCall(tracked, where);
    if (ENDS_CALL.has(event.event)) this.#callEnds(event, callOf(event.tool), child);
  }

  #afterCall({ event, child }: TrackedEvent, where: TreeSession | null): void {
    if (ENDS_CALL.has(event.event)) this.#leave(event, child);
    if (where === null) return;
    if (event.names.includes('todo_update')) this.#send({ kind: 'todo', ...todoOf(event), ...where });
    if (isTaskEnd(event)) {
      const { working } = this.#subagents.returned(event.sessionId, event.tool?.useId);
      const task = taskOf(event);
      const apart = this.#subagents.apart(event.sessionId, task);
      this.#send({ kind: 'task-over', task, name: working ? null : taskName(event), apart, ...where });
    } else if (event.event === 'subagent_stop') this.#subagentStops(event, where);
  }

  /** Where it was at work: what changes from now on is not its doing. */
  #callEnds(event: CanonicalEvent, key: string, child: boolean, late?: string): void {
    const { sessionId: session, agent, tool } = event;
    if (session === '' || !this.#ports.watched.any() || (tool !== undefined && this.#isHarmless(event, tool))) return;
    for (const directory of this.#turns.at(session))
      this.#send({ kind: 'call-over', key, directory, session, agent, child, ...(late !== undefined && { late }) });
  }

  /**
   * An event that the agent did not wait for: a server that stalled, or was not there, learns of it only now. Whatever it announced may
   * have happened since, so nothing that can be read now is a state before it. Some come twice, by the socket and from the journal.
   */
  late(tracked: TrackedEvent, atMs: number): void {
    const { event, stamp, root, child } = tracked;
    const { sessionId: session, agent, tool } = event;
    if (session === '' || !this.#ports.watched.any() || this.#lateSeen.has(stamp) || Date.now() - atMs > OLDEST_LATE_MS) return;
    this.#lateSeen.add(stamp);
    const [oldest] = this.#lateSeen;
    if (this.#lateSeen.size > MOST_LATE && oldest !== undefined) this.#lateSeen.delete(oldest);
    const isThere = (directory: string): boolean => !isBornAfter(birthAt(directory), atMs, Date.now());
    const where = this.#treeSession(event, () => this.#turns.placeOf(event, root), child);
    if (where !== null && !isThere(where.directory)) return;
    const begun = this.#turns.begunOf(session);
    const isPast = begun !== null && begun.turn > stamp;
    if (event.event === 'user_prompt_submit' && event.agentId === undefined && event.prompt) {
      const now = { turn: stamp, prompt: event.prompt };
      for (const directory of isPast ? [] : this.#turns.began(session, now, where?.directory ?? null))
        this.#send({ kind: 'interrupted', late: stamp, directory, session, agent, child });
      if (where !== null) this.#send({ kind: 'late-prompt', ...now, atMs, ...where });
    } else if (event.event === 'pre_tool_use' && tool !== undefined && !this.#isHarmless(event, tool)) {
      const named: ReadonlyMap<string, readonly string[]> = namesItsFiles(tool)
        ? this.#worktreesOf(tracked, tool.files)
        : new Map([...(where === null ? [] : [where.directory]), ...this.#reached(tracked)].map((directory) => [directory, []]));
      const call = { ...callInfo(stamp, tool), call: this.#callMade(tracked, tool) };
      for (const [directory, files] of [...named].filter(([each]) => isThere(each)))
        this.#send({ kind: 'late-call', ...call, files, atMs, directory, session, agent, child });
    } else if (ENDS_CALL.has(event.event) || event.event === 'subagent_stop') {
      const key = event.event !== 'subagent_stop' ? callOf(tool) : event.agentId && subagentKey(event.agentId);
      // Clocks are set back: an id of its own says which call it is, whatever they say.
      if (key !== undefined && (!isPast || isOwnId(key))) this.#callEnds(event, key, child, stamp);
    } else if ((event.event === 'stop' && event.agentId === undefined) || event.event === 'session_end') {
      // What has changed since nobody knows: it is not all the agent's.
      for (const directory of isPast ? [] : this.#turns.ends(session, where?.directory ?? null))
        this.#send({ kind: 'interrupted', late: stamp, directory, session, agent, child });
    }
  }

  #begin({ event, child }: TrackedEvent, begun: Begun, where: TreeSession | null): void {
    const { sessionId: session, agent } = event;
    if (session === '' || !this.#ports.watched.any()) return;
    for (const directory of this.#turns.began(session, begun, where?.directory ?? null))
      this.#send({ kind: 'interrupted', directory, session, agent, child });
    const process = this.#processes.of(session);
    if (where !== null) this.#send({ kind: 'prompt', ...begun, ...where, process });
  }

  /** Nobody reports that an agent was killed, or closed in the middle of a turn. To be called now and then. */
  endGone(): void {
    for (const { session, agent } of this.#processes.takeGone()) {
      for (const directory of this.#turns.at(session)) this.#send({ kind: 'interrupted', directory, session, agent, child: false });
      this.#turns.forget(session);
      this.#subagents.forget(session);
    }
  }

  /** Wherever the turn was at work it ends now, also where the session itself is in no repository. */
  #end({ event, sessionId, agent }: CanonicalEvent, where: TreeSession | null, child: boolean): void {
    if (sessionId === '' || !this.#ports.watched.any()) return;
    const kind = event === 'stop' ? 'stop' : 'session-over';
    for (const directory of this.#turns.ends(sessionId, where?.directory ?? null))
      this.#send({ kind, directory, session: sessionId, agent, child });
    if (event === 'stop') return this.#subagents.turnEnded(sessionId);
    this.#subagents.forget(sessionId);
    this.#turns.forget(sessionId);
    this.#processes.forget(sessionId);
  }

  /** What a person does in another repository once the command is over is theirs. */
  #leave({ sessionId: session, agent, tool }: CanonicalEvent, child: boolean): void {
    if (session === '' || !this.#ports.watched.any()) return;
    for (const directory of this.#turns.leaves(session, callOf(tool))) this.#send({ kind: 'stop', directory, session, agent, child });
  }

  /** Each file is read in its own repository, which need not be the one that the session is in. */
  #hold(tracked: TrackedEvent, tool: Tool): Promise<string | undefined> | null {
    const { event, child } = tracked;
    const { sessionId: session, agent, cwd } = event;
    if (session === '' || !this.#ports.watched.any()) return null;
    const call = this.#callMade(tracked, tool);
    const asked = [...this.#worktreesOf(tracked, tool.files)].map(([directory, held]) => {
      const where = { directory, session, agent, child };
      this.#reach(where);
      return this.#ask((awaited) => ({ kind: 'hold', ...awaited, ...callInfo(tracked.stamp, tool), call, files: held, ...where }));
    });
    // While the thread reads them.
    this.#subagents.touched(
      session,
      event.agentId,
      tool.files.map((file) => resolve(cwd, file)),
    );
    return allOf(asked);
  }

  /** Watched working trees with the files among these that lie in them. */
  #worktreesOf({ event: { cwd }, root }: TrackedEvent, files: readonly string[]): Map<string, string[]> {
    const here = root();
    const worktrees = new Map<string, string[]>();
    for (const file of files) {
      const path = resolve(cwd, file);
      const directory = here !== null && path.startsWith(`${here}/`) ? here : (this.#ports.rootOf(dirname(path)) ?? here);
      if (directory !== null && this.#ports.watched.has(directory)) worktrees.set(directory, [...(worktrees.get(directory) ?? []), file]);
    }
    return worktrees;
  }

  /** A turn that comes to a repository only now has its before-image taken there first. */
  #reach(where: TreeSession): void {
    const begun = this.#turns.reaches(where.session, where.directory);
    if (begun !== null) this.#send({ kind: 'prompt', ...begun, ...where });
  }

  #subagentStarts({ event, stamp, root, child }: TrackedEvent): Promise<string | undefined> | null {
    const { agentId, sessionId } = event;
    const where = agentId === undefined ? null : this.#treeSession(event, root, child);
    if (where === null || agentId === undefined) return null;
    const note = this.#subagents.started(sessionId, agentId);
    const call = { key: subagentKey(agentId), reach: 'all', files: [], patterns: [] } as const;
    return this.#ask((awaited) => ({ kind: 'task', ...awaited, stamp, task: { toolUseId: undefined, agentId }, call, ...note, ...where }));
  }

  #subagentStops({ agentId, sessionId }: CanonicalEvent, where: TreeSession): void {
    if (agentId === undefined) return;
    const { awaited } = this.#subagents.stopped(sessionId, agentId);
    const task = { toolUseId: undefined, agentId };
    const apart = this.#subagents.apart(sessionId, task);
    this.#send({ kind: 'task-over', task, name: awaited ? null : UNNAMED, apart, ...where });
    this.#send({ kind: 'call-over', key: subagentKey(agentId), ...where });
  }

  /** As in `GitHookRequests`. */
  gitHook(directory: string, call: GitHookCall): GitHookAsked<Delivery> {
    return this.#gitHooks.ask(directory, call);
  }

  /** What the worker reports. */
  receive(report: CheckpointReport): void {
    if (report.kind === 'done') this.#requests.done(report.id, report.noWayBack);
    else if (report.kind === 'pushed') this.#ports.pushed(report.push);
    else if (report.kind === 'no-way-back') this.#ports.noWayBack(report.session, report.text);
    else if (report.kind === 'problem') this.#ports.problem(report.what, report.remedy, report.note && 'note');
    else this.#gitHooks.deliver(report.call, this.#ports.made(report));
  }

  /** The worker is gone, and with it all that it was asked for. */
  workerGone(): void {
    this.#requests.releaseAll();
  }

  #treeSession(event: CanonicalEvent, root: TrackedEvent['root'], child: boolean): TreeSession | null {
    if (event.sessionId === '' || !this.#ports.watched.any()) return null;
    const directory = root();
    if (directory === null || !this.#ports.watched.has(directory)) return null;
    return { directory, session: event.sessionId, agent: event.agent, child };
  }

  /** Settles once all that was asked so far in a working tree is saved. */
  async settle(directory: string): Promise<void> {
    const root = this.#ports.watched.any() ? this.#ports.rootOf(directory) : null;
    if (root !== null && this.#ports.watched.has(root))
      await this.#requests.ask(({ id }) => ({ kind: 'settle', id, directory: root }), null);
  }

  #ask(requestFor: (awaited: Awaited) => CheckpointRequest): Promise<string | undefined> {
    return this.#requests.askForTool(requestFor);
  }

  #send(request: CheckpointRequest): void {
    this.#ports.send(placed(request));
  }
}
