import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type Done, MESSAGE, readDone } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { type End, leftMs } from './call.ts';
import { sinceStart } from './clock.ts';
import { openInbox } from './inbox.ts';

const HUNG_MS = 250;
/** A machine under load may keep a living server waiting this long. */
const PULSE_MS = 1000;
const SLICE = 256 * 1024;

export type Conversation = { readonly end: 'answered'; readonly done: Done } | { readonly end: Exclude<End, 'answered'> };

/** Sends what opens the connection, and hands back the server's answer. Nothing is run in here: a command is as good as a summons. */
export async function converse(
  socket: Socket,
  opening: Buffer,
  places: Places,
  deadline: number,
  taken: { acked: boolean },
): Promise<Conversation> {
  let moved = sinceStart();
  let heard = false;
  let timer: NodeJS.Timeout | undefined;
  const inbox = openInbox(socket, () => {
    moved = sinceStart();
  });
  const watch = new Promise<'hung' | 'late'>((resolve) => {
    const look = (): void => {
      if (leftMs(deadline) === 0) return resolve('late');
      const idle = sinceStart() - moved;
      if (!heard && idle >= HUNG_MS) {
        if (!pulseIsFresh(places)) return resolve('hung');
        moved = sinceStart();
      }
      const next = heard ? leftMs(deadline) : Math.min(leftMs(deadline), moved + HUNG_MS - sinceStart());
      timer = setTimeout(look, Math.max(1, Math.ceil(Math.min(next, 2 ** 31 - 1))));
    };
    timer = setTimeout(look, Math.min(HUNG_MS, leftMs(deadline)));
  });
  send(socket, opening, 0, () => {
    moved = sinceStart();
  });

  const talk = async (): Promise<Conversation> => {
    for (;;) {
      const message = await inbox.next();
      if (message === undefined) return { end: 'lost' };
      heard = true;
      switch (message.type) {
        case MESSAGE.ack:
          taken.acked = true;
          break;
        case MESSAGE.done:
          return { end: 'answered', done: readDone(message.body) };
        case MESSAGE.exec:
        case MESSAGE.summon:
          return { end: 'summoned' };
        case MESSAGE.refuse:
          return { end: 'refused' };
        default:
          return { end: 'lost' };
      }
    }
  };
  const talking = talk().catch((): Conversation => ({ end: 'lost' })); // a message cut short
  const first = await Promise.race([talking, watch]);
  clearTimeout(timer);
  socket.destroy();
  return typeof first === 'string' ? { end: first } : first;
}

function send(socket: Socket, bytes: Buffer, at: number, moved: () => void): void {
  socket.write(bytes.subarray(at, at + SLICE), (error) => {
    moved();
    if (!error && at + SLICE < bytes.length) send(socket, bytes, at + SLICE, moved);
  });
}

function pulseIsFresh(places: Places): boolean {
  const stat = statSync(join(places.environment, 'pulse'), { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) < PULSE_MS;
}
