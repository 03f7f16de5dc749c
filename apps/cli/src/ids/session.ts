import type { SessionDetail, Store } from '@piton/store';
import { Failure } from '../failure.ts';
import { formatTime } from '../output/time.ts';
import { ambiguous } from './ambiguous.ts';
import { stepsBack } from './latest.ts';

/** The forms of a session's ID, for help. */
export const SESSION_FORMS = "Session ID, the agent's ID of it, a unique prefix of either, or @ for the latest (@~2: two before it)";

/** By Piton's ID or the agent's, a prefix that only one has, or `@`: the session with the latest event. */
export async function requireSession(store: Store, ref: string): Promise<SessionDetail> {
  const back = stepsBack(ref);
  const found = await store.session(back === undefined ? ref : await latestSessionId(store, ref, back));
  if (found.found === 'one') return found.value;
  if (found.found === 'none') throw new Failure(`no session starts with ${JSON.stringify(ref)}`, { remedy: 'list them: piton sessions' });
  const candidates = await Promise.all(
    found.ids.map(async (id) => {
      const session = await store.session(id);
      if (session.found !== 'one') return { id, about: '' };
      const { agent, lastUs, firstPrompt } = session.value;
      return { id, about: `${formatTime(lastUs / 1000)} ${agent} ${firstPrompt ?? ''}` };
    }),
  );
  throw ambiguous(ref, 'session', candidates);
}

async function latestSessionId(store: Store, ref: string, back: number): Promise<string> {
  const found = (await store.sessions({ limit: back + 1 }))[back];
  if (found) return found.id;
  throw new Failure(`${ref} is before the first session`, { remedy: 'list them: piton sessions' });
}
