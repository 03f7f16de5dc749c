import type { FileCall, JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { fileCalls } from '../shared/patch-calls.ts';
import { mcpTool, toolCallIn, translatedTool } from '../shared/tool-call.ts';
import { nativeInput, portableInput, type ToolTable, type ToolTranslation, translationOf } from '../shared/tool-translation.ts';

/** VS Code names the first and the last line; Claude Code the first and how many. */
const LINE_RANGE: ToolTranslation['reshape'] = {
  toPortable({ endLine, ...input }) {
    if (typeof endLine !== 'number') return endLine === undefined ? input : { ...input, endLine };
    return { ...input, limit: endLine - (typeof input.offset === 'number' ? input.offset : 1) + 1 };
  },
  toNative({ limit, ...input }) {
    if (typeof limit !== 'number') return input;
    return { ...input, endLine: (typeof input.offset === 'number' ? input.offset : 1) + limit - 1 };
  },
};

const EDIT_FIELDS = { filePath: 'file_path', oldString: 'old_string', newString: 'new_string' };

export const TOOLS: ToolTable = {
  run_in_terminal: { name: 'Bash', kind: 'shell', fields: { explanation: 'description', isBackground: 'run_in_background' } },
  read_file: { name: 'Read', kind: 'read', fields: { filePath: 'file_path', startLine: 'offset' }, reshape: LINE_RANGE },
  create_file: { name: 'Write', kind: 'edit', fields: { filePath: 'file_path' } },
  replace_string_in_file: { name: 'Edit', kind: 'edit', fields: EDIT_FIELDS },
  insert_edit_into_file: { name: 'Edit', kind: 'edit', fields: { filePath: 'file_path' } },
  multi_replace_string_in_file: { name: 'Edit', kind: 'edit' },
  apply_patch: { name: 'Edit', kind: 'edit', fields: { input: 'patch' } },
  manage_todo_list: { name: 'TodoWrite', kind: 'todo' },
  runSubagent: { name: 'Agent', kind: 'subagent' },
  fetch_webpage: { name: 'WebFetch', kind: 'web' },
  grep_search: { name: 'Grep', kind: 'other', fields: { query: 'pattern' } },
  file_search: { name: 'Glob', kind: 'other', fields: { query: 'pattern' } },
  list_dir: { name: 'LS', kind: 'other' },
};

/** How MCP tools are called is not documented; both parts may hold underscores. */
const MCP = /^mcp_([^_]+)_(.+)$/;

export function decodeTool(fields: JsonObject, cwd: string, problems: string[]): Tool | undefined {
  const call = toolCallIn(fields, problems);
  if (call === undefined) return undefined;
  const [, server, name] = MCP.exec(call.nativeName) ?? [];
  if (server !== undefined) return mcpTool(call, `mcp__${server}__${name}`);
  const tool = translatedTool(call, translationOf(TOOLS, call.nativeName));
  const calls = tool.kind === 'edit' ? callsOf(tool.input, cwd) : [];
  const [only] = calls;
  // On one file it is a call on it: a guard looks for the file in the input.
  if (only !== undefined && calls.length === 1) return { ...tool, name: only.name, input: only.input, files: [only.file] };
  return calls.length === 0 ? tool : { ...tool, files: calls.map(({ file }) => file), calls };
}

/** Edits of several files in one call: a patch, or a list of replacements. */
function callsOf(input: JsonObject, cwd: string): FileCall[] {
  const patch = textOf(input, 'patch');
  if (patch !== undefined) return fileCalls(patch, cwd);
  const list: readonly unknown[] = Array.isArray(input.replacements) ? input.replacements : [];
  return list.filter(isObject).flatMap((one) => {
    const edit = portableInput({ name: 'Edit', kind: 'edit', fields: EDIT_FIELDS }, one);
    const file = textOf(edit, 'file_path');
    return file === undefined ? [] : [{ file, name: 'Edit', input: edit }];
  });
}

/** What stands in a text or a list cannot be written anew from the view of one file. */
const OF_FILES: ReadonlySet<string> = new Set(['apply_patch', 'multi_replace_string_in_file']);

/** A portable input that a hook wrote, as the tool itself takes it; undefined where it cannot be said. */
export function toNativeInput(tool: Tool, input: JsonObject): JsonObject | undefined {
  return OF_FILES.has(tool.nativeName) ? undefined : nativeInput(translationOf(TOOLS, tool.nativeName), input);
}
