import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openTeamStore, type TeamStore, TeamStoreError } from '@piton/store/team';
import { type Answer, refused } from './answer.ts';
import { createChallenges } from './challenge.ts';
import { createMetrics } from './metrics.ts';
import { answerRequest, type RoutePorts } from './routes.ts';

export interface ServeOptions {
  /** Of the application role, which owns nothing. */
  readonly url: string;
  /** 32 bytes, the same for all replicas. */
  readonly secret: Uint8Array;
  readonly host: string;
  readonly port: number;
  readonly maxConnections?: number;
  readonly log: (line: string) => void;
  /** How long requests may take to end once it is told to. */
  readonly drainMs?: number;
}

export interface RunningTeam {
  readonly address: string;
  /** Takes nothing new, ends what it has, and closes. */
  drain(): Promise<void>;
}

const DRAIN_MS = 25_000;
const ROLL_UP_MS = 15_000;
const ROLL_UP_PART = 5000;
/** Beyond it a machine is told to come again: what waits here would hold its body in memory. */
const MOST_OPEN = 64;

/** One replica. It keeps nothing that another does not have: any may be killed at any time. */
export async function serveTeam(options: ServeOptions): Promise<RunningTeam> {
  const { url, secret, host, port, maxConnections = 10, log, drainMs = DRAIN_MS } = options;
  const store = openTeamStore({ url, secret, maxConnections });
  // It may start before its database. One that it reaches with the wrong role would be served to nobody.
  const { problem, error } = await store.status();
  if (problem === 'role') {
    await store.close();
    throw new TeamStoreError('role', error ?? problem);
  }
  const metrics = createMetrics();
  let isDraining = false;
  let open = 0;
  const ports: RoutePorts = {
    ...{ store, metrics, log, now: Date.now, challenges: createChallenges(secret, Date.now) },
    isDraining: () => isDraining,
    open: () => open,
  };
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 }, async (request, response) => {
    const began = performance.now();
    open++;
    try {
      const { route, answer } = isTooMuch(request, open) ? TOO_MUCH : await answerRequest(request, ports);
      send(request, response, answer, isDraining);
      metrics.request(route, answer.status, (performance.now() - began) / 1000);
    } finally {
      open--;
    }
  });
  server.maxRequestsPerSocket = 1000;
  const address = await listen(server, host, port);
  const sweep = rollUps(store, log);
  return {
    address,
    async drain() {
      isDraining = true;
      clearInterval(sweep);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const limit = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(limit);
      await store.close();
    },
  };
}

const TOO_MUCH = { route: 'refused', answer: refused('busy', 'too many requests at once', { retryAfter: 2 }) };
/** Whether it is alive is asked when there is too much, too. */
const isTooMuch = ({ method }: IncomingMessage, open: number): boolean => method !== 'GET' && open > MOST_OPEN;

function send(request: IncomingMessage, response: ServerResponse, { status, type, body, retryAfter }: Answer, isDraining: boolean): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status !== 204 && { 'content-length': Buffer.byteLength(body) }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    // A body that was not read to its end leaves nothing that a next request could follow.
    ...((isDraining || !request.complete) && { connection: 'close' }),
  });
  response.end(status === 204 ? undefined : body);
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const { address, family, port: taken } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
    });
  });
}

/** Never in the transaction of an upload. Several replicas may do it at once. */
function rollUps(store: TeamStore, log: (line: string) => void): NodeJS.Timeout {
  let isBusy = false;
  return setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await store.rollUp(ROLL_UP_PART);
    } catch (error) {
      log(`roll-up: ${(error as Error).message}`);
    } finally {
      isBusy = false;
    }
  }, ROLL_UP_MS).unref();
}
