import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** A service may have a shorter PATH than the person whose hooks it runs. */
const USUAL_PLACES = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'];

/** Where a program lies, by its name or its absolute path. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  const places = new Set([...(path ?? '').split(delimiter).filter(isAbsolute), ...USUAL_PLACES]);
  return [...places].map((place) => join(place, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
