import type { FileCall, JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { nativeInput, portableInput, type ToolTable, type ToolTranslation, translationOf } from '../shared/tool-translation.ts';

/** Gemini CLI counts lines from the first to the last one that is read, Claude Code by the first and how many. */
const LINE_RANGE: ToolTranslation['reshape'] = {
  toPortable({ end_line, ...input }) {
    if (typeof end_line !== 'number') return input;
    return { ...input, limit: end_line - (typeof input.offset === 'number' ? input.offset : 1) + 1 };
  },
  toNative({ limit, ...input }) {
    if (typeof limit !== 'number') return input;
    return { ...input, end_line: (typeof input.offset === 'number' ? input.offset : 1) + limit - 1 };
  },
};

const renameInItems = (from: string, to: string) => (input: JsonObject) => {
  if (!Array.isArray(input.todos)) return input;
  const todos = input.todos.map((item: unknown) => {
    if (!isObject(item) || !(from in item)) return item;
    const { [from]: text, ...rest } = item;
    return { [to]: text, ...rest };
  });
  return { ...input, todos };
};

export const TOOLS: ToolTable = {
  run_shell_command: { name: 'Bash', kind: 'shell', fields: { is_background: 'run_in_background', dir_path: 'cwd' } },
  read_file: { name: 'Read', kind: 'read', fields: { start_line: 'offset' }, reshape: LINE_RANGE },
  read_many_files: { name: 'Read', kind: 'read' },
  write_file: { name: 'Write', kind: 'edit' },
  replace: { name: 'Edit', kind: 'edit', fields: { allow_multiple: 'replace_all' } },
  write_todos: {
    name: 'TodoWrite',
    kind: 'todo',
    reshape: { toPortable: renameInItems('description', 'content'), toNative: renameInItems('content', 'description') },
  },
  invoke_agent: { name: 'Agent', kind: 'subagent', fields: { agent_name: 'subagent_type' } },
  ask_user: { name: 'AskUserQuestion', kind: 'other' },
  exit_plan_mode: { name: 'ExitPlanMode', kind: 'other' },
  web_fetch: { name: 'WebFetch', kind: 'web' },
  google_web_search: { name: 'WebSearch', kind: 'web' },
  list_directory: { name: 'LS', kind: 'other', fields: { dir_path: 'path' } },
  glob: { name: 'Glob', kind: 'other', fields: { dir_path: 'path' } },
  grep_search: { name: 'Grep', kind: 'other', fields: { dir_path: 'path', include_pattern: 'glob' } },
};

export const toNativeInput = (nativeName: string, input: JsonObject): JsonObject => nativeInput(translationOf(TOOLS, nativeName), input);

/** The tool of an event in portable words. Gemini CLI gives its calls no id. */
export function decodeTool(fields: JsonObject, problems: string[]): Tool | undefined {
  const nativeName = textOf(fields, 'tool_name');
  if (nativeName === undefined) {
    problems.push('no tool_name');
    return undefined;
  }
  if (!isObject(fields.tool_input)) problems.push('tool_input is no object');
  const given = isObject(fields.tool_input) ? fields.tool_input : {};
  const server = mcpName(nativeName, fields.mcp_context);
  if (server !== undefined) return { name: server, nativeName, kind: 'mcp', input: given, files: [] };
  const translation = translationOf(TOOLS, nativeName);
  const input = portableInput(translation, given);
  const kind = translation?.kind ?? 'other';
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  const calls = nativeName === 'read_many_files' ? readsOf(input) : [];
  const file = kind === 'read' || kind === 'edit' ? textOf(input, 'file_path') : undefined;
  return {
    name: translation?.name ?? nativeName,
    nativeName,
    kind,
    input,
    ...(command !== undefined && { command }),
    files: file !== undefined ? [file] : calls.map((call) => call.file),
    ...(calls.length > 0 && { calls }),
  };
}

/** `mcp_<server>_<tool>` is ambiguous by itself: both may hold underscores. */
function mcpName(nativeName: string, context: unknown): string | undefined {
  const [server, tool] = isObject(context) ? [textOf(context, 'server_name'), textOf(context, 'tool_name')] : [];
  if (server !== undefined && tool !== undefined) return `mcp__${server}__${tool}`;
  const guess = /^mcp_([^_]+)_(.+)$/.exec(nativeName);
  return guess ? `mcp__${guess[1]}__${guess[2]}` : undefined;
}

/** Its paths may be patterns; a guard had rather see those than nothing. */
function readsOf(input: JsonObject): FileCall[] {
  const paths: readonly unknown[] = Array.isArray(input.include) ? input.include : [];
  return paths.flatMap((file) => (typeof file === 'string' && file !== '' ? [{ file, name: 'Read', input: { file_path: file } }] : []));
}
