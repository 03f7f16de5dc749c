import { existsSync } from 'node:fs';
import { createServer, type Server as SocketServer } from 'node:net';
import { findAgent } from '@piton/agents';
import { type Frame, monotonicUs } from '@piton/contracts';
import type { ServerStatus } from '@piton/contracts/server-api';
import { flush, type Server } from './compose.ts';
import { journalStatus } from './journal/journal-status.ts';
import { adoptOrphans } from './journal/orphans.ts';
import { bind, isReplaced } from './process/singleton.ts';
import { keepTeamSender } from './process/team-sender.ts';
import type { Retirement } from './retire.ts';
import { acceptConnection } from './transport/connection.ts';
import { envelopeRoute } from './transport/envelopes.ts';
import { createHttp } from './transport/http.ts';

const PROVEN_MS = 2000;
const SWEEP_MS = 3000;
const TIDY_MS = 1000;
const IDLE_MS = 4 * 3_600_000;
/** A forwarder connects before it has read its payload, and an agent may be slow. A connection that stalls is closed after this time. */
const OPENING_MS = 120_000;

/** Listens on both sockets and starts the periodic work. Returns why it cannot listen, or undefined. */
export async function serve(server: Server, start: { proven(): void }, retirement: Retirement): Promise<string | undefined> {
  const { places } = server.options;
  const hookServer = createHookServer(server);
  const httpServer = createHttp({
    status: () => statusOf(server),
    canaries: server.canaries,
    flush: () => flush(server),
    settle: (root) => server.checkpoints.turns.settle(root),
    reload: () => reload(server),
    retire: retirement.begin,
    envelope: envelopeRoute(server.handler, findAgent),
    rewound: server.publisher.rewound,
    relinked: server.publisher.relinked,
    historyRead: server.publisher.historyRead,
  });
  reload(server);
  const failed = (await bind(hookServer, places.hookSocket)) ?? (await bind(httpServer, places.cliSocket));
  if (failed !== undefined) return failed;
  const proven = setTimeout(start.proven, PROVEN_MS);
  const timers = [setInterval(() => void sweep(server, retirement), SWEEP_MS), setInterval(() => tidy(server, retirement), TIDY_MS)];
  for (const timer of timers) timer.unref();
  const stopSenders = keepTeamSender(places, server.options.program);
  const stopTimers = (): void => {
    clearTimeout(proven);
    start.proven();
    for (const timer of timers) clearInterval(timer);
    stopSenders();
  };
  retirement.activate({ server, hookServer, httpServer, stopTimers });
  void sweep(server, retirement); // may retire at once, and then stops the timers
  return undefined;
}

function createHookServer({ state, pulse, cache, handler }: Server): SocketServer {
  const { silent, open } = state;
  return createServer((socket) => {
    state.lastFrameAt = Date.now();
    pulse.soon();
    cache.prefetch();
    silent.set(socket, state.lastFrameAt);
    acceptConnection(socket, {
      partial() {
        pulse.beat();
        if (silent.has(socket)) silent.set(socket, Date.now());
      },
      frame(body, link) {
        silent.delete(socket);
        open.add(link);
        handler.frame(body, link);
      },
      attach(stamp, link) {
        silent.delete(socket);
        open.add(link);
        handler.attach(stamp, link);
      },
      closed(link) {
        silent.delete(socket);
        open.delete(link);
      },
    });
  });
}

function reload({ registry, cache, context, recorder, lastResorts }: Server): void {
  registry.forget();
  context.forget();
  cache.clear();
  recorder.send({ kind: 'reload' });
  lastResorts.refresh();
}

/** Rotates the journal once it is stored, so that its unredacted frames are deleted. */
function tidy({ state, duplicates, journal }: Server, retirement: Retirement): void {
  duplicates.sweep(Number(monotonicUs() / 1000n));
  if (state.drainedAt !== undefined && Date.now() - state.drainedAt >= TIDY_MS) {
    state.drainedAt = undefined;
    journal.rotate();
  }
  for (const [socket, at] of state.silent) if (Date.now() - at > OPENING_MS) socket.destroy();
  if (Date.now() - state.lastFrameAt > IDLE_MS && state.open.size === 0) retirement.begin();
}

async function sweep(
  { options, state, recorder, journal, publisher, handler, reportProblem }: Server,
  retirement: Retirement,
): Promise<void> {
  const { places, program } = options;
  if (!existsSync(places.home)) return retirement.abandon();
  // `init` has installed another version: the next event starts that one. Only `current` decides, so two servers never fight.
  if (isReplaced(places.current, program)) return retirement.begin();
  try {
    const replay = (orphan: string): void => {
      if (state.replaying.has(orphan)) return;
      state.replaying.add(orphan);
      recorder.send({ kind: 'replay', directory: orphan });
    };
    const late = (frame: Frame, denied: boolean): void => handler.adopted(frame, denied);
    await adoptOrphans({ journals: places.journal, journal, replay, reportProblem, answered: publisher.answered, late });
  } catch (error) {
    reportProblem(`could not scan the journal: ${(error as Error).message}`, 'piton doctor');
  }
}

function statusOf({ options, state, quarantine, handler, latencies, problems }: Server): ServerStatus {
  const { places, version } = options;
  return {
    pid: process.pid,
    version,
    startedAt: state.startedAt.toISOString(),
    home: places.home,
    hash: places.hash,
    store: state.store,
    journal: journalStatus(places.journal, quarantine),
    open: state.open.size,
    counts: { ...handler.counts, ...state.counts },
    shareUs: { p50: latencies.quantile(0.5), p99: latencies.quantile(0.99) },
    troubles: problems.list,
    retiring: state.retiring,
  };
}
