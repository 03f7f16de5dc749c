import { realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { configOf, type Places, placesOf } from '@piton/contracts/places';

/** Where this program lies: `<home>/runtime/<version>`. */
export const here = (): string => dirname(realpathSync(process.argv[1] ?? ''));

/** Piton's home is where this program lies, so that no variable of an agent's can move it. */
export function findPlaces(): Places | undefined {
  try {
    const runtime = dirname(here());
    const home = dirname(runtime);
    return basename(runtime) === 'runtime' ? placesOf(home, configOf(home, process.env)) : undefined;
  } catch {
    return undefined;
  }
}

/** Under sudo the home is another user's: nothing may be written there. */
export function homeIsOurs(places: Places): boolean {
  const uid = process.geteuid?.();
  return uid === undefined || statSync(places.home, { throwIfNoEntry: false })?.uid === uid;
}
