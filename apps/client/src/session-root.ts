import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalEvent } from '@piton/contracts';
import { sessionRootIn } from '@piton/lifecycle';

/**
 * Where a session began, as servers of this home noted it, in whatever environment; `unsure` where one of their notes cannot be read.
 * Two environments may each know the session: then both places count.
 */
export function sessionRootsOf(home: string, event: CanonicalEvent): readonly string[] | 'unsure' {
  if (event.sessionId === '') return [];
  const roots = new Set<string>();
  for (const hash of namesIn(join(home, 'env'))) {
    const began = sessionRootAt(join(home, 'env', hash, 'session-roots.jsonl'), event);
    if (began === 'unsure') return began;
    if (began !== null) roots.add(began);
  }
  return [...roots];
}

function sessionRootAt(file: string, event: CanonicalEvent): string | null | 'unsure' {
  try {
    return sessionRootIn(readFileSync(file, 'utf8'), event);
  } catch (error) {
    // Where no session was ever remembered there is no file.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'unsure';
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
