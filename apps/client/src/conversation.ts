import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { ACK_FLAGS, type Done, MESSAGE, readDone } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { type Call, type End, leftMs } from './call.ts';
import { sinceStart } from './clock.ts';
import { type Inbox, openInbox } from './inbox.ts';
import { removeJournal } from './journal.ts';

const HUNG_MS = 250;
/** A machine under load may keep a living server waiting this long. */
const PULSE_MS = 1000;
const SLICE = 256 * 1024;

export type Conversation =
  | { readonly end: 'answered'; readonly done: Done; readonly inbox: Inbox }
  | { readonly end: Exclude<End, 'answered'> };

/** Loaded only when there is something to run: most events run nothing. */
export async function runHere(socket: Socket, body: Buffer, signal: AbortSignal): Promise<void> {
  const { runAndReport } = await import('./exec.ts');
  await runAndReport(socket, body, signal);
}

/**
 * Sends what opens the connection, runs what the server says, and hands back its answer. `call` is missing when attaching,
 * and where nothing can be run a command is as good as a summons.
 */
export async function converse(
  socket: Socket,
  opening: Buffer,
  places: Places,
  deadline: number,
  run: typeof runHere | null,
  call?: Pick<Call, 'acked' | 'journalFile'>,
): Promise<Conversation> {
  let moved = sinceStart();
  let heard = false;
  /** Made where something runs: a quarter of a conversation's processor time went into one that nobody heard. */
  let stop: AbortController | undefined;
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const inbox = openInbox(socket, undefined, () => {
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
          if (call !== undefined) {
            call.acked = true;
            if (((message.body[0] ?? ACK_FLAGS.notDurable) & ACK_FLAGS.notDurable) === 0) removeJournal(call);
          }
          break;
        case MESSAGE.exec:
          if (run === null) return { end: 'summoned' };
          if (over) return { end: 'lost' };
          stop ??= new AbortController();
          await run(socket, message.body, stop.signal);
          break;
        case MESSAGE.done:
          return { end: 'answered', done: readDone(message.body), inbox };
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
  over = true;
  clearTimeout(timer);
  stop?.abort();
  if (typeof first !== 'string') {
    if (first.end !== 'answered') socket.destroy();
    return first;
  }
  socket.destroy();
  await Promise.race([talking, new Promise((resolve) => setTimeout(resolve, 50).unref())]); // what runs is killed before we go
  return { end: first };
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
