import type { ExportTokens, ExportUsage } from '@piton/contracts';
import type { KeptEntry, StoredTranscript } from '@piton/store';

const NONE: ExportTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const addTokens = (a: ExportTokens | null, b: ExportTokens | null): ExportTokens | null =>
  a === null || b === null
    ? (a ?? b)
    : {
        input: a.input + b.input,
        output: a.output + b.output,
        cacheRead: a.cacheRead + b.cacheRead,
        cacheWrite: a.cacheWrite + b.cacheWrite,
      };

/** Requests and tokens of each model, over all transcripts of a session. */
export function usageOf(transcripts: readonly StoredTranscript[]): ExportUsage[] {
  const models = new Map<string | null, ExportUsage>();
  for (const { model, tokens } of transcripts.flatMap(({ list }) => list)) {
    if (tokens === null) continue;
    const before = models.get(model) ?? { model, requests: 0, tokens: NONE };
    models.set(model, { model, requests: before.requests + 1, tokens: addTokens(before.tokens, tokens) ?? NONE });
  }
  return [...models.values()];
}

export interface TimedEntry extends KeptEntry {
  readonly ms: number;
  /** From a subagent's transcript. */
  readonly subagent: boolean;
}

/** Entries with times. One without a time gets that of the entry before it. If none has a time, their turns are unknown. */
export function timed(transcripts: readonly StoredTranscript[], startMs: number): TimedEntry[] {
  return transcripts.flatMap(({ list, agentId }) => {
    let last = list.some(({ at }) => at !== null) ? startMs : Number.NaN;
    return list.map((entry) => {
      const parsed = entry.at === null ? Number.NaN : Date.parse(entry.at);
      last = Number.isNaN(parsed) ? last : parsed;
      return { ...entry, ms: last, subagent: agentId !== null };
    });
  });
}
