import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CanonicalEvent, EventName, ToolKind } from '@piton/contracts';
import { ulid } from '@piton/contracts';
import { onTestFinished } from 'vitest';
import { type Checkpoints, openCheckpoints } from '../src/checkpoints.ts';
import { keepCall } from '../src/kept/keep-call.ts';
import { addRepository, watchRepositories } from '../src/repositories/watched.ts';
import type { CheckpointRequest } from '../src/turns/messages.ts';
import { TurnTracker } from '../src/turns/tracker.ts';
import { createCheckpointWorker } from '../src/turns/worker.ts';
import type { Scratch } from './scratch.ts';
import { SlowGit } from './slow-git.ts';

export interface Call {
  readonly id: string;
  readonly kind: ToolKind;
  readonly input: Record<string, unknown>;
  /** Of the event that announced it. */
  readonly stamp: string;
}

/** A person and some agents in one working tree: what the server does with their events, without the server. */
export class SharedTree {
  readonly user: Scratch;
  readonly #tracker: TurnTracker<never>;
  readonly #worker: ReturnType<typeof createCheckpointWorker>;
  readonly problems: string[] = [];
  /** While it is held nobody waits for what follows an event. */
  readonly slow = new SlowGit();
  #calls = 0;
  #unheard: (() => void)[] | null = null;

  /** `root`: where `piton init` ran. `apart`: what is asked reaches the worker later, as it does between threads. */
  constructor(
    user: Scratch,
    root = user.root,
    { toolPatienceMs, apart = false }: { readonly toolPatienceMs?: number; readonly apart?: boolean } = {},
  ) {
    this.user = user;
    addRepository(user.home, root);
    const watched = watchRepositories(user.home, (path) => statSync(path, { throwIfNoEntry: false }));
    this.#worker = createCheckpointWorker({
      git: this.slow.port(user.runner()),
      redactor: { text: (text) => text, holdsToken: () => false, refresh: () => {} },
      home: user.home,
      config: join(user.home, 'config'),
      parseSettings: (text) => ({ value: JSON.parse(text), errors: [] }),
      post: (report) => this.#tracker.receive(report),
      allReceived: async () => this.#hearsMissed(),
    });
    this.#tracker = new TurnTracker<never>({
      home: user.home,
      watched,
      rootOf: (directory) => (directory === user.root || directory.startsWith(`${user.root}/`) ? user.root : null),
      send: (request) => void (apart ? this.#handleLater(request) : this.#worker.handle(request)),
      problem: (what) => void this.problems.push(what),
      made: () => [],
      pushed: () => {},
      noWayBack: (_session, text) => void this.problems.push(text),
      ...(toolPatienceMs !== undefined && { toolPatienceMs }),
    });
    onTestFinished(() => {
      this.slow.release();
      return this.#worker.idle();
    });
  }

  /** From now on nobody answers to agents, and stand-ins keep what calls name. */
  silence(): void {
    this.#unheard ??= [];
  }

  /** The server is back, and hears what it has missed. */
  async answersAgain(): Promise<void> {
    this.#hearsMissed();
    if (!this.slow.isHeld) await this.settled();
  }

  #hearsMissed(): void {
    const missed = this.#unheard ?? [];
    this.#unheard = null;
    for (const hear of missed) hear();
  }

  get isSilent(): boolean {
    return this.#unheard !== null;
  }

  async prompt(session: string, prompt = `Do it, ${session}`): Promise<void> {
    await this.#fire('user_prompt_submit', session, { prompt });
  }

  /** The server did not answer to these in time, and learns of them only now. */
  readonly late = {
    prompt: (session: string, prompt = `Do it, ${session}`): Promise<unknown> =>
      this.#fire('user_prompt_submit', session, { prompt }, { late: true }),
    begins: async (session: string, kind: ToolKind, input: Record<string, unknown>): Promise<Call> => {
      const call = { id: `call-${++this.#calls}`, kind, input };
      return { ...call, stamp: await this.#fire('pre_tool_use', session, { tool: toolOf(call) }, { late: true }) };
    },
    ends: (session: string, call: Call): Promise<unknown> => this.#fire('post_tool_use', session, { tool: toolOf(call) }, { late: true }),
    stop: (session: string): Promise<unknown> => this.#fire('stop', session, {}, { late: true }),
  };

  stop = (session: string): Promise<unknown> => this.#fire('stop', session, {});
  leave = (session: string): Promise<unknown> => this.#fire('session_end', session, {});

  /** The call is made, and may change files from now on. */
  async begins(session: string, kind: ToolKind, input: Record<string, unknown>): Promise<Call> {
    const call = { id: `call-${++this.#calls}`, kind, input };
    return { ...call, stamp: await this.#fire('pre_tool_use', session, { tool: toolOf(call) }) };
  }

  /** `blocked`: by a hook, once the call has run. */
  ends = (session: string, call: Call, { blocked = false } = {}): Promise<unknown> =>
    this.#fire('post_tool_use', session, { tool: toolOf(call) }, { denied: blocked });

  async edits(session: string, file: string, work: () => void): Promise<void> {
    const call = await this.begins(session, 'edit', { file_path: this.user.path(file) });
    work();
    await this.ends(session, call);
  }

  async runs(session: string, command: string, work: () => void = () => void this.user.shell(command)): Promise<void> {
    const call = await this.begins(session, 'shell', { command });
    work();
    await this.ends(session, call);
  }

  /** What the person or an agent commits, with the hooks of git's that Piton has installed. `meanwhile`: while hooks of others run. */
  async commit(message: string, { meanwhile }: { readonly meanwhile?: () => Promise<void> } = {}): Promise<string> {
    const file = join(this.user.home, 'message');
    this.user.write('../message', `${message}\n`);
    const call = { input: '', indexFile: undefined, amends: false as const, child: false, stamp: stamp() };
    await this.#tracker.gitHook(this.user.root, { ...call, hook: 'prepare-commit-msg', args: [file, 'message'] }).handled;
    await meanwhile?.();
    this.user.git('commit', '--quiet', '--allow-empty', '-F', file);
    await this.#tracker.gitHook(this.user.root, { ...call, hook: 'post-commit', args: [] }).delivered;
    return this.user.git('log', '-1', '--format=%B');
  }

  /** A hook of git's runs; nobody waits for what follows. */
  gitHook(hook: string, ...args: string[]): void {
    this.#tracker.gitHook(this.user.root, { hook, args, input: '', indexFile: undefined, amends: false, child: false, stamp: stamp() });
  }

  async settled(): Promise<void> {
    await this.#onTheWay;
    await this.#worker.idle();
  }

  /** The worker hears of nothing until this is called. */
  deafen(): () => void {
    let hear = (): void => {};
    this.#onTheWay = this.#onTheWay.then(
      () =>
        new Promise<void>((resolve) => {
          hear = resolve;
        }),
    );
    return () => hear();
  }

  #onTheWay: Promise<void> = Promise.resolve();
  #handleLater(request: CheckpointRequest): void {
    this.#onTheWay = this.#onTheWay.then(() => nextTurn()).then(() => this.#worker.handle(request));
  }

  async checkpoints(): Promise<Checkpoints> {
    await this.settled();
    const found = await openCheckpoints({
      git: this.user.runner(),
      directory: this.user.root,
      home: this.user.home,
      redact: (text) => text,
    });
    if (found === null) throw new Error('no repository');
    return found;
  }

  /** The session that wrote each line, `me`, or `shared`. */
  async authors(file: string): Promise<[string | null, string][]> {
    const found = await (await this.checkpoints()).blame(this.user.path(file));
    if (found.result !== 'lines') throw new Error(`${file}: ${found.why}`);
    return found.lines.map(({ text, by, session }) => [by === 'human' ? 'me' : by === 'shared' ? 'shared' : session, text]);
  }

  async whose(file: string): Promise<string[]> {
    return (await this.authors(file)).map(([writer, text]) => `${writer}: ${text}`);
  }

  async #fire(event: EventName, sessionId: string, more: Partial<CanonicalEvent>, { late = false, denied = false } = {}): Promise<string> {
    const fired: CanonicalEvent = {
      ...{ event, names: [event], agent: 'someone', nativeEvent: event, sessionId, cwd: this.user.root, portable: {}, raw: {} },
      ...more,
    };
    const reporter = { pid: process.pid, ppid: process.ppid };
    const tracked = { event: fired, stamp: stamp(), root: () => this.user.root, child: false, reporter };
    if (this.#unheard !== null) {
      const atMs = Date.now();
      keepCall({ home: this.user.home, stamp: tracked.stamp, event: fired, atMs });
      this.#unheard.push(() => this.#tracker.late(tracked, atMs));
      return tracked.stamp;
    }
    this.#tracker.arrives(tracked);
    if (late) this.#tracker.late(tracked, Date.now());
    else {
      await this.#tracker.before(tracked, denied);
      this.#tracker.after(tracked);
    }
    // An agent does not wait for what follows its event: people's next steps come later than that.
    if (!this.slow.isHeld) await this.settled();
    return tracked.stamp;
  }
}

/** No two forwarders of a session start in the same millisecond. */
let lastMs = 0;
function stamp(): string {
  const now = Date.now();
  lastMs = now > lastMs || now < lastMs - 1000 ? now : lastMs + 1;
  return ulid(lastMs, randomBytes(10));
}

const toolOf = ({ id, kind, input }: Omit<Call, 'stamp'>) => ({
  ...{ name: kind === 'edit' ? 'Write' : 'Bash', nativeName: 'x', kind, input: input as never, useId: id },
  ...(typeof input['command'] === 'string' && { command: input['command'] }),
  files: typeof input['file_path'] === 'string' ? [input['file_path']] : [],
});
