import type { JsonObject } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';

/**
 * The two dialects by one name, as they stand in payloads: PermissionRequest and SubagentStart mix them in one object.
 * The portable name is the one in snake_case unless it is said otherwise.
 */
const PORTABLE: Readonly<Record<string, string>> = {
  sessionId: 'session_id',
  transcriptPath: 'transcript_path',
  initialPrompt: 'initial_prompt',
  transformedPrompt: 'transformed_prompt',
  toolName: 'tool_name',
  toolArgs: 'tool_input',
  toolInput: 'tool_input',
  toolResult: 'tool_response',
  tool_result: 'tool_response',
  permissionSuggestions: 'permission_suggestions',
  agentId: 'agent_id',
  agentType: 'agent_type',
  agentName: 'agent_name',
  agentDisplayName: 'agent_display_name',
  agentDescription: 'agent_description',
  parentAgentId: 'parent_agent_id',
  response: 'last_assistant_message',
  stopReason: 'stop_reason',
  errorContext: 'error_context',
  customInstructions: 'custom_instructions',
};

/** A payload of either dialect under the portable names; unknown fields stay as they are. */
export function portableFields(payload: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => {
      const name = Object.hasOwn(PORTABLE, key) ? (PORTABLE[key] ?? key) : key;
      return [name, name === 'tool_input' ? argumentsOf(value) : value];
    }),
  );
}

/** Older versions (seen in 1.0.40 and 1.0.70) send the arguments of a tool as a text. */
function argumentsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

const ROOT_SESSION = /[\\/]session-state[\\/]([^\\/]+)[\\/]events\.jsonl$/;

/**
 * A subagent's own events carry its id as the session's: they belong to the session that it works for. Where the
 * transcript is named, its path has the session of nested ones too.
 */
export function sessionOf(fields: JsonObject): string | undefined {
  const said = textOf(fields, 'session_id');
  const agentId = textOf(fields, 'agent_id');
  if (agentId === undefined) return said;
  return ROOT_SESSION.exec(textOf(fields, 'transcript_path') ?? '')?.[1] ?? textOf(fields, 'parent_agent_id') ?? said;
}
