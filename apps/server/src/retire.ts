import { rmSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { Server as SocketServer } from 'node:net';
import { flush, type Server } from './compose.ts';
import type { Journal } from './journal/journal.ts';
import { releaseLock } from './process/singleton.ts';
import type { Link } from './transport/connection.ts';

const LONGEST_DRAIN_MS = 600_000;
const LONGEST_HOLD_MS = 30_000;

/** What a server that serves must give up. */
export interface Serving {
  readonly server: Server;
  readonly hookServer: SocketServer;
  readonly httpServer: HttpServer;
  /** Ends what happens every few seconds, and says that this start was a good one. */
  readonly stopTimers: () => void;
}

export interface Retirement {
  /** From here on there is something to retire; whoever asked before has it now. */
  readonly of: (serving: Serving) => void;
  readonly begin: () => void;
  /** Our home was deleted: there is nothing left to keep, and nowhere to keep it. */
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
    of(what) {
      serving = what;
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
  // Both sockets are given up before the lock: closing one removes its file, which may be the successor's a moment later.
  hookServer.close();
  httpServer.close();
  // Who has not sent anything finds the next server.
  for (const socket of state.silent.keys()) socket.destroy();
  releaseLock(options.places.environment);
  await closed(state.open);
  await checkpoints.close();
  await held(journal);
  await flush(server); // sessions that this begins or ends are published, too
  await publisher.idle();
  modules.close();
  await flush(server);
  httpServer.closeAllConnections();
  const drained = await recorder.close();
  pulse.close();
  if (drained && state.replaying.size === 0 && journal.held === 0) journal.discard();
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
