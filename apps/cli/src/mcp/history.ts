import type { Places } from '@piton/contracts/places';
import type { SessionDetail, SessionSummary, Store } from '@piton/store';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { openExisting } from '../open-store.ts';
import { sessionsOfParents } from '../search/current-session.ts';
import { flush } from '../server/client.ts';
import { mayRead, type ReadScope, readScope } from './scope.ts';

/** What the tools read from, for one call. */
export interface Reader {
  readonly context: Context;
  readonly places: Places;
  readonly scope: ReadScope;
  readonly store: Store;
  /** The session that asks, if it is known. */
  readonly asking: SessionSummary | undefined;
}

/** An agent waits: what has just happened is included if the server is quick. */
const FLUSH_MS = 500;

export async function withReader<T>(context: Context, agent: string | null, read: (reader: Reader) => Promise<T>): Promise<T> {
  const scope = readScope(context);
  const places = requirePlaces(context);
  await flush(places, FLUSH_MS);
  const store = await openExisting(places);
  if (store === undefined) throw new Failure('nothing has been recorded yet');
  try {
    return await read({ context, places, scope, store, asking: await askingSession(store, agent, context.cwd) });
  } finally {
    await store.close();
  }
}

/**
 * By its process, which may have sessions in several directories. An agent that starts its servers from a daemon is known by its name
 * and directory.
 */
async function askingSession(store: Store, agent: string | null, cwd: string): Promise<SessionSummary | undefined> {
  const byProcess = (await sessionsOfParents(store)).filter((session) => agent === null || session.agent === agent);
  const here = byProcess.find(({ projectPath }) => projectPath === cwd) ?? byProcess[0];
  if (here !== undefined || agent === null) return here;
  const recent = await store.sessions({ agent, path: cwd, limit: 20 });
  return recent.find(({ phase }) => phase !== 'ended');
}

/** A session by its id or a unique prefix. One of another repository is as unknown as one that does not exist. */
export async function readableSession({ store, scope }: Reader, ref: string): Promise<SessionDetail> {
  const found = await store.session(ref);
  if (found.found === 'one' && mayRead(scope, found.value)) return found.value;
  if (found.found === 'many') throw new Failure('several sessions begin like that: give more of the id');
  throw new Failure('no such session in this repository', { remedy: 'list them with the tool session, without an id' });
}

/** The sessions of this repository, newest first. */
export async function readableSessions({ store, scope }: Reader, limit: number): Promise<readonly SessionSummary[]> {
  const found = await store.sessions({ ...(!scope.all && { path: scope.root }), limit: limit * 2 });
  return found.filter((session) => mayRead(scope, session)).slice(0, limit);
}

export const timeOf = (us: number): string => new Date(us / 1000).toISOString().replace(/\.\d+Z$/, 'Z');
