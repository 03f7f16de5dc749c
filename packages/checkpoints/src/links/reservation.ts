import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isUlid, ulid, ulidTime } from '@piton/contracts';
import type { Place } from '../place.ts';
import { writeWhole } from '../working-state.ts';

/** An id that a commit message carries before the commit, and so its checkpoint, exists. */
export interface Reservation {
  readonly id: string;
  readonly session: string | null;
}

const directory = (place: Place) => join(place.state, 'reserved');

/** Nobody writes on a message longer than this. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Those of one commit are in order: each later than the one `after` which it comes. */
export async function reserve(place: Place, session: string | null, after?: string): Promise<Reservation> {
  const time = after === undefined ? place.now() : Math.max(place.now(), ulidTime(after) + 1);
  const reservation = { id: ulid(time, place.random(10)), session };
  await writeWhole(join(directory(place), `${reservation.id}.json`), JSON.stringify(reservation));
  return reservation;
}

export async function readReservations(place: Place): Promise<Reservation[]> {
  const found: Reservation[] = [];
  for (const name of (await readdir(directory(place)).catch(() => [])).sort()) {
    const id = name.replace(/\.json$/, '');
    const text = isUlid(id) ? await readFile(join(directory(place), name), 'utf8').catch(() => null) : null;
    if (text) found.push(JSON.parse(text) as Reservation);
  }
  return found;
}

/** Those that were used, and those that no commit came for. */
export async function dropReservations(place: Place, used: ReadonlySet<string>): Promise<void> {
  for (const { id } of await readReservations(place)) {
    if (used.has(id) || place.now() - ulidTime(id) > KEPT_MS) await rm(join(directory(place), `${id}.json`), { force: true });
  }
}
