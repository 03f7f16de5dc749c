import { addTokens, NO_TOKENS } from '@piton/contracts';
import type { TeamRecords } from '@piton/contracts/team';
import type { UsageRecord } from '@piton/store';

type Models = TeamRecords['piton.usage.v1']['models'];

/** All requests of a session, by model; an unknown model first. */
export function usageByModel(usage: readonly UsageRecord[], nameOf: (model: string) => string): Models {
  const models = new Map<string | null, Models[number]>();
  for (const { model: found, tokens } of usage) {
    const model = found === null ? null : nameOf(found);
    const before = models.get(model) ?? { model, requests: 0, tokens: NO_TOKENS };
    models.set(model, { model, requests: before.requests + 1, tokens: addTokens(before.tokens, tokens) });
  }
  return [...models.values()].sort((a, b) => (a.model ?? '').localeCompare(b.model ?? ''));
}
