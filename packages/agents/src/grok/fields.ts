import type { JsonObject } from '@piton/contracts';
import { textOf } from '../shared/json-fields.ts';

/** What Claude Code has another word for. The rest is the same word in the other spelling. */
const PORTABLE: Readonly<Record<string, string>> = {
  toolResult: 'tool_response',
  subagentType: 'agent_type',
  subagentId: 'agent_id',
};

const inSnakeCase = (key: string): string => key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * A payload under the portable names. Grok Build spells its fields in camelCase and says the common ones again as Claude Code spells
 * them; `hookEventName` has the event in a third spelling, which nobody needs.
 */
export function portableFields(payload: JsonObject): JsonObject {
  const named: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(payload)) {
    if (key === 'hookEventName') continue;
    named[Object.hasOwn(PORTABLE, key) ? (PORTABLE[key] as string) : inSnakeCase(key)] = value;
  }
  return named;
}

/** Why a compaction began is its `source` here. */
export const withTrigger = ({ source, ...fields }: JsonObject): JsonObject =>
  source === undefined ? fields : { ...fields, trigger: source };

/** A turn that nobody began: Grok Build wakes itself to read what a background task brought. */
export const isWakeUp = (fields: JsonObject): boolean => /^[a-z-]+-completed-/.test(textOf(fields, 'prompt_id') ?? '');
