import type { Agent } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const OWN_TRANSCRIPT = /[\\/]workspaceStorage[\\/]|[\\/]transcripts[\\/][^\\/]+\.jsonl$/;

/**
 * VS Code also runs the files of Claude Code and of Copilot CLI, in its own dialect: with a time, which the first does not
 * send, and with the id of a call or a transcript in its own place, which the second does not.
 */
export const claims: NonNullable<Agent['claims']> = (payload) => {
  if (!isObject(payload) || textOf(payload, 'hook_event_name') === undefined) return false;
  if (!ISO_TIME.test(textOf(payload, 'timestamp') ?? '')) return false;
  const transcript = textOf(payload, 'transcript_path');
  return transcript === undefined ? textOf(payload, 'tool_use_id') !== undefined : OWN_TRANSCRIPT.test(transcript);
};
