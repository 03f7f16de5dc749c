import { rmSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { Server as SocketServer } from 'node:net';
import { flush, type Server } from './compose.ts';
import type { Journal } from './journal/journal.ts';
import { releaseLock } from './process/singleton.ts';
import type { Link } from './transport/connection.ts';

const LONGEST_DRAIN_MS = 600_000;
const LONGEST_HOLD_MS = 30_000;

/** What a running server must release. */
export interface Serving {
  readonly server: Server;
  readonly hookServer: SocketServer;
  readonly httpServer: HttpServer;
  /** Stops the periodic work, and marks this start as successful. */
  readonly stopTimers: () => void;
}

export interface Retirement {
  /** The server runs from here on. If it was asked to retire before, it does now. */
  readonly activate: (serving: Serving) => void;
  readonly begin: () => void;
  /** The home was deleted: there is nothing to save, and nowhere to save it. */
  readonly abandon: () => void;
}

export function createRetirement(ended: () => void): Retirement {
  let serving: Serving | undefined;
  let wanted = false;
  const begin = (): void => {
    wanted = true;
    if (serving !== undefined && !serving.server.state.retiring) void retire(serving).then(ended);
  };
  return {
    activate(started) {
      serving = started;
      if (wanted) begin();
    },
    begin,
    abandon() {
      serving?.server.modules.close();
      if (serving !== undefined) rmSync(serving.server.options.places.sockets, { recursive: true, force: true });
      ended();
    },
  };
}

/** Takes no new frames, lets a successor start, finishes what it has, and ends. */
async function retire({ server, hookServer, httpServer, stopTimers }: Serving): Promise<void> {
  const { state, journal, recorder, checkpoints, publisher, modules, pulse, options } = server;
  state.retiring = true;
  stopTimers();
  // Sockets are connectionsClosed before the lock is released: closing removes the socket file, which could be the successor's by then.
  hookServer.close();
  httpServer.close();
  // A client that has sent nothing yet will connect to the next server.
  for (const socket of state.silent.keys()) socket.destroy();
  releaseLock(options.places.environment);
  await connectionsClosed(state.open);
  await checkpoints.close();
  await writesDone(journal);
  await flush(server); // this may start or end sessions, which are published too
  await publisher.idle();
  modules.close();
  await flush(server);
  httpServer.closeAllConnections();
  const drained = await recorder.close();
  pulse.close();
  if (drained && state.replaying.size === 0 && journal.held === 0) journal.discard();
}

/** Records that a full disk kept in memory would be lost with this process: one last try. */
async function writesDone(journal: Journal): Promise<void> {
  const until = Date.now() + LONGEST_HOLD_MS;
  while (journal.held > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function connectionsClosed(open: ReadonlySet<Link>): Promise<void> {
  const until = Date.now() + LONGEST_DRAIN_MS;
  while (open.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}
