import { AGENTS } from '@piton/agents';
import { openCheckpoints } from '@piton/checkpoints';
import { EVENTS, PITON_EVENTS, shellWord } from '@piton/contracts';
import { createGit } from '@piton/git';
import { localStore, openStore, type Store } from '@piton/store';
import { rewindIds } from '../checkpoints/list.ts';
import type { Context } from '../context.ts';
import { latestHappenings } from '../events/happening.ts';
import { idOf } from '../events/happening-table.ts';
import { Failure } from '../failure.ts';
import { hooksHere } from '../hooks/in-force.ts';
import { KINDS } from '../hooks/new/template.ts';
import { LISTED } from '../ids/observation.ts';
import { shortIdsOf } from '../ids/unique-prefix.ts';
import { librarySources } from '../library/artifact-source.ts';
import { existingPlaces } from '../locations.ts';
import { gitHere } from '../programs.ts';
import { CATALOG } from '../settings/catalog.ts';

/** What a shell asks for behind Tab. */
export const CANDIDATE_KINDS = [
  'event-ids',
  'sessions',
  'checkpoints',
  'observations',
  'hooks',
  'library',
  'hook-kinds',
  'agents',
  'events',
  'settings',
  'schemas',
] as const;
export type CandidateKind = (typeof CANDIDATE_KINDS)[number];

/** More would scroll the question away. */
const OFFERED = 20;
const LATEST = '@';

/**
 * The words to offer, newest first. A person waits, so nothing is started, and what cannot be read is not offered. Nor is a word that a
 * shell would have to quote, or an option: a hook is named by whoever wrote the repository, and a shell may expand what it is given.
 */
export async function candidates(context: Context, kind: CandidateKind, beginning = ''): Promise<readonly string[]> {
  return (await wordsOf(context, kind, beginning)).filter((word) => shellWord(word) === word && !word.startsWith('-'));
}

async function wordsOf(context: Context, kind: CandidateKind, beginning: string): Promise<readonly string[]> {
  switch (kind) {
    case 'agents':
      return AGENTS.map(({ id }) => id);
    case 'events':
      return eventNames(beginning);
    case 'settings':
      return CATALOG.map(({ key }) => key);
    case 'schemas':
      return Object.keys((await import('@piton/contracts/schemas')).SCHEMAS);
    case 'hook-kinds':
      return KINDS;
    case 'library':
      return libraryNames(context);
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

/** Ours; and from what was typed on, those of the agents, which an option takes as well. */
function eventNames(beginning: string): string[] {
  const ours: string[] = [...EVENTS, ...PITON_EVENTS];
  if (beginning === '' || ours.some((name) => name.startsWith(beginning))) return ours;
  return [...new Set(AGENTS.flatMap(({ events }) => events.filter(({ event }) => event !== 'other').map(({ name }) => name)))].sort();
}

/** A build without it has nothing to offer. */
function libraryNames(context: Context): string[] {
  try {
    return librarySources(context).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
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
