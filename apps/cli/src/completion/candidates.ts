import { AGENTS } from '@piton/agents';
import { openCheckpoints } from '@piton/checkpoints';
import { EVENTS, PITON_EVENTS } from '@piton/contracts';
import { createGit } from '@piton/git';
import { localStore, openStore, type Store } from '@piton/store';
import { rewindIds } from '../checkpoints/list.ts';
import type { Context } from '../context.ts';
import { latestHappenings } from '../events/happening.ts';
import { idOf } from '../events/happening-table.ts';
import { hooksHere } from '../hooks-in-force.ts';
import { LISTED } from '../ids/observation.ts';
import { shortIdsOf } from '../ids/unique-prefix.ts';
import { existingPlaces } from '../locations.ts';
import { gitHere } from '../programs.ts';

/** What a shell asks for behind Tab. */
export const CANDIDATE_KINDS = ['event-ids', 'sessions', 'checkpoints', 'observations', 'hooks', 'agents', 'events'] as const;
export type CandidateKind = (typeof CANDIDATE_KINDS)[number];

/** More would scroll the question away. */
const OFFERED = 20;
const LATEST = '@';

/** The words to offer, newest first. A person waits, so nothing is started, and what cannot be read is not offered. */
export async function candidates(context: Context, kind: CandidateKind): Promise<readonly string[]> {
  switch (kind) {
    case 'agents':
      return AGENTS.map(({ id }) => id);
    case 'events':
      return [...EVENTS, ...PITON_EVENTS];
    case 'hooks':
      return hookNames(context);
    case 'event-ids':
      return withLatest(
        await reading(context, async (store) => {
          const { happenings } = await latestHappenings(store, {}, OFFERED);
          return store.shortIds('event', happenings.map(idOf));
        }),
      );
    case 'sessions':
      return withLatest(
        await reading(context, async (store) => {
          const sessions = await store.sessions({ limit: OFFERED });
          return store.shortIds(
            'session',
            sessions.map(({ id }) => id),
          );
        }),
      );
    case 'observations':
      return withLatest(
        await reading(context, async (store) => {
          const found = await store.observations({ kinds: LISTED, limit: OFFERED });
          return store.shortIds(
            'observation',
            found.map(({ id }) => id),
          );
        }),
      );
    case 'checkpoints':
      return withLatest(await checkpointIds(context));
  }
}

const withLatest = (ids: readonly string[]): readonly string[] => (ids.length === 0 ? [] : [LATEST, ...ids]);

/** By name, which every command takes: a shell breaks words at the colon of an ID. */
function hookNames(context: Context): string[] {
  const places = existingPlaces(context);
  if (!places) return [];
  const { hooks, subscriptions } = hooksHere(context, places);
  return [...new Set([...hooks, ...subscriptions].filter((hook) => !('builtIn' in hook && hook.builtIn)).map(({ name }) => name))];
}

async function reading(context: Context, read: (store: Store) => Promise<readonly string[]>): Promise<readonly string[]> {
  const places = existingPlaces(context);
  if (!places) return [];
  const opened = await openStore(localStore(places), { readonly: true });
  if (!opened.ok) return [];
  try {
    return await read(opened.store);
  } finally {
    await opened.store.close();
  }
}

async function checkpointIds(context: Context): Promise<readonly string[]> {
  const places = existingPlaces(context);
  if (!places) return [];
  const same = (text: string): string => text;
  const git = createGit(gitHere(context));
  const found = await openCheckpoints({ git, directory: context.cwd, home: places.home, redact: same, holdsToken: () => false });
  if (!found) return [];
  const all = await found.list();
  const short = shortIdsOf(rewindIds(found, all));
  return all
    .slice(-OFFERED)
    .reverse()
    .map(({ id }) => short.get(id) ?? id);
}
