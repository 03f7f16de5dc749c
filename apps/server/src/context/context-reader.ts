import { lastSeen } from '@piton/checkpoints/repositories';
import { handoffText, type Overview, readHandoff, readOverview } from '@piton/context';
import type { Redactor } from '@piton/redact';
import type { Store } from '@piton/store';

/** How many places are ready when a server has started. */
const PLACES_AT_START = 10;
const SESSIONS_AT_START = 100;

/** What the recorder's thread reads of the store for sessions that start or are compacted. */
export const overviewFor = async (store: Store, home: string, place: string, redactor: Redactor): Promise<Overview> => {
  const seen = lastSeen(home, place);
  // Names of files have not passed through the redactor yet: the rest comes from the store.
  const image = seen && { ...seen, files: seen.files.map((file): string => redactor.text(file)) };
  return readOverview(store, place, image, Date.now() * 1000);
};

/** The handoff of a session by the agent's own id, as text. */
export async function handoffFor(store: Store, ref: string, maxTokens: number): Promise<string | null> {
  const handoff = await readHandoff(store, ref);
  return (handoff && handoffText(handoff, maxTokens)) ?? null;
}

export async function recentPlaces(store: Store): Promise<readonly string[]> {
  const sessions = await store.sessions({ limit: SESSIONS_AT_START });
  return [...new Set(sessions.map(({ repo, projectPath }) => repo ?? projectPath))].slice(0, PLACES_AT_START);
}
