import { addTokens, type ExportUsage, NO_TOKENS, type TokenCounts } from '@piton/contracts';
import type { KeptEntry, StoredTranscript } from '@piton/store';
import type { Usage } from './cost.ts';

/** Null where no agent told any. */
export const sumTokens = (counts: readonly (TokenCounts | null)[]): TokenCounts | null =>
  counts.reduce((sum, one) => (sum === null || one === null ? (sum ?? one) : addTokens(sum, one)), null);

/** What each entry of usage in a session's transcripts tells. */
export const requestsOf = (transcripts: readonly StoredTranscript[]): Usage[] =>
  transcripts.flatMap(({ list, format }) => list.flatMap(({ model, tokens }) => (tokens === null ? [] : [{ model, tokens, format }])));

/** Requests and tokens of each model, over all transcripts of a session. */
export function usageOf(transcripts: readonly StoredTranscript[]): ExportUsage[] {
  const models = new Map<string | null, ExportUsage>();
  for (const { model, tokens } of transcripts.flatMap(({ list }) => list)) {
    if (tokens === null) continue;
    const before = models.get(model) ?? { model, requests: 0, tokens: NO_TOKENS };
    models.set(model, { model, requests: before.requests + 1, tokens: addTokens(before.tokens, tokens) });
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
