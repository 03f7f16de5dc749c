import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTeamStore } from '@piton/store/team';
import { startPostgres } from '../../scripts/postgres.mjs';
import { migratedTeam } from '../../scripts/team-database.mjs';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');

/** One `piton team serve`, which can be killed and started again at its port. */
class Replica {
  #port = 0;
  #child: ChildProcess | undefined;
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  get port(): number {
    return this.#port;
  }
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** What goes out may have taken its port while it was gone. */
  async start(): Promise<void> {
    for (let left = 50; left > 0; left--) {
      if (await this.#attempt()) return;
      await sleep(100);
    }
    throw new Error('the replica did not start');
  }

  async #attempt(): Promise<boolean> {
    const child = spawn(process.execPath, [CLI, 'team', 'serve', '--listen', `127.0.0.1:${this.#port}`], {
      ...{ env: this.#env, stdio: ['ignore', 'pipe', 'ignore'] },
    });
    this.#child = child;
    for await (const text of child.stdout) {
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(String(text))?.[1];
      if (found === undefined) continue;
      this.#port = Number(found);
      return true;
    }
    return false;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    return child.exitCode;
  }
}

/** A real PostgreSQL, replicas before it, and one address in front of them that goes round. */
export async function teamStage(count: number) {
  const postgres = await startPostgres();
  const database = await migratedTeam(postgres);
  const secret = randomBytes(32);
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME },
    ...{ PITON_TEAM_DATABASE: database.app, PITON_TEAM_SECRET: secret.toString('base64') },
  };
  const replicas = Array.from({ length: count }, () => new Replica(env));
  await Promise.all(replicas.map((replica) => replica.start()));
  const front = await roundRobin(() => replicas.map(({ port }) => port));
  const store = openTeamStore({ url: database.app, secret, maxConnections: 2 });
  const { tenant, admin } = await store.createTenant({ name: 'Team One', admin: { subject: 'local Ada', name: 'Ada' } });
  return {
    ...{ postgres, replicas, store, tenant, admin, env },
    owner: postgres.url('team'),
    url: front.url,
    async end() {
      front.close();
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
      await store.close();
      await postgres.remove();
    },
  };
}

/** Each connection goes to the next that takes it, as a balancer without a look at what it carries. */
async function roundRobin(ports: () => readonly number[]) {
  let turn = 0;
  const server = createServer((socket) => {
    const all = ports();
    const attempt = (left: number): void => {
      if (left === 0) return void socket.destroy();
      const behind = connect(all[turn++ % all.length] as number, '127.0.0.1');
      behind.once('error', () => attempt(left - 1));
      behind.once('connect', () => {
        behind.removeAllListeners('error');
        for (const [one, other] of [[socket, behind] as const, [behind, socket] as const])
          one.on('error', () => other.destroy()).on('close', () => other.destroy());
        socket.pipe(behind).pipe(socket);
      });
    };
    socket.on('error', () => {});
    attempt(all.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
