import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a browser and the page's server, and can be cut: what is under way ends, and nothing new gets through. */
export interface Line {
  readonly url: string;
  to(port: number): void;
  /** How many connections it has ended. */
  cut(): number;
  mend(): void;
  end(): Promise<void>;
}

export async function openLine(): Promise<Line> {
  const sockets = new Set<Socket>();
  let port = 0;
  let isCut = false;
  const server = createServer((browser) => {
    if (isCut) return void browser.destroy();
    const there = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [browser, there],
      [there, browser],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): number => {
    isCut = true;
    const count = sockets.size / 2;
    for (const socket of sockets) socket.destroy();
    return count;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    to: (served) => (port = served),
    cut,
    mend: () => (isCut = false),
    async end() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
