import { UNKNOWN_AGENT } from '@piton/contracts';
import { damagedStores, describeTarget, localStore, openStore, type Store, type StoreTarget } from '@piton/store';
import { storeRemedy } from '../open-store.ts';
import { oneLine, plural } from '../output/text.ts';
import { type Check, type Finding, note, problem } from './finding.ts';

const RECENT_MS = 24 * 3_600_000;

export const storeCheck: Check = async ({ places }) => {
  const target = localStore(places);
  const damagedFindings = checkDamaged(target);
  const opened = await openStore(target, { readonly: true });
  if (!opened.ok && opened.problem === 'missing') return damagedFindings;
  if (!opened.ok)
    return [
      ...damagedFindings,
      problem(`store.${opened.problem}`, {
        what: `cannot read the store: ${opened.error}`,
        where: describeTarget(target),
        remedy: storeRemedy(opened),
      }),
    ];
  try {
    return [...damagedFindings, ...(await undecoded(opened.store))];
  } finally {
    await opened.store.close();
  }
};

/** The server never deletes a damaged store. It creates a new one beside it. */
const checkDamaged = (target: StoreTarget): Finding[] =>
  damagedStores(target)
    .filter((file) => !file.endsWith('-wal') && !file.endsWith('-shm'))
    .map((where) =>
      problem('store.set-aside', {
        what: 'a damaged store was replaced by a new one',
        where,
        remedy: 'to recover its events: sqlite3 … .recover. Otherwise delete it',
      }),
    );

async function undecoded(store: Store): Promise<Finding[]> {
  const events = await store.events({ limit: 200, since: (Date.now() - RECENT_MS) * 1000, canary: false });
  const odd = events.filter((event) => event.problems.length > 0 && event.agent !== UNKNOWN_AGENT);
  const [last] = odd;
  if (!last) return [];
  return [
    note('event.odd', {
      what: `${plural(odd.length, 'event')} of the last day could not be fully decoded: ${oneLine(last.problems[0] ?? '')}`,
      remedy: `piton events show ${last.eventId}`,
    }),
  ];
}
