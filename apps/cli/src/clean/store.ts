import type { Places } from '@piton/contracts/places';
import { describeTarget, type Expired, type KeptPart, localStore, type Store } from '@piton/store';
import type { Change } from '../install/change.ts';
import { openExisting } from '../open-store.ts';
import { plural } from '../output/text.ts';
import { flush } from '../server/client.ts';
import type { CleanRequest, Part } from './part.ts';

const DAY_MS = 86_400_000;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** The store, after everything in the journal was stored. Undefined if there is none. */
export async function openForCleaning(places: Places, readonly: boolean): Promise<Store | undefined> {
  await flush(places, 10_000);
  return openExisting(places, 'open', { readonly });
}

const DESCRIPTIONS: Readonly<Record<KeptPart, (found: Expired) => string>> = {
  events: ({ events }) => `payloads and hook output of ${plural(events, 'event')}`,
  transcripts: ({ entries }) => `text of ${plural(entries, 'transcript entry', 'transcript entries')}`,
};

/** Headers, prompts and token counts stay, so that sessions can still be listed. */
export async function oldBodies(places: Places, store: Store, { parts, before, sessions }: CleanRequest): Promise<Part[]> {
  const now = Date.now();
  const age = { now, days: (now - before.getTime()) / DAY_MS, ...(sessions && { sessions }) };
  const found: Part[] = [];
  for (const of of ['events', 'transcripts'] as const) {
    if (!parts.has(of)) continue;
    const would = await store.expirable({ ...age, of: [of] });
    const count = would.events + would.entries;
    if (count === 0) continue;
    const remove = async (): Promise<undefined> => {
      await store.expire({ ...age, of: [of], maxBytes: NO_LIMIT });
    };
    const what = DESCRIPTIONS[of](would);
    // The database, with the files that SQLite keeps beside it.
    const changes: Change[] = ['', '-wal', '-shm'].map((end) => ({ action: 'change', path: `${places.store}${end}`, what, whole: true }));
    found.push({ name: of, where: describeTarget(localStore(places)), what, bytes: would.bytes, count, changes, remove });
  }
  return found;
}
