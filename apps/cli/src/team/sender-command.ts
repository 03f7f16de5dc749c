import { setPriority } from 'node:os';
import type { Places } from '@piton/contracts/places';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { existingPlaces } from '../locations.ts';
import { serverStatus } from '../server/client.ts';
import { readInventory } from './inventory.ts';
import { readKey, readMembership } from './membership.ts';
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
  const reader = createMachineReader(context, places, membership);
  const isAlone = loneliness(places);
  try {
    await runSender({
      speaker: { url: membership.url, tenant: membership.tenant.id, machine: membership.machine, key: readKey(places) },
      bodies: membership.bodies,
      signal: ended.signal,
      openStore: opener.open,
      portsOf: reader.portsOf,
      inventory: (store) => readInventory({ context, places, store, reader, now: Date.now() }),
      readState: () => readSenderState(places),
      writeState: (state) => writeSenderState(places, state),
      keep: (store, batch) => keepUpload(places, store, batch, new Date().toISOString()),
      now: Date.now,
      isOver: () => !isMember(places, membership.machine) || isAlone(),
    });
  } finally {
    await opener.close();
    socket.close();
    socket.closeAllConnections();
  }
}

/** `leave` takes the membership away, and another join puts another there. */
function isMember(places: Places, machine: string): boolean {
  try {
    return readMembership(places)?.machine === machine;
  } catch {
    return false;
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
