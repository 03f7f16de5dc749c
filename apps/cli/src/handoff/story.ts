import type { SessionSummary, Store } from '@piton/store';

/** The first words of a handed-off session's prompt. What follows is the id of the session that it continues. */
const MARK = 'Piton handoff from session ';
const CONTINUES = new RegExp(`^\\W{0,2}${MARK}([0-9A-Z]{26})\\b`);

export const firstLineOf = (session: string, agent: string): string =>
  `${MARK}${session} (${agent}). Continue its work. The files are as it left them.`;

/** The session that this one continues, by its first prompt. */
export const continuedBy = ({ firstPrompt }: Pick<SessionSummary, 'firstPrompt'>): string | undefined =>
  CONTINUES.exec(firstPrompt ?? '')?.[1];

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
