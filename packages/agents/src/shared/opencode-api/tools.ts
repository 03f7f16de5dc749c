import type { FileCall, JsonObject, Tool, ToolKind } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../json-fields.ts';
import { claudeResponse } from '../portable/claude-response.ts';

interface KnownTool {
  readonly name: string;
  readonly kind: ToolKind;
  /** Portable field names by the native ones; what is not here keeps its name. */
  readonly fields?: Readonly<Record<string, string>>;
}

const FILE = { filePath: 'file_path' };

/** The tools that come with the agent. */
export const TOOLS: Readonly<Record<string, KnownTool>> = {
  bash: { name: 'Bash', kind: 'shell', fields: { workdir: 'cwd' } },
  read: { name: 'Read', kind: 'read', fields: FILE },
  write: { name: 'Write', kind: 'edit', fields: FILE },
  edit: { name: 'Edit', kind: 'edit', fields: { ...FILE, oldString: 'old_string', newString: 'new_string', replaceAll: 'replace_all' } },
  apply_patch: { name: 'Edit', kind: 'edit', fields: { patchText: 'patch' } },
  glob: { name: 'Glob', kind: 'other' },
  grep: { name: 'Grep', kind: 'other', fields: { include: 'glob' } },
  list: { name: 'LS', kind: 'other' },
  webfetch: { name: 'WebFetch', kind: 'web' },
  websearch: { name: 'WebSearch', kind: 'web' },
  todowrite: { name: 'TodoWrite', kind: 'todo' },
  todoread: { name: 'TodoRead', kind: 'other' },
  task: { name: 'Agent', kind: 'subagent' },
  skill: { name: 'Skill', kind: 'other' },
  question: { name: 'AskUserQuestion', kind: 'other' },
  lsp: { name: 'LSP', kind: 'other' },
  plan_enter: { name: 'EnterPlanMode', kind: 'other' },
  plan_exit: { name: 'ExitPlanMode', kind: 'other' },
  codebase_search: { name: 'CodebaseSearch', kind: 'other' },
};
const knownTool = (name: string): KnownTool | undefined => (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined);

/** An MCP tool is called `server_tool`; the plugin names the server where it knows it, else the first part of the name is taken. */
function mcpTool(nativeName: string, server: string | undefined): KnownTool | undefined {
  const owner = server ?? /^([^_]+)_./.exec(nativeName)?.[1];
  if (owner === undefined) return undefined;
  return { name: `mcp__${owner}__${nativeName.slice(owner.length + 1)}`, kind: 'mcp' };
}

export interface NativeCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly useId: string | undefined;
  readonly mcpServer: string | undefined;
}

export function decodeTool({ name: nativeName, input: native, useId, mcpServer }: NativeCall): Tool {
  const known = (mcpServer === undefined ? knownTool(nativeName) : undefined) ?? mcpTool(nativeName, mcpServer);
  const { name, kind } = known ?? { name: nativeName, kind: 'other' as const };
  const input = renamed(native, known?.fields ?? {});
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  const calls = nativeName === 'apply_patch' ? patchCalls(textOf(native, 'patchText') ?? '') : [];
  const files = calls.length > 0 ? calls.map(({ file }) => file) : [textOf(input, 'file_path')].filter((path) => path !== undefined);
  const [only] = calls.length === 1 ? calls : [];
  return {
    name: only?.name ?? name,
    nativeName,
    kind,
    input: only === undefined ? input : { ...input, ...only.input },
    ...(useId !== undefined && { useId }),
    ...(command !== undefined && { command }),
    files: kind === 'read' || kind === 'edit' ? files : [],
    ...(calls.length > 1 && { calls }),
  };
}

/** The portable input of a call in the agent's own names. */
export function nativeInput(nativeName: string, portable: JsonObject): JsonObject | string {
  if (nativeName === 'apply_patch') return 'a patch cannot be put together again from a changed input';
  const fields = knownTool(nativeName)?.fields ?? {};
  return renamed(portable, Object.fromEntries(Object.entries(fields).map(([native, name]) => [name, native])));
}

function renamed(input: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [Object.hasOwn(names, key) ? (names[key] as string) : key, value]));
}

const PATCH_HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/** What a patch does to each file. */
function patchCalls(patch: string): FileCall[] {
  const calls: { file: string; verb: string; lines: string[] }[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const header = PATCH_HEADER.exec(line);
    if (header !== null) calls.push({ file: header[2]?.trim() ?? '', verb: header[1] ?? '', lines: [] });
    else if (!line.startsWith('*** ')) calls.at(-1)?.lines.push(line);
  }
  return calls.map(({ file, verb, lines }) =>
    verb === 'Add'
      ? { file, name: 'Write', input: { file_path: file, content: `${lines.map((line) => line.replace(/^\+/, '')).join('\n')}` } }
      : { file, name: 'Edit', input: { file_path: file, patch: lines.join('\n') } },
  );
}

/** What the task tool answers. */
const TASK = /^<task id="([^"]*)"[^>]*>\n<task_result>\n([\s\S]*?)\n?<\/task_result>/;

/** A tool's result as Claude Code's hooks read it. */
export function portableResponse(tool: Tool, output: JsonObject): unknown {
  const text = textOf(output, 'output') ?? '';
  const [, agentId, result] = TASK.exec(text) ?? [];
  return claudeResponse(tool, {
    text: (tool.name === 'Read' ? shownText(output) : result) ?? text,
    ...(Array.isArray(output.content) && { blocks: output.content }),
    diff: textOf(fieldsOf(output.metadata), 'diff'),
    agentId,
  });
}

/** The file's own text, where the agent shows it apart from the numbered lines that the model reads. */
function shownText({ metadata }: JsonObject): string | undefined {
  const display = isObject(metadata) && isObject(metadata.display) ? metadata.display : {};
  return textOf(display, 'text');
}
