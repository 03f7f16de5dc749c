import type { Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { claudeResponse } from '../shared/portable/claude-response.ts';

/** What `apply_patch` and others say before their output. */
const HEAD = /^Exit code: -?\d+\nWall time: [^\n]*\n(?:[^\n]*\n)*?Output:\n/;

/** A text, or the content of an MCP tool. An image that was viewed stays as it is. */
export function portableResponse(tool: Tool, response: unknown): unknown {
  if (isObject(response) && Array.isArray(response.content)) return claudeResponse(tool, { text: '', blocks: response.content });
  if (typeof response !== 'string' || tool.nativeName === 'view_image') return response;
  const agentId = tool.kind === 'subagent' ? startedAgent(response) : undefined;
  return claudeResponse(tool, { text: response.replace(HEAD, ''), agentId, launched: agentId !== undefined });
}

/** A subagent that was started works on while the call is over. */
function startedAgent(response: string): string | undefined {
  try {
    const said: unknown = JSON.parse(response);
    return isObject(said) ? textOf(said, 'agent_id') : undefined;
  } catch {
    return undefined;
  }
}
