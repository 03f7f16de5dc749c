import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { findRepository, type Git, openPlace, type Place, recoverAutoCommit } from '@piton/checkpoints';
import type { LiveRedactor } from '../live-redactor.ts';

const HELD_MS = 60_000;

interface Found {
  readonly place: Place | null;
  readonly birth: string | null;
}

/** Tells a git directory from another that is made in its place; null where there is none. */
function birthOf({ repository }: Place): string | null {
  const stat = statSync(repository.gitDir, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino} ${stat.birthtimeMs}`;
}

/** The working tree of a directory, or null; what a crash left there is put in order first. Nothing is asked twice for one event. */
export function knownPlaces({ git, redactor, state }: { readonly git: Git; readonly redactor: LiveRedactor; readonly state: string }) {
  const places = new Map<string, Promise<Found>>();
  const find = async (directory: string): Promise<Place | null> => {
    const repository = await findRepository(git, directory);
    if (repository === null) return null;
    const place = await openPlace({
      git,
      repository,
      redact: (text) => redactor.text(text),
      random: (bytes) => new Uint8Array(randomBytes(bytes)),
      stateDirectory: state,
    });
    await recoverAutoCommit(place);
    return place;
  };
  const look = (directory: string): Promise<Place | null> => {
    const found = find(directory).then((place) => ({ place, birth: place && birthOf(place) }));
    places.set(directory, found);
    // A repository may come to be, or change its settings.
    setTimeout(() => places.delete(directory), HELD_MS).unref();
    return found.then(({ place }) => place);
  };
  return (directory: string): Promise<Place | null> => {
    redactor.refresh();
    const known = places.get(directory);
    if (known === undefined) return look(directory);
    return known.then(({ place, birth }) => {
      // It may have been moved away meanwhile, or deleted, and another made in its place.
      if (place === null || !existsSync(place.repository.root)) return null;
      return birthOf(place) === birth ? place : look(directory);
    });
  };
}
