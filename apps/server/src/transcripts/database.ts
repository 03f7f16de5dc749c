import { statSync } from 'node:fs';
import { queryForeignDatabase } from '@piton/store';
import type { TranscriptCandidate } from './candidates.ts';
import type { OpenFile } from './file.ts';
import type { Limits } from './limits.ts';
import type { Window } from './window.ts';

/** SQLite writes changes to the `-wal` file first, so size and time of both files count. */
export function withLog(path: string, opened: OpenFile): OpenFile {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return log === undefined ? opened : { ...opened, size: opened.size + log.size, modifiedMs: Math.max(opened.modifiedMs, log.mtimeMs) };
}

/** Reads a session from the agent's database. Null if it cannot be queried: busy, or an unknown schema. */
export async function readDatabase({ path, ref, format }: TranscriptCandidate, limits: Limits): Promise<Window | null> {
  if (format.database === undefined) return null;
  const { question, assemble } = format.database;
  const rows = await queryForeignDatabase(path, question, ref).catch(() => null);
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
  return { entries, next: 0, over: true, memory: '', ...(note === undefined ? {} : { note }) };
}
