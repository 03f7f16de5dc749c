import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { treesAtWork } from '@piton/checkpoints';
import type { CanonicalEvent } from '@piton/contracts';
import type { Pushed } from '../own-journal.ts';
import type { Delivery } from '../subscriptions/subscriptions.ts';
import type { CheckpointerData, FromCheckpointer, GitCall, ToCheckpointer, Whereabouts } from './messages.ts';
import { type Begun, callOf, OpenTurns } from './open-turns.ts';
import { reachedRepositories } from './reached.ts';
import type { Watched } from './repositories.ts';
import { SubagentFiles } from './subagent-files.ts';
import { Subagents } from './subagents.ts';
import { isTaskEnd, taskName, taskOf, todoOf } from './told-by-tools.ts';

export interface CheckpointerPorts {
  readonly script: string;
  readonly data: CheckpointerData;
  /** Where `piton init` ran. */
  readonly watched: Watched;
  /** The repository around a directory. */
  readonly rootOf: (directory: string) => string | null;
  readonly trouble: (what: string, remedy: string, kind?: 'note') => void;
  /** Durable by now: whoever subscribed is told. */
  readonly made: (message: MadeMessage) => readonly Delivery[];
  readonly pushed: (push: Pushed) => void;
}

export type MadeMessage = Extract<FromCheckpointer, { kind: 'made' | 'linked' }>;

/** An event of a session in a repository that is watched. */
export interface Step {
  readonly event: CanonicalEvent;
  readonly stamp: string;
  /** Looked up only where it matters. */
  readonly root: () => string | null;
  readonly child: boolean;
}

/** Tools that change nothing. */
const HARMLESS: ReadonlySet<string> = new Set(['read', 'todo', 'web']);
/** Hooks of git's that git waits for. */
const AWAITED: ReadonlySet<string> = new Set(['prepare-commit-msg', 'commit-msg', 'pre-push']);
const HEARD: ReadonlySet<string> = new Set([
  'user_prompt_submit',
  'post_tool_use',
  'post_tool_use_failure',
  'subagent_stop',
  'stop',
  'session_end',
]);

/** A thread that has nothing to do for so long goes; the next prompt starts another. */
const IDLE_MS = 10 * 60_000;

/** Of a subagent whose note has no name. */
const UNNAMED = 'Task: subagent';

/** A tool waits no longer than this for its way back; then it runs without one, and that is said. */
const LATE_TOOL = {
  afterMs: 10_000,
  what: 'a tool ran before its way back was laid: that took longer than 10 s',
  remedy: 'piton checkpoints; the turn may have no before-image',
};
/** A person waits for git, and a link that is missed is found again. */
const LATE_GIT = {
  afterMs: 2000,
  what: 'git went on before its hook was heeded: that took longer than 2 s',
  remedy: 'piton checkpoints repair finds the link',
};

/** Takes checkpoints on a thread of its own: git is started often, and starting a process holds up whoever does it. */
export class Checkpointer {
  readonly #ports: CheckpointerPorts;
  readonly #waiting = new Map<number, () => void>();
  readonly #subagents: Subagents;
  readonly #turns: OpenTurns;
  /** What is being told of calls of git's. */
  readonly #deliveries = new Map<number, Delivery[]>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #next = 0;
  #closed: (() => void) | undefined;

  constructor(ports: CheckpointerPorts) {
    this.#ports = ports;
    this.#turns = new OpenTurns((session) => treesAtWork(ports.data.state, session));
    this.#subagents = new Subagents(new SubagentFiles(join(ports.data.home, 'subagents')));
  }

  /** Could `before` have something to do for this event? */
  mayLay({ event }: Step): boolean {
    const { tool } = event;
    const lays = event.event === 'subagent_start' || (event.event === 'pre_tool_use' && tool !== undefined && !HARMLESS.has(tool.kind));
    return lays && this.#ports.watched.any();
  }

  /** Before the answer: what must be durable before the tool may run, or null. */
  before(step: Step): Promise<void> | null {
    const { event, stamp, root, child } = step;
    if (event.event === 'subagent_start') return this.#subagentStarts(step);
    const { tool } = event;
    if (event.event !== 'pre_tool_use' || tool === undefined || HARMLESS.has(tool.kind)) return null;
    if (tool.kind === 'edit' && tool.files.length > 0) return this.#hold(step, tool.files);
    const where = this.#whereabouts(event, root, child);
    if (where !== null) this.#reach(where);
    if (tool.kind !== 'subagent') return this.#awaitAll([...(where === null ? [] : [where]), ...this.#visit(step)], stamp);
    if (where === null) return null;
    const name = taskName(event);
    this.#subagents.called(event.sessionId, tool.useId, name);
    return this.#ask((id) => ({ kind: 'task', id, stamp, task: taskOf(event), name, ...where }));
  }

  #awaitAll(places: readonly Whereabouts[], stamp: string): Promise<void> | null {
    const asked = places.map((where) => this.#ask((id) => ({ kind: 'await', id, stamp, ...where })));
    return asked.length === 0 ? null : Promise.all(asked).then(() => {});
  }

  /** The other repositories that a tool names: it may change anything there. */
  #visit({ event: { sessionId: session, agent, cwd, tool }, root, child }: Step): Whereabouts[] {
    if (session === '' || !this.#ports.watched.any()) return [];
    const from = { cwd, root: root(), home: homedir() };
    return reachedRepositories(tool?.input, from, this.#ports.watched).map((directory) => {
      const where = { directory, session, agent, child };
      const begun = this.#turns.visits(session, directory, callOf(tool));
      if (begun !== null) this.#send({ kind: 'prompt', ...begun, ...where });
      return where;
    });
  }

  /** After the answer. */
  after({ event, stamp, root, child }: Step): void {
    if (!HEARD.has(event.event) && !event.names.includes('todo_update')) return;
    const where = this.#whereabouts(event, root, child);
    if (event.event === 'user_prompt_submit' && event.agentId === undefined && event.prompt)
      this.#begin(event, { turn: stamp, prompt: event.prompt }, where, child);
    if (event.event === 'session_end' || (event.event === 'stop' && event.agentId === undefined)) return this.#end(event, where, child);
    if (event.event === 'post_tool_use' || event.event === 'post_tool_use_failure') this.#leave(event, child);
    if (where === null) return;
    if (event.names.includes('todo_update')) this.#send({ kind: 'todo', ...todoOf(event), ...where });
    if (isTaskEnd(event)) {
      const { working } = this.#subagents.returned(event.sessionId, event.tool?.useId);
      const task = taskOf(event);
      const apart = this.#subagents.apart(event.sessionId, task);
      this.#send({ kind: 'task-over', task, name: working ? null : taskName(event), apart, ...where });
    } else if (event.event === 'subagent_stop') this.#subagentStops(event, where);
  }

  #begin({ sessionId: session, agent }: CanonicalEvent, begun: Begun, where: Whereabouts | null, child: boolean): void {
    if (session === '' || !this.#ports.watched.any()) return;
    for (const directory of this.#turns.began(session, begun, where?.directory ?? null))
      this.#send({ kind: 'interrupted', directory, session, agent, child });
    if (where !== null) this.#send({ kind: 'prompt', ...begun, ...where });
  }

  /** Wherever the turn was at work it ends now, also where the session itself is in no repository. */
  #end({ event, sessionId, agent }: CanonicalEvent, where: Whereabouts | null, child: boolean): void {
    if (sessionId === '' || !this.#ports.watched.any()) return;
    const kind = event === 'stop' ? 'stop' : 'session-over';
    for (const directory of this.#turns.ends(sessionId, where?.directory ?? null))
      this.#send({ kind, directory, session: sessionId, agent, child });
    if (event === 'stop') return this.#subagents.turnEnded(sessionId);
    this.#subagents.forget(sessionId);
    this.#turns.forget(sessionId);
  }

  /** What a person does in another repository once the command is over is theirs. */
  #leave({ sessionId: session, agent, tool }: CanonicalEvent, child: boolean): void {
    if (session === '' || !this.#ports.watched.any()) return;
    for (const directory of this.#turns.leaves(session, callOf(tool))) this.#send({ kind: 'stop', directory, session, agent, child });
  }

  /** Each file is read in its own repository, which need not be the one that the session is in. */
  #hold({ event, stamp, root, child }: Step, files: readonly string[]): Promise<void> | null {
    const { sessionId: session, agent, cwd } = event;
    if (session === '' || !this.#ports.watched.any()) return null;
    const here = root();
    const places = new Map<string, string[]>();
    const paths = files.map((file) => resolve(cwd, file));
    for (const [at, file] of files.entries()) {
      const path = paths[at] ?? '';
      const directory = here !== null && path.startsWith(`${here}/`) ? here : (this.#ports.rootOf(dirname(path)) ?? here);
      if (directory !== null && this.#ports.watched.has(directory)) places.set(directory, [...(places.get(directory) ?? []), file]);
    }
    const asked = [...places].map(([directory, held]) => {
      const where = { directory, session, agent, child };
      this.#reach(where);
      return this.#ask((id) => ({ kind: 'hold', id, stamp, files: held, ...where }));
    });
    // While the thread reads them.
    this.#subagents.touched(session, event.agentId, paths);
    return asked.length === 0 ? null : Promise.all(asked).then(() => {});
  }

  /** A turn that comes to a repository only now has its before-image taken there first. */
  #reach(where: Whereabouts): void {
    const begun = this.#turns.reaches(where.session, where.directory);
    if (begun !== null) this.#send({ kind: 'prompt', ...begun, ...where });
  }

  #subagentStarts({ event, stamp, root, child }: Step): Promise<void> | null {
    const { agentId, sessionId } = event;
    const where = agentId === undefined ? null : this.#whereabouts(event, root, child);
    if (where === null || agentId === undefined) return null;
    const note = this.#subagents.started(sessionId, agentId);
    return this.#ask((id) => ({ kind: 'task', id, stamp, task: { toolUseId: undefined, agentId }, ...note, ...where }));
  }

  #subagentStops({ agentId, sessionId }: CanonicalEvent, where: Whereabouts): void {
    if (agentId === undefined) return;
    const { awaited } = this.#subagents.stopped(sessionId, agentId);
    const task = { toolUseId: undefined, agentId };
    const apart = this.#subagents.apart(sessionId, task);
    this.#send({ kind: 'task-over', task, name: awaited ? null : UNNAMED, apart, ...where });
  }

  /**
   * A message is marked, and a push noted, before git goes on; what follows a commit, git does not wait for. What is
   * being told of it comes back once the work is done.
   */
  git(directory: string, call: GitCall): { readonly heeded: Promise<void>; readonly told: Promise<readonly Delivery[]> } {
    // A commit may be the first that is heard of a repository since it was moved: what waits for that commit must be found.
    const root = this.#ports.watched.any() ? this.#ports.rootOf(directory) : null;
    if (root !== null) this.#ports.watched.has(root);
    const deliveries: Delivery[] = [];
    const awaited = AWAITED.has(call.hook);
    let id = 0;
    const done = this.#ask(
      (given) => {
        id = given;
        this.#deliveries.set(id, deliveries);
        return { kind: 'git', id, directory, ...call };
      },
      awaited ? LATE_GIT : null,
    ).finally(() => this.#deliveries.delete(id));
    return { heeded: awaited ? done : Promise.resolve(), told: done.then(() => deliveries) };
  }

  close(): Promise<void> {
    if (this.#worker === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closed = resolve;
      this.#send({ kind: 'close' });
    });
  }

  #whereabouts(event: CanonicalEvent, root: Step['root'], child: boolean): Whereabouts | null {
    if (event.sessionId === '' || !this.#ports.watched.any()) return null;
    const directory = root();
    if (directory === null || !this.#ports.watched.has(directory)) return null;
    return { directory, session: event.sessionId, agent: event.agent, child };
  }

  /** `late` is said where somebody went on without it; where nobody would, it may take its time. */
  #ask(message: (id: number) => ToCheckpointer, late: typeof LATE_TOOL | null = LATE_TOOL): Promise<void> {
    const id = ++this.#next;
    return new Promise((resolve) => {
      const over = (isLate: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (isLate && late) this.#ports.trouble(late.what, late.remedy);
        resolve();
      };
      const timer = late === null ? undefined : setTimeout(over, late.afterMs, true);
      this.#waiting.set(id, () => over(false));
      this.#send(message(id));
    });
  }

  #send(message: ToCheckpointer): void {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
    this.#idle = setTimeout(() => this.#worker?.postMessage({ kind: 'close' } satisfies ToCheckpointer), IDLE_MS).unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#ports.script, {
      workerData: this.#ports.data,
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 },
    });
    worker.on('message', (message: FromCheckpointer) => this.#hear(message));
    worker.on('error', (error) => this.#ports.trouble(`the checkpointer failed: ${error.message}`, 'it is started again; piton doctor'));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      // Nobody waits for a thread that is gone.
      for (const release of [...this.#waiting.values()]) release();
      this.#closed?.();
    });
    worker.unref();
    return worker;
  }

  #hear(message: FromCheckpointer): void {
    if (message.kind === 'done') this.#waiting.get(message.id)?.();
    else if (message.kind === 'made' || message.kind === 'linked') {
      const told = this.#ports.made(message);
      if (message.call !== null) this.#deliveries.get(message.call)?.push(...told);
    } else if (message.kind === 'pushed') this.#ports.pushed(message.push);
    else if (message.kind === 'trouble') this.#ports.trouble(message.what, message.remedy, message.note && 'note');
  }
}
