import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAST_RESORT_FOLDER, readLastResort, registrationName } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Line } from './call.ts';

interface Undecided {
  readonly registration: Pick<Line, 'agent' | 'nativeEvent'>;
  readonly places: Pick<Places, 'home'>;
}

/** The native deny that is kept for this registration while a hook must hold there, for whatever root: a session may be far from its own. */
export function findDeny({ registration, places }: Undecided): string | undefined {
  const folder = join(places.home, LAST_RESORT_FOLDER);
  const name = registrationName(registration.agent, registration.nativeEvent);
  for (const file of namesIn(folder)) {
    const deny = denyIn(join(folder, file), name);
    if (deny) return deny;
  }
  return undefined;
}

function denyIn(path: string, name: string): string | undefined {
  try {
    return readLastResort(readFileSync(path))?.denies.get(name);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}
