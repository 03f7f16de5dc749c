import type { Agent, JsonObject } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';

/**
 * Copilot CLI also runs the hooks of the project's `.claude/settings.json`, and sends them its PascalCase dialect. Claude
 * Code itself sends no time. Others that do name a transcript of their own, or the id of the call.
 */
export const claims: NonNullable<Agent['claims']> = (payload) => isObject(payload) && (isCamel(payload) || isPascal(payload));

const isCamel = (fields: JsonObject): boolean =>
  textOf(fields, 'sessionId') !== undefined && typeof fields.timestamp === 'number' && textOf(fields, 'cwd') !== undefined;

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function isPascal(fields: JsonObject): boolean {
  if (textOf(fields, 'hook_event_name') === undefined || !ISO_TIME.test(textOf(fields, 'timestamp') ?? '')) return false;
  if ('tool_use_id' in fields) return false;
  // Absent in most of its events. An empty one is somebody else's who has nothing to name.
  if (!('transcript_path' in fields)) return true;
  return /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/.test(textOf(fields, 'transcript_path') ?? '');
}
