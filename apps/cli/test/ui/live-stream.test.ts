import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PageFrame } from '@piton/contracts/page';
import { expect, it } from 'vitest';
import type { News } from '../../src/ui/answer-thread.ts';
import { streamChanges } from '../../src/ui/http/live-stream.ts';

/** More than a socket takes at once: each frame is waited for. */
const LARGE = 'x'.repeat(2_000_000);
const FRAMES = 14;

it('a stream that waits for its reader at every frame keeps nothing of the waits', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', note);
  let seq = 0;
  const changes = async (): Promise<News> => {
    seq += 1;
    return { is: 'frame', frame: { seq, changes: [{ seq, kind: 'gone', id: LARGE }], waiting: null } satisfies PageFrame };
  };
  const server = createServer((_, response) => void streamChanges(response, { changes }, { after: 0, store: null })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { signal: cut.signal });
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > FRAMES * LARGE.length) break;
  }
  cut.abort();
  server.closeAllConnections();
  server.close();
  process.off('warning', note);
  expect(seq).toBeGreaterThanOrEqual(FRAMES);
  expect(warnings).toEqual([]);
});
