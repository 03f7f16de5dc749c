import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { mcpTool, toolCallIn, translatedTool } from '../shared/tool-call.ts';
import { nativeInput, type ToolTable, translationOf } from '../shared/tool-translation.ts';

export const TOOLS: ToolTable = {
  run_terminal_command: { name: 'Bash', kind: 'shell', fields: { background: 'run_in_background' } },
  monitor: { name: 'Monitor', kind: 'shell' },
  write: { name: 'Write', kind: 'edit' },
  search_replace: { name: 'Edit', kind: 'edit' },
  read_file: { name: 'Read', kind: 'read', fields: { target_file: 'file_path' } },
  list_dir: { name: 'LS', kind: 'other', fields: { target_directory: 'path' } },
  grep: { name: 'Grep', kind: 'other' },
  todo_write: { name: 'TodoWrite', kind: 'todo' },
  spawn_subagent: { name: 'Agent', kind: 'subagent', fields: { background: 'run_in_background' } },
  web_search: { name: 'WebSearch', kind: 'web' },
  web_fetch: { name: 'WebFetch', kind: 'web' },
  ask_user_question: { name: 'AskUserQuestion', kind: 'other' },
};

/** `server__tool`: no tool of its own has such a name. */
const MCP = /^(.+?)__(.+)$/;

/**
 * The one tool by which the model reaches those of MCP servers. Hooks are told the name of the tool that it calls, and the input of
 * the caller: what the tool itself gets stands inside.
 */
const CALLER = 'use_tool';

export function decodeTool(fields: JsonObject, problems: string[]): Tool | undefined {
  const call = toolCallIn(fields, problems);
  if (call === undefined) return undefined;
  const named = call.nativeName === CALLER ? (textOf(call.given, 'tool_name') ?? '') : call.nativeName;
  const [, server, tool] = MCP.exec(named) ?? [];
  if (server !== undefined && tool !== undefined)
    return mcpTool({ ...call, given: isObject(call.given.tool_input) ? call.given.tool_input : call.given }, `mcp__${server}__${tool}`);
  // Which tool it is stands in a file that the model wrote.
  if (call.nativeName === CALLER) return mcpTool(call, 'mcp__unknown__unknown');
  return translatedTool(call, translationOf(TOOLS, call.nativeName));
}

/**
 * A portable input that a hook wrote, as the tool takes it. Grok Build checks it against the schema of the tool, and refuses the call
 * where a field is missing: what the hook left out of those that must be there stays what the model wrote.
 */
export function toNativeInput(tool: Tool, input: JsonObject, given: JsonObject): JsonObject {
  if (tool.kind === 'mcp') return isObject(given.tool_input) ? { ...given, tool_input: input } : input;
  const native = nativeInput(translationOf(TOOLS, tool.nativeName), input);
  const description = textOf(given, 'description');
  return 'description' in native || description === undefined ? native : { ...native, description };
}
