import type { JsonObject, TranscriptEntry } from '@piton/contracts';
import { isObject } from './json-fields.ts';

export type Head = { readonly at: string | null; readonly id: string | null };

/** A transcript of one JSON object a line: whole lines are read, what cannot be read becomes `unknown`, never an error. */
export function readJsonLines(
  text: string,
  entriesOf: (record: JsonObject) => readonly TranscriptEntry[],
): { entries: TranscriptEntry[]; consumed: number } {
  const consumed = text.lastIndexOf('\n') + 1;
  const lines = text.slice(0, consumed).split('\n');
  const entries = lines.flatMap((line): readonly TranscriptEntry[] => {
    if (line.trim() === '') return [];
    const record = parse(line);
    return record === undefined ? [{ at: null, id: null, kind: 'unknown', type: 'unreadable line' }] : entriesOf(record);
  });
  return { entries, consumed };
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Of entries that are said again under the same key the last one counts. */
export function lastOfEach(entries: readonly TranscriptEntry[], keyOf: (entry: TranscriptEntry) => string | null): TranscriptEntry[] {
  const last = new Map(entries.map((entry, at) => [keyOf(entry), at] as const));
  return entries.filter((entry, at) => keyOf(entry) === null || last.get(keyOf(entry)) === at);
}

/** For those that count what a cache had, and what was put into one, as input as well. */
export const inputBesideCache = (input: number, cacheRead: number, cacheWrite: number): number =>
  Math.max(0, input - cacheRead - cacheWrite);

export const numberOf = (object: JsonObject, field: string): number => (typeof object[field] === 'number' ? object[field] : 0);
