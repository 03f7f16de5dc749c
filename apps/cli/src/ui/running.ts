import { rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { dirname, join } from 'node:path';
import { makePrivate, type Places } from '@piton/contracts/places';

/** Beside the sockets of the server, in a directory that only this user can enter. */
const socketOf = (places: Places): string => join(dirname(places.cliSocket), 'ui.sock');

const ANSWER_MS = 2000;
const OWN = '/own-link';

/** A new link to the page that another `piton ui` of this home serves; undefined if none does. */
export function linkOfRunning(places: Places, own = false): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asked = request({ socketPath: socketOf(places), method: 'POST', path: own ? OWN : '/link', timeout: ANSWER_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : undefined));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}

/** Gives links to later `piton ui`. Where the socket cannot be made, each has a page of its own. */
export async function offerLinks(places: Places, newLink: (own: boolean) => string): Promise<() => void> {
  const path = socketOf(places);
  const server = createServer(({ url }, response) => response.end(newLink(url === OWN)));
  const listen = (): Promise<boolean> =>
    new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(path, () => resolve(true));
    });
  if (makePrivate(dirname(path)) !== undefined) return () => server.close();
  // One that was killed has left its socket. Nobody answers there: that was asked before.
  rmSync(path, { force: true });
  const isOffered = await listen();
  return () => {
    server.close();
    if (isOffered) rmSync(path, { force: true });
  };
}
