import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { nativeInput, portableInput, type ToolTable, translationOf } from '../shared/tool-translation.ts';

/** Its edits arrive as `Write` with the whole content. What its tool for to-dos is called is not documented. */
const TOOLS: ToolTable = {
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

export function decodeTool(fields: JsonObject, problems: string[]): Tool | undefined {
  const nativeName = textOf(fields, 'tool_name');
  if (nativeName === undefined) {
    problems.push('no tool_name');
    return undefined;
  }
  if (!isObject(fields.tool_input)) problems.push('tool_input is no object');
  const given = isObject(fields.tool_input) ? fields.tool_input : {};
  const useId = textOf(fields, 'tool_use_id');
  const call = { nativeName, ...(useId !== undefined && { useId }) };
  const mcp = MCP.exec(nativeName)?.[1];
  // The server is not named.
  if (mcp !== undefined) return { ...call, name: `mcp__unknown__${mcp}`, kind: 'mcp', input: given, files: [] };

  const translation = translationOf(TOOLS, nativeName);
  const kind = translation?.kind ?? 'other';
  const input = portableInput(translation, given);
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  const file = kind === 'read' || kind === 'edit' ? textOf(input, 'file_path') : undefined;
  return {
    ...call,
    name: translation?.name ?? nativeName,
    kind,
    input,
    ...(command !== undefined && { command }),
    files: file === undefined ? [] : [file],
  };
}

/** A portable input that a hook wrote, as the tool itself takes it; undefined where Cursor would drop the change. */
export function toNativeInput(tool: Tool, input: JsonObject): JsonObject | undefined {
  if (tool.nativeName === 'Write' && input.content !== tool.input.content) return undefined;
  return nativeInput(translationOf(TOOLS, tool.nativeName), input);
}
