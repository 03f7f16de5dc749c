import { continuedBy } from '@piton/context';
import type { SessionSummary, Store } from '@piton/store';

const MOST = 20;

/** All sessions of the work that this one is part of, in their order: those that it continues, and those that continue it. */
export async function storyOf(store: Store, session: SessionSummary): Promise<readonly SessionSummary[]> {
  const before: SessionSummary[] = [];
  for (let at = continuedBy(session); at !== undefined && before.length < MOST; at = before[0] && continuedBy(before[0])) {
    const found = await store.session(at);
    // A prompt may say anything: an id that nobody knows, or one that leads in a circle.
    if (found.found !== 'one' || found.value.id === session.id || before.some(({ id }) => id === at)) break;
    before.unshift(found.value);
  }
  const story = [...before, session];
  const later = (await store.sessions({ path: session.repo ?? session.projectPath, since: session.startedUs, limit: 500 })).toReversed();
  for (const one of later) {
    const from = continuedBy(one);
    if (story.length < MOST && story.some(({ id }) => id === from) && !story.some(({ id }) => id === one.id)) story.push(one);
  }
  return story;
}
