import type { PageHit, PageHits } from '@piton/contracts/page';
import { oneLine } from '../../output/text.ts';
import { filterIn, limitIn } from '../query.ts';
import type { PageReader } from '../reader.ts';
import { ms } from '../text.ts';

export async function answerSearch(reader: PageReader, query: URLSearchParams): Promise<PageHits> {
  const store = await reader.store();
  const text = query.get('q') ?? '';
  if (store === null || !/[\p{L}\p{N}]/u.test(text)) return { hits: [], unindexed: 0 };
  const filter = await filterIn(reader, query);
  const found = await store.search(text.slice(0, 500), { ...filter, newest: query.get('order') === 'newest', limit: limitIn(query, 20) });
  return {
    unindexed: await store.unindexed(),
    hits: found.map(
      (hit): PageHit => ({
        ...{ event: hit.event?.eventId ?? null, session: hit.session, agent: hit.agent, at: ms(hit.wallUs), place: hit.place },
        ...{ root: hit.repo, branch: hit.branch, excerpt: piecesOf(oneLine(hit.excerpt)) },
      }),
    ),
  };
}

/** The store marks what matches. */
const piecesOf = (excerpt: string): PageHit['excerpt'] => {
  let match = false;
  return excerpt.split(/([⟦⟧])/).flatMap((text) => {
    if (text === '⟦' || text === '⟧') {
      match = text === '⟦';
      return [];
    }
    return text === '' ? [] : [{ text, match }];
  });
};
