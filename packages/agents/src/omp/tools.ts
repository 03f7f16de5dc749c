import type { FileCall, JsonObject, Tool, ToolKind } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { parsePatch } from '../shared/patch.ts';
import { blockTexts, claudeResponse, commandFailure } from '../shared/portable/claude-response.ts';
import { fileIn, withoutSelector } from './paths.ts';

export const TOOLS: Readonly<Record<string, { readonly name: string; readonly kind: ToolKind }>> = {
  bash: { name: 'Bash', kind: 'shell' },
  read: { name: 'Read', kind: 'read' },
  write: { name: 'Write', kind: 'edit' },
  edit: { name: 'Edit', kind: 'edit' },
  ast_edit: { name: 'AstEdit', kind: 'other' },
  ast_grep: { name: 'AstGrep', kind: 'other' },
  eval: { name: 'Eval', kind: 'other' },
  glob: { name: 'Glob', kind: 'other' },
  grep: { name: 'Grep', kind: 'other' },
  task: { name: 'Agent', kind: 'subagent' },
  todo: { name: 'TodoWrite', kind: 'todo' },
  web_search: { name: 'WebSearch', kind: 'web' },
  ask: { name: 'AskUserQuestion', kind: 'other' },
  lsp: { name: 'LSP', kind: 'other' },
};

/** `mcp__server_tool`: where the server ends is not said, so it ends at the first underscore. */
const MCP = /^mcp__([^_]+)_(.+)$/;

export function decodeTool(nativeName: string, native: JsonObject, useId: string | undefined): Tool {
  const [, server, mcpTool] = MCP.exec(nativeName) ?? [];
  const known = Object.hasOwn(TOOLS, nativeName) ? TOOLS[nativeName] : undefined;
  const path = textOf(native, 'path');
  // What is no file of this machine is read and written by no tool on files.
  const isElsewhere = (known?.kind === 'read' || known?.kind === 'edit') && path !== undefined && fileOf(nativeName, path) === undefined;
  const kind = mcpTool !== undefined ? 'mcp' : isElsewhere ? 'other' : (known?.kind ?? 'other');
  const calls = nativeName === 'edit' && typeof native.input === 'string' ? patchCalls(native) : [];
  const [only] = calls.length === 1 ? calls : [];
  const input = { ...portableInput(nativeName, native), ...only?.input };
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  const file = path === undefined ? undefined : fileOf(nativeName, path);
  return {
    name: mcpTool === undefined ? (only?.name ?? known?.name ?? nativeName) : `mcp__${server}__${mcpTool}`,
    nativeName,
    kind,
    input,
    ...(useId !== undefined && { useId }),
    ...(command !== undefined && { command }),
    files: kind !== 'read' && kind !== 'edit' ? [] : calls.length > 0 ? calls.map((call) => call.file) : file === undefined ? [] : [file],
    ...(calls.length > 1 && { calls }),
  };
}

const fileOf = (tool: string, path: string): string | undefined => fileIn(tool === 'read' ? withoutSelector(path).path : path);

function portableInput(tool: string, native: JsonObject): JsonObject {
  if (tool === 'task') {
    const { task, agent, ...rest } = native;
    return { ...rest, ...(task !== undefined && { prompt: task }), ...(agent !== undefined && { subagent_type: agent }) };
  }
  if (tool === 'todo') return { ...native, ...(native.op === 'init' && { todos: todosIn(native) }) };
  const { path, ...rest } = native;
  if (typeof path !== 'string' || !['read', 'write', 'edit'].includes(tool)) return native;
  const { selector } = tool === 'read' ? withoutSelector(path) : { selector: '' };
  if (tool === 'edit' && typeof native.input === 'string') return native;
  return { file_path: fileOf(tool, path) ?? path, ...rest, ...(selector !== '' && { selector }) };
}

/** A list as it is begun: all of it is still to do. */
function todosIn({ list, items }: JsonObject): JsonObject[] {
  const phases = Array.isArray(list) ? list.flatMap((phase) => fieldsOf(phase).items) : items;
  return (Array.isArray(phases) ? phases : []).map((content) => ({ content, status: 'pending' }));
}

const HEADER = /^\[(.+?)(?:#[0-9a-f]{4})?\]$/i;
const LEGACY_HEADER = /^\s*¶+(.+?)(?:#[0-9a-f]{4})?$/i;
const MOVED = /^MV (.+)$/;

/** What a patch does to each file: in the grammar of oh-my-pi, whose headers name file and snapshot, or in that of `apply_patch`. */
function patchCalls(native: JsonObject): FileCall[] {
  const text = textOf(native, 'input') ?? '';
  const sections = parsePatch(text).flatMap((section) => [
    section.path,
    ...('movedTo' in section && section.movedTo ? [section.movedTo] : []),
  ]);
  const named = [...(Array.isArray(native.paths) ? native.paths : []), native.path];
  const lines = text
    .split(/\r?\n/)
    .flatMap((line) => (HEADER.exec(line) ?? LEGACY_HEADER.exec(line) ?? MOVED.exec(line))?.[1]?.trim() ?? []);
  const paths = [...sections, ...named, ...lines].flatMap((path) => (typeof path === 'string' ? (fileIn(unquoted(path)) ?? []) : []));
  return [...new Set(paths)].map((file) => ({ file, name: 'Edit', input: { file_path: file, patch: text } }));
}

const unquoted = (path: string): string => path.replace(/^(["'])(.+)\1$/, '$2');

/** The portable input of a call in its own names, or why there is none. */
export function nativeInput({ nativeName: tool, input }: Tool, portable: JsonObject): JsonObject | string {
  if (tool === 'edit' && typeof input.input === 'string') return 'a patch cannot be put together again from a changed input';
  if (tool === 'task') {
    const { prompt, subagent_type, ...rest } = portable;
    return { ...rest, ...(prompt !== undefined && { task: prompt }), ...(subagent_type !== undefined && { agent: subagent_type }) };
  }
  if (tool === 'todo') {
    const { todos: _, ...rest } = portable;
    return rest;
  }
  const { file_path, selector, ...rest } = portable;
  if (file_path === undefined || !['read', 'write', 'edit'].includes(tool)) return portable;
  return { path: `${file_path}${typeof selector === 'string' ? selector : ''}`, ...rest };
}

/** Behind what a command said. */
const WALL_TIME = /\n*Wall time: [\d.]+ seconds(?=\n|$)/;
const EXITED = /\n*Command exited with code (-?\d+)\s*$/;
/** Above what was read, and before each of its lines. */
const READ_HEADER = /^\[[^\n]+#[0-9a-f]{4}\]\n/i;
const LINE_NUMBERS = /^ ?\*?\d+:/gm;

/** A tool's result as Claude Code's hooks read it. */
export function portableResponse(tool: Tool, { content, details }: JsonObject): unknown {
  const said = blockTexts(content) ?? '';
  const facts = fieldsOf(details);
  if (tool.kind === 'todo' && Array.isArray(facts.phases)) return { oldTodos: [], newTodos: tasksIn(facts.phases) };
  return claudeResponse(tool, {
    text: tool.kind === 'shell' ? said.replace(WALL_TIME, '') : tool.kind === 'read' ? shownText(facts, said) : said,
    ...(Array.isArray(facts.rawContent) ? { blocks: facts.rawContent } : Array.isArray(content) && { blocks: content }),
    before: textOf(facts, 'oldText'),
    after: textOf(facts, 'newText'),
  });
}

function shownText(details: JsonObject, said: string): string {
  const shown = textOf(fieldsOf(details.displayContent), 'text');
  return shown ?? (READ_HEADER.test(said) ? said.replace(READ_HEADER, '').replace(LINE_NUMBERS, '') : said);
}

const tasksIn = (phases: readonly unknown[]): JsonObject[] =>
  phases.flatMap((phase) => {
    const { tasks } = fieldsOf(phase);
    return Array.isArray(tasks) ? tasks.filter(isObject) : [];
  });

/** What a tool says that has failed. */
export function failureIn(content: unknown): string | undefined {
  const text = (blockTexts(content) ?? '').replace(WALL_TIME, '') || undefined;
  const [end, code] = EXITED.exec(text ?? '') ?? [];
  return text === undefined || end === undefined || code === undefined ? text : commandFailure(code, text.slice(0, -end.length));
}
