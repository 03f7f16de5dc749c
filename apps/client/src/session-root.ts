import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { CanonicalEvent } from '@piton/contracts';
import { sessionRootIn } from '@piton/lifecycle';

/** Where a session began, null where the server did not write it down, `unsure` where that cannot be read. */
export function sessionRootOf(environment: string, event: CanonicalEvent): string | null | 'unsure' {
  if (event.sessionId === '') return null;
  try {
    return sessionRootIn(readFileSync(join(environment, 'session-roots.jsonl'), 'utf8'), event);
  } catch (error) {
    // Where no session was ever remembered there is no file.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'unsure';
  }
}

/** Is a place at or below a root? By its name, and by where its links lead, as far as there is something. */
export function isWithin(place: string, root: string): boolean {
  const above = root.endsWith('/') ? root : `${root}/`;
  return isAbsolute(place) && [place, realName(place)].some((name) => name === root || name.startsWith(above));
}

function realName(place: string): string {
  const gone: string[] = [];
  for (let at = place; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...gone);
    } catch {
      if (dirname(at) === at) return place;
      gone.unshift(basename(at));
    }
  }
}
