import { existsSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { AGENTS, findAgent, speakerOf } from '@piton/agents';
import { makePrivate, type Places } from '@piton/contracts/places';
import { repositoryOf } from '@piton/contracts/repository';
import { createModuleHosts, createRegistry, createSandbox, statOf } from '@piton/hooks';
import { createRedactor } from '@piton/redact';
import type { ServerStatus } from './api.ts';
import { beginStart } from './backoff.ts';
import { Canaries } from './canaries.ts';
import { Checkpointer } from './checkpoints/checkpointer.ts';
import { watchRepositories } from './checkpoints/repositories.ts';
import { acceptConnection, type Link } from './connection.ts';
import { crashPoints } from './crash-points.ts';
import { Desk } from './desk.ts';
import { envelopeRoute } from './envelopes.ts';
import { hookReading } from './hook-reading.ts';
import { createHttp } from './http.ts';
import { Journal } from './journal.ts';
import { journalStatus } from './journal-status.ts';
import { keyForLogs } from './live-redactor.ts';
import { moments } from './moment.ts';
import { nowUs } from './now.ts';
import { adoptOrphans } from './orphans.ts';
import { ownGuardOf, ownPlacesOf } from './own-places.ts';
import type { Pipeline } from './pipeline.ts';
import { startTimeOf } from './processes.ts';
import { openPulse } from './pulse.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import type { FromRecorder } from './recorder-messages.ts';
import { Runs } from './runs.ts';
import { LiveSessions } from './sessions.ts';
import { parseSettings } from './settings-text.ts';
import { Shares } from './shares.ts';
import { bind, isReplaced, releaseLock } from './singleton.ts';
import { Snapshot } from './snapshot.ts';
import { sessionFired } from './subscriptions/fired.ts';
import { createTelling } from './subscriptions/telling.ts';
import { ToolCalls } from './tool-calls.ts';
import { Troubles } from './troubles.ts';
import { Twins } from './twins.ts';

const PROVEN_MS = 2000;
const SWEEP_MS = 3000;
const TIDY_MS = 1000;
const IDLE_MS = 4 * 3_600_000;
/** A forwarder connects before it has read what the agent sends; an agent may take its time. What stops half-way must not be held for ever. */
const OPENING_MS = 120_000;
const LONGEST_DRAIN_MS = 600_000;
const LONGEST_HOLD_MS = 30_000;

export interface ServerOptions {
  readonly places: Places;
  readonly version: string;
  /** Where this server's own program lies. */
  readonly program: string;
  readonly ended: () => void;
}

export type Started = { readonly ok: true; readonly retire: () => void } | { readonly ok: false; readonly error: string };

/** The resident process, put together. Whoever starts it holds the lock of this environment already. */
export async function startServer(options: ServerOptions): Promise<Started> {
  const { places } = options;
  for (const directory of [places.environment, places.journal, places.logs, dirname(places.sockets), places.sockets]) {
    const problem = makePrivate(directory);
    if (problem !== undefined) return { ok: false, error: problem };
  }
  const startedAt = new Date();
  const start = beginStart(places.environment);
  // What went wrong may quote what an agent or a hook said, as errors of JSON do.
  const logs = createRedactor({ key: keyForLogs(places.home) });
  const troubles = new Troubles(places.logs, (text) => logs.text(text));
  const trouble: Pipeline['trouble'] = (what, remedy, kind) => troubles.add(logs.text(what), logs.text(remedy), kind);
  const aside = join(places.environment, 'aside');
  const counts = { stored: 0, late: 0 };
  const replaying = new Set<string>();
  const open = new Set<Link>();
  /** Connected, and nothing asked yet: when they were last heard. */
  const silent = new Map<Socket, number>();
  let store: ServerStatus['store'] = { ok: true };
  let retiring = false;
  let drainedAt: number | undefined;
  let lastFrameAt = Date.now();

  const directory = join(places.journal, `${process.pid}-${startTimeOf(process.pid)}`);
  let recorder: Recorder | undefined;
  const journal: Journal = new Journal({
    directory,
    trouble,
    grown(segment, size, sealed) {
      drainedAt = undefined;
      recorder?.send({ kind: 'grown', segment, size, sealed });
    },
  });
  recorder = startRecorder({
    script: join(options.program, 'recorder.cjs'),
    data: { home: places.home, config: places.config, store: places.store, journal: directory, environment: places.environment, aside },
    trouble,
    heard: hear,
  });

  const moment = moments();
  const stat = moment.ahead(statOf);
  let willTakeAWhile = (): void => {};
  const registry = createRegistry({
    config: places.config,
    trustDir: places.trust,
    ...hookReading(parseSettings),
    willTakeAWhile: () => willTakeAWhile(),
    stat,
    ownGuard: ownGuardOf(places, AGENTS, process.env, [process.pid], stat),
  });
  const guard = { mode: () => registry.guardMode(), places: () => ownPlacesOf(places, AGENTS, process.env, [process.pid]) };
  const snapshot = new Snapshot({ environment: places.environment, agents: AGENTS, guard, trouble });
  const canaries = new Canaries();
  const sandbox = createSandbox();
  const modules = createModuleHosts({ program: join(options.program, 'module-host.mjs'), sandbox });
  const shares = new Shares();
  const pulse = openPulse(places.environment);
  const pipeline: Pipeline = {
    agents: findAgent,
    speakerOf,
    registry,
    repositoryOf: moment.once(repositoryOf),
    sessions: new LiveSessions(places.environment, logs),
    twins: new Twins(),
    toolCalls: new ToolCalls(),
    runs: new Runs(),
    modules,
    sandbox,
    snapshot,
    canaries,
    trouble,
  };
  const crash = crashPoints(places.environment);
  const telling = createTelling({ pipeline, journal, places, program: options.program, redact: (text) => logs.text(text) });
  const checkpoints = new Checkpointer({
    script: join(options.program, 'checkpointer.cjs'),
    data: { home: places.home, config: places.config, state: join(places.home, 'checkpoints') },
    watched: watchRepositories(places.home, stat),
    rootOf: (directory) => pipeline.repositoryOf(directory)?.root ?? null,
    trouble,
    made: telling.made,
    pushed: (push) => void journal.appendPush(push),
  });
  const desk = new Desk({ pipeline, journal, shares, crash, beat: pulse.beat, checkpoints, telling });
  willTakeAWhile = () => desk.willTakeAWhile();

  const hookServer = createServer((socket) => {
    lastFrameAt = Date.now();
    pulse.soon();
    moment.lookAhead();
    silent.set(socket, lastFrameAt);
    acceptConnection(socket, {
      partly() {
        pulse.beat();
        if (silent.has(socket)) silent.set(socket, Date.now());
      },
      frame(body, link) {
        silent.delete(socket);
        open.add(link);
        desk.frame(body, link);
      },
      attach(stamp, link) {
        silent.delete(socket);
        open.add(link);
        desk.attach(stamp, link);
      },
      closed(link) {
        silent.delete(socket);
        open.delete(link);
      },
    });
  });
  const httpServer = createHttp({
    status,
    canaries,
    flush,
    reload,
    retire: () => void retire(),
    envelope: envelopeRoute(desk, findAgent),
    rewound: telling.rewound,
    relinked: telling.relinked,
  });

  reload();
  const bound = (await bind(hookServer, places.hookSocket)) ?? (await bind(httpServer, places.cliSocket));
  if (bound !== undefined) return { ok: false, error: bound };
  const proven = setTimeout(start.proven, PROVEN_MS);
  const timers = [setInterval(() => void sweep(), SWEEP_MS), setInterval(tidy, TIDY_MS)];
  for (const timer of timers) timer.unref();
  void sweep(); // may retire at once, and then stops the timers
  return { ok: true, retire: () => void retire() };

  function flush(): Promise<number> {
    journal.announce();
    return recorder?.flush() ?? Promise.resolve(0);
  }

  function reload(): void {
    registry.forget();
    moment.forget();
    recorder?.send({ kind: 'reload' });
    for (const root of [null, ...snapshot.earlierRoots()]) {
      const { hooks } = registry.list({ cwd: root ?? places.config, sessionRoot: root });
      snapshot.update([null, root], hooks);
    }
  }

  function hear(message: FromRecorder): void {
    if (message.kind === 'stored') {
      counts.stored += message.events;
      counts.late += message.late;
    } else if (message.kind === 'trouble') trouble(message.what, message.remedy);
    else if (message.kind === 'segment-done') journal.remove(message.segment);
    else if (message.kind === 'drained') drainedAt ??= Date.now();
    else if (message.kind === 'replayed') {
      rmSync(message.directory, { recursive: true, force: true });
      replaying.delete(message.directory);
    } else if (message.kind === 'store') hearStore(message);
    else if (message.kind === 'session') telling.fire(sessionFired(message.change));
    else if (message.kind === 'own-pending') telling.fire(message.fired);
  }

  function hearStore(message: FromRecorder & { kind: 'store' }): void {
    if (!message.ok) {
      store = { ok: false, problem: message.problem, error: message.error };
      trouble(`the store cannot be used: ${message.error}`, 'events stay in the journal; run piton doctor');
      // A process that has had a damaged file open cannot safely set it aside; the next one can.
      if (message.problem === 'corrupt') void retire();
    } else {
      store = { ok: true };
      if (message.setAside)
        trouble(`a damaged store was set aside: ${message.setAside}`, 'a new one was begun; keep the old file if you want its events');
    }
  }

  /** A segment that is stored goes, and takes the unredacted copies with it. */
  function tidy(): void {
    pipeline.twins.sweep(Number(nowUs() / 1000n));
    if (drainedAt !== undefined && Date.now() - drainedAt >= TIDY_MS) {
      drainedAt = undefined;
      journal.rotate();
    }
    for (const [socket, heardAt] of silent) if (Date.now() - heardAt > OPENING_MS) socket.destroy();
    if (Date.now() - lastFrameAt > IDLE_MS && open.size === 0) void retire();
  }

  async function sweep(): Promise<void> {
    if (!existsSync(places.home)) return abandon();
    // `init` has put another version in place: the next event starts that one. `current` alone decides, so two never fight.
    if (isReplaced(places.current, options.program)) return retire();
    try {
      const replay = (orphan: string): void => {
        if (replaying.has(orphan)) return;
        replaying.add(orphan);
        recorder?.send({ kind: 'replay', directory: orphan });
      };
      await adoptOrphans({ journals: places.journal, own: journal, replay, trouble, answered: telling.answered });
    } catch (error) {
      trouble(`the journal could not be looked through: ${(error as Error).message}`, 'piton doctor');
    }
  }

  /** Our home was deleted: there is nothing left to keep, and nowhere to keep it. */
  function abandon(): void {
    modules.close();
    rmSync(places.sockets, { recursive: true, force: true });
    options.ended();
  }

  /** Takes no new frames, lets a successor start, finishes what it has, and ends. */
  async function retire(): Promise<void> {
    if (retiring) return;
    retiring = true;
    clearTimeout(proven);
    start.proven();
    for (const timer of timers) clearInterval(timer);
    // Both sockets are given up before the lock: closing one removes its file, which may be the successor's a moment later.
    hookServer.close();
    httpServer.close();
    // Who has not sent anything finds the next server.
    for (const socket of silent.keys()) socket.destroy();
    releaseLock(places.environment);
    await closed(open);
    await checkpoints.close();
    await held(journal);
    await flush(); // sessions that this begins or ends are told, too
    await telling.idle();
    modules.close();
    await flush();
    httpServer.closeAllConnections();
    const drained = await recorder?.close();
    pulse.close();
    if (drained && replaying.size === 0 && journal.held === 0) journal.discard();
    options.ended();
  }

  function status(): ServerStatus {
    return {
      pid: process.pid,
      version: options.version,
      startedAt: startedAt.toISOString(),
      home: places.home,
      hash: places.hash,
      store,
      journal: journalStatus(places.journal, aside),
      open: open.size,
      counts: { ...desk.counts, ...counts },
      shareUs: { p50: shares.quantile(0.5), p99: shares.quantile(0.99) },
      troubles: troubles.list,
      retiring,
    };
  }
}

/** What a full disk kept in memory is lost with this process: it gets a last chance. */
async function held(journal: Journal): Promise<void> {
  const until = Date.now() + LONGEST_HOLD_MS;
  while (journal.held > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function closed(open: ReadonlySet<Link>): Promise<void> {
  const until = Date.now() + LONGEST_DRAIN_MS;
  while (open.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}
