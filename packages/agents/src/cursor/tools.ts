import type { JsonObject, Tool } from '@piton/contracts';
import { mcpTool, toolCallIn, translatedTool } from '../shared/tool-call.ts';
import { nativeInput, type ToolTable, translationOf } from '../shared/tool-translation.ts';

/** Its edits arrive as `Write` with the whole content. What its tool for to-dos is called is not documented. */
export const TOOLS: ToolTable = {
  Shell: { name: 'Bash', kind: 'shell' },
  Read: { name: 'Read', kind: 'read' },
  Write: { name: 'Write', kind: 'edit' },
  Delete: {
    name: 'Edit',
    kind: 'edit',
    reshape: { toPortable: (input) => ({ ...input, deleted: true }), toNative: ({ deleted: _, ...input }) => input },
  },
  Task: { name: 'Agent', kind: 'subagent' },
  WebFetch: { name: 'WebFetch', kind: 'web' },
  Fetch: { name: 'WebFetch', kind: 'web' },
  WebSearch: { name: 'WebSearch', kind: 'web' },
  Grep: { name: 'Grep', kind: 'other', fields: { file_path: 'path' } },
  List: { name: 'LS', kind: 'other', fields: { file_path: 'path' } },
};

const MCP = /^MCP:(.+)$/;

/** The server is not named. */
export function decodeTool(fields: JsonObject, problems: string[]): Tool | undefined {
  const call = toolCallIn(fields, problems);
  if (call === undefined) return undefined;
  const mcp = MCP.exec(call.nativeName)?.[1];
  return mcp === undefined ? translatedTool(call, translationOf(TOOLS, call.nativeName)) : mcpTool(call, `mcp__unknown__${mcp}`);
}

/** A portable input that a hook wrote, as the tool itself takes it; undefined where Cursor would drop the change. */
export function toNativeInput(tool: Tool, input: JsonObject): JsonObject | undefined {
  if (tool.nativeName === 'Write' && input.content !== tool.input.content) return undefined;
  return nativeInput(translationOf(TOOLS, tool.nativeName), input);
}
