import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { fileCalls, filesIn } from '../shared/patch-calls.ts';
import { nativeInput, portableInput, type ToolTable, type ToolTranslation, translationOf } from '../shared/tool-translation.ts';
import { todosOf, todoText } from './todo-list.ts';

const scaled = (input: JsonObject, factor: number): JsonObject =>
  typeof input.timeout === 'number' ? { ...input, timeout: input.timeout * factor } : input;

const EDIT_FIELDS = { old_str: 'old_string', new_str: 'new_string', change_all: 'replace_all' };
const renamedEdits = (edits: unknown, rename: (edit: JsonObject) => JsonObject): unknown =>
  Array.isArray(edits) ? edits.map((edit) => (isObject(edit) ? rename(edit) : edit)) : edits;
const ONE_EDIT: ToolTranslation = { name: 'Edit', kind: 'edit', fields: EDIT_FIELDS };

export const TOOLS: ToolTable = {
  Execute: {
    name: 'Bash',
    kind: 'shell',
    fields: { summary: 'description' },
    // Seconds here, milliseconds there.
    reshape: { toPortable: (input) => scaled(input, 1000), toNative: (input) => scaled(input, 1 / 1000) },
  },
  Create: { name: 'Write', kind: 'edit' },
  Edit: ONE_EDIT,
  MultiEdit: {
    name: 'MultiEdit',
    kind: 'edit',
    fields: { changes: 'edits' },
    reshape: {
      toPortable: (input) => ({ ...input, edits: renamedEdits(input.edits, (edit) => portableInput(ONE_EDIT, edit)) }),
      toNative: (input) => ({ ...input, edits: renamedEdits(input.edits, (edit) => nativeInput(ONE_EDIT, edit)) }),
    },
  },
  ApplyPatch: { name: 'Edit', kind: 'edit' },
  Read: { name: 'Read', kind: 'read' },
  Task: { name: 'Agent', kind: 'subagent' },
  TodoWrite: {
    name: 'TodoWrite',
    kind: 'todo',
    reshape: {
      toPortable: (input) => (typeof input.todos === 'string' ? { ...input, todos: todosOf(input.todos) } : input),
      toNative: (input) => (Array.isArray(input.todos) ? { ...input, todos: todoText(input.todos) } : input),
    },
  },
  FetchUrl: { name: 'WebFetch', kind: 'web' },
  WebSearch: { name: 'WebSearch', kind: 'web' },
  Glob: { name: 'Glob', kind: 'other' },
  Grep: { name: 'Grep', kind: 'other' },
  LS: { name: 'LS', kind: 'other' },
};

/** `server___tool`, with three underscores. */
const MCP = /^(.+?)___(.+)$/;

function translation(nativeName: string): ToolTranslation | undefined {
  const [, server, tool] = MCP.exec(nativeName) ?? [];
  return server === undefined ? translationOf(TOOLS, nativeName) : { name: `mcp__${server}__${tool}`, kind: 'mcp' };
}

export function decodeTool(fields: JsonObject, cwd: string, problems: string[]): Tool | undefined {
  const nativeName = textOf(fields, 'tool_name');
  if (nativeName === undefined) {
    problems.push('no tool_name');
    return undefined;
  }
  if (!isObject(fields.tool_input)) problems.push('tool_input is no object');
  const given = isObject(fields.tool_input) ? fields.tool_input : {};
  const known = translation(nativeName);
  const kind = known?.kind ?? 'other';
  if (nativeName === 'ApplyPatch') return { nativeName, kind, ...patched(given, cwd, problems) };

  const input = portableInput(known, given);
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  return {
    name: known?.name ?? nativeName,
    nativeName,
    kind,
    input,
    ...(command !== undefined && { command }),
    files: command !== undefined ? filesIn(command) : kind === 'edit' || kind === 'read' ? [textOf(input, 'file_path') ?? []].flat() : [],
  };
}

function patched(given: JsonObject, cwd: string, problems: string[]): Pick<Tool, 'name' | 'input' | 'files' | 'calls'> {
  const patch = textOf(given, 'input') ?? '';
  const calls = fileCalls(patch, cwd);
  const [only] = calls;
  if (only === undefined) problems.push('the patch names no file');
  if (only !== undefined && calls.length === 1) return { name: only.name, input: only.input, files: [only.file] };
  return { name: 'Edit', input: { patch }, files: calls.map(({ file }) => file), calls };
}

/** The input that a hook wrote, as the tool itself takes it; undefined where it cannot be said. */
export function nativeToolInput(tool: Tool, input: JsonObject): JsonObject | undefined {
  return tool.nativeName === 'ApplyPatch' ? undefined : nativeInput(translation(tool.nativeName), input);
}
