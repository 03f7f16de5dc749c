import type { CanonicalEvent } from '@piton/contracts';
import { sessionKey } from './session-memory.ts';

/** Where a session began, by the lines that `SessionMemory` wrote; null where they do not say, `unsure` where they cannot be read. */
export function sessionRootIn(text: string, event: CanonicalEvent): string | null | 'unsure' {
  const key = sessionKey(event);
  const quoted = JSON.stringify(key);
  let root: string | null | 'unsure' = null;
  for (const line of text.split('\n')) if (line.includes(quoted)) root = rootIn(line, key) ?? root;
  return root;
}

/** Undefined: the line says nothing of this session. */
function rootIn(line: string, key: string): string | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return Array.isArray(read) && read[0] === key && typeof read[1] === 'string' ? read[1] : undefined;
  } catch {
    return 'unsure'; // a full disk cut it, or what was written after the cut
  }
}
