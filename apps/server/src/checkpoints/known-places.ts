import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createPlace, findRepository, type Git, type Place, recoverAutoCommit } from '@piton/checkpoints';
import type { LiveRedactor } from '../live-redactor.ts';

const HELD_MS = 60_000;

/** The working tree of a directory, or null; what a crash left there is put in order first. Nothing is asked twice for one event. */
export function knownPlaces({ git, redactor, state }: { readonly git: Git; readonly redactor: LiveRedactor; readonly state: string }) {
  const places = new Map<string, Promise<Place | null>>();
  const find = async (directory: string): Promise<Place | null> => {
    const repository = await findRepository(git, directory);
    if (repository === null) return null;
    const place = createPlace({
      git,
      repository,
      redact: (text) => redactor.text(text),
      random: (bytes) => new Uint8Array(randomBytes(bytes)),
      stateDirectory: state,
    });
    await recoverAutoCommit(place);
    return place;
  };
  return (directory: string): Promise<Place | null> => {
    redactor.refresh();
    const known = places.get(directory);
    // It may have been moved away meanwhile, or deleted.
    if (known !== undefined) return known.then((place) => (place !== null && existsSync(place.repository.root) ? place : null));
    const found = find(directory);
    places.set(directory, found);
    // A repository may come to be, or change its settings.
    setTimeout(() => places.delete(directory), HELD_MS).unref();
    return found;
  };
}
