import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isUlid, ulid, ulidTime } from '@piton/contracts';
import { writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { dropQuietNote } from './quiet-note.ts';

/** An id that a commit message carries before the commit, and so its checkpoint, exists. */
export interface Reservation {
  readonly id: string;
  readonly session: string | null;
}

const directory = (worktree: Worktree) => join(worktree.state, 'reserved');

/** Nobody writes on a message longer than this. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Those of one commit are in order: each later than the one `after` which it comes. */
export async function reserve(worktree: Worktree, session: string | null, after?: string): Promise<Reservation> {
  const time = after === undefined ? worktree.now() : Math.max(worktree.now(), ulidTime(after) + 1);
  const reservation = { id: ulid(time, worktree.random(10)), session };
  dropQuietNote(worktree);
  await writeWhole(join(directory(worktree), `${reservation.id}.json`), JSON.stringify(reservation));
  return reservation;
}

export async function readReservations(worktree: Worktree): Promise<Reservation[]> {
  const found: Reservation[] = [];
  for (const name of (await readdir(directory(worktree)).catch(() => [])).sort()) {
    const id = name.replace(/\.json$/, '');
    const text = isUlid(id) ? await readFile(join(directory(worktree), name), 'utf8').catch(() => null) : null;
    if (text) found.push(JSON.parse(text) as Reservation);
  }
  return found;
}

/** Those that were used, and those that no commit came for. */
export async function dropReservations(worktree: Worktree, used: ReadonlySet<string>): Promise<void> {
  for (const { id } of await readReservations(worktree)) {
    if (used.has(id) || worktree.now() - ulidTime(id) > KEPT_MS) await rm(join(directory(worktree), `${id}.json`), { force: true });
  }
}
