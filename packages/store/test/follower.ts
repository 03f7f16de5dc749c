import type { Change, Changed, Store } from '../src/index.ts';

/** By a name that every way to it knows: the number of a transcript or a push in this store is nobody else's. */
function keyOf({ kind, id }: Change, { value }: Changed): string {
  if (kind === 'transcript') return `transcript of ${(value as { path: string }).path}`;
  return kind === 'push' ? `push ${(value as { id: string }).id}` : `${kind} ${id}`;
}

/** Reads changes as they come, and holds each thing as it was when it read it last. */
export function follower(store: Store) {
  const held = new Map<string, Changed>();
  let at = 0;
  /** One page; the names of what it held. */
  async function step(limit: number): Promise<string[]> {
    const changes = await store.changesSince(at, limit);
    const keys: string[] = [];
    for (const change of changes) {
      if (change.seq <= at) throw new Error(`${change.seq} came after ${at}`);
      at = change.seq;
      const value = await store.loadChange(change);
      if (value === undefined) throw new Error(`nothing behind ${JSON.stringify(change)}`);
      const key = keyOf(change, value);
      held.set(key, value);
      keys.push(key);
    }
    return keys;
  }
  async function catchUp(): Promise<string[]> {
    const all: string[] = [];
    for (let page = await step(100); page.length > 0; page = await step(100)) all.push(...page);
    return all;
  }
  return { held, step, catchUp, at: () => at };
}

/** Everything that is in a store, by the ways that know nothing of changes. */
export async function everythingIn(store: Store, pushIds: readonly string[] = []): Promise<Map<string, Changed>> {
  const all = new Map<string, Changed>();
  const value = <T>(found: { readonly found: string; readonly value?: T }): T => found.value as T;
  for (const { eventId } of await store.events({ limit: 1_000_000 }))
    all.set(`event ${eventId}`, { kind: 'event', value: value(await store.event(eventId)) });
  for (const { id } of await store.sessions({ limit: 1_000_000 })) {
    const session = value(await store.session(id));
    all.set(`session ${id}`, { kind: 'session', value: session });
    for (const one of session.observations) all.set(`observation ${one.id}`, { kind: 'observation', value: { ...one, session: id } });
    for (const one of await store.transcripts(id))
      all.set(`transcript of ${one.path}`, { kind: 'transcript', value: { ...one, session: id } });
  }
  for (const one of await store.pitonEvents({ limit: 1_000_000 }))
    all.set(`piton-event ${one.event.id}`, { kind: 'piton-event', value: one });
  for (const id of pushIds) {
    for (const one of await store.pushesOf(id))
      all.set(`push ${one.id}`, { kind: 'push', value: { ...one, oldSha: 'a', newSha: id, commits: [id] } });
  }
  return all;
}
