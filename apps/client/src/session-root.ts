import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { CanonicalEvent } from '@piton/contracts';

/** Where a session began, null where that is not noted, `unsure` where the note cannot be read. */
export function sessionRootOf(environment: string, event: CanonicalEvent): string | null | 'unsure' {
  if (event.sessionId === '') return null;
  let text: string;
  try {
    text = readFileSync(join(environment, 'session-roots.jsonl'), 'utf8');
  } catch (error) {
    // Where no session was ever noted there is no file.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'unsure';
  }
  const key = `${event.agent}:${event.sessionId}`;
  const quoted = JSON.stringify(key);
  let root: string | null | 'unsure' = null;
  for (const line of text.split('\n')) if (line.includes(quoted)) root = rootIn(line, key) ?? root;
  return root;
}

/** Undefined: the line says nothing of this session. */
function rootIn(line: string, key: string): string | undefined {
  try {
    const noted: unknown = JSON.parse(line);
    return Array.isArray(noted) && noted[0] === key && typeof noted[1] === 'string' ? noted[1] : undefined;
  } catch {
    return 'unsure'; // a full disk cut it, or what was written after the cut
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
