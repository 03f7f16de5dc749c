import type { CanonicalEvent } from '@piton/contracts';
import { sessionKey } from './memory.ts';

/** Where a session began, from the lines that `SessionMemory` wrote: null if there is no line, `unsure` if one cannot be read. */
export function sessionRootIn(text: string, event: CanonicalEvent): string | null | 'unsure' {
  const key = sessionKey(event);
  const quoted = JSON.stringify(key);
  let root: string | null | 'unsure' = null;
  for (const line of text.split('\n')) if (line.includes(quoted)) root = rootIn(line, key) ?? root;
  return root;
}

/** Undefined if the line is about another session. */
function rootIn(line: string, key: string): string | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return Array.isArray(read) && read[0] === key && typeof read[1] === 'string' ? read[1] : undefined;
  } catch {
    return 'unsure'; // truncated by a full disk, or joined with the next line
  }
}
