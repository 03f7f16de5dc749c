import { statSync } from 'node:fs';
import { askForeign } from '@piton/store';
import type { TranscriptCandidate } from './candidates.ts';
import type { OpenFile } from './file.ts';
import type { Limits } from './limits.ts';
import type { Window } from './window.ts';

/** What is new in a database stands in the log beside it first: whether it has changed is asked of both. */
export function withLog(path: string, opened: OpenFile): OpenFile {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return log === undefined ? opened : { ...opened, size: opened.size + log.size, modifiedMs: Math.max(opened.modifiedMs, log.mtimeMs) };
}

/** All that a session says in a database of the agent's. Null while it cannot be asked: busy, or of another make than we know. */
export async function readDatabase({ path, ref, format }: TranscriptCandidate, limits: Limits): Promise<Window | null> {
  if (format.database === undefined) return null;
  const { question, assemble } = format.database;
  const rows = await askForeign(path, question, ref).catch(() => null);
  if (rows === null) return null;
  const kept: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.length;
    if (bytes > limits.transcriptCharacters) break;
    kept.push(row);
  }
  const { entries } = format.read(assemble(kept));
  const note = kept.length < rows.length ? `of ${rows.length} messages the first ${kept.length} were read` : undefined;
  return { entries, next: 0, over: true, ...(note === undefined ? {} : { note }) };
}
