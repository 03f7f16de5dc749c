import { findAgent } from '@piton/agents';
import { adviceAfter } from '@piton/context';
import type { EventHeader, Store } from '@piton/store';
import { withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';

/** Of one turn there are a few. */
const MOST_FAILURES = 50;

/** What to do after a turn that failed, from what the ledger has of it. Null after any other event. */
export async function adviceFor(context: Context, store: Pick<Store, 'ledger'>, event: EventHeader): Promise<string | null> {
  if (event.event !== 'stop_failure' || event.session === null) return null;
  const rows = await store.ledger({ session: event.session, kinds: ['failure'], limit: MOST_FAILURES });
  const fact = rows.find(({ eventId }) => eventId === event.eventId);
  return fact?.kind === 'failure' ? withCommandName(context, adviceAfter(fact, findAgent(event.agent)?.title ?? event.agent)) : null;
}
