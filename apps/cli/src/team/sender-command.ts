import { setPriority } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Places } from '@piton/contracts/places';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { existingPlaces } from '../locations.ts';
import { serverStatus } from '../server/client.ts';
import { stoppingProblems } from './file-check.ts';
import { type Membership, readKey, readMembership } from './membership.ts';
import { readInventory } from './reported/inventory.ts';
import { runSender } from './sender.ts';
import { createMachineReader, storeOpener } from './sender-ports.ts';
import { holdSocket, SENDER, startSender } from './sender-process.ts';
import { readSenderState, writeSenderState } from './sender-state.ts';
import { keepUpload } from './sent-log.ts';

/** A machine on which no agent works needs none; the next server starts another. */
const ALONE_MS = 10 * 60_000;
const LOW_PRIORITY = 10;

export function teamSenderCommand(context: Context): Command {
  return new Command(SENDER)
    .option('--detach', 'Start it as a process of its own, if there is none')
    .action((options: { detach?: boolean }) => run(context, options.detach === true));
}

async function run(context: Context, detach: boolean): Promise<void> {
  const places = existingPlaces(context);
  const membership = places && readMembership(places);
  if (places === undefined || membership === undefined) return;
  if (detach) return void (await startSender(context, places, membership));
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  const socket = await holdSocket(places, stop);
  if (socket === undefined) return;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  setPriority(LOW_PRIORITY);
  const opener = storeOpener(places);
  const isAlone = loneliness(places);
  /** Until it ends, or the membership is another one: that one. */
  const sendAs = async (current: Membership): Promise<Membership | undefined> => {
    const reader = createMachineReader(context, places, current);
    let next: Membership | undefined;
    await runSender({
      url: current.url,
      speaker: () => ({ url: current.url, tenant: current.tenant.id, machine: current.machine, key: readKey(places) }),
      bodies: current.bodies,
      signal: ended.signal,
      check: () => {
        next = membershipNow(places);
        if (!isDeepStrictEqual(next, current)) return 'over';
        const [found] = stoppingProblems(places);
        return found && `${found.what} (${found.where})`;
      },
      openStore: opener.open,
      portsOf: reader.portsOf,
      inventory: (store) => readInventory({ context, places: places, store, reader, now: Date.now() }),
      readState: () => readSenderState(places),
      writeState: (state) => writeSenderState(places, state),
      keep: (store, batch) => keepUpload(places, store, batch, new Date().toISOString()),
      now: Date.now,
      isOver: isAlone,
    });
    return isDeepStrictEqual(next, current) ? undefined : next;
  };
  try {
    // What a person changed of it holds from the next step on: a limit that was narrowed, too.
    for (let current: Membership | undefined = membership; current !== undefined && !ended.signal.aborted && !isAlone(); )
      current = await sendAs(current);
  } finally {
    await opener.close();
    socket.close();
    socket.closeAllConnections();
  }
}

/** `leave` takes the membership away, and another join puts another there. One that cannot be read is none. */
function membershipNow(places: Places): Membership | undefined {
  try {
    return readMembership(places);
  } catch {
    return undefined;
  }
}

/** Has no server run for a while? Asked once a minute, and never waited for. */
function loneliness(places: Places): () => boolean {
  let seen = performance.now();
  let asked = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - asked > 60_000) {
      asked = performance.now();
      void serverStatus(places).then(({ ok }) => {
        if (ok) seen = performance.now();
      });
    }
    return performance.now() - seen > ALONE_MS;
  };
}
