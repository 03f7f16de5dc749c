import type { JsonObject, Tool } from '@piton/contracts';
import { isObject } from '../shared/json-fields.ts';
import { absolute, fileCalls } from '../shared/patch-calls.ts';
import { mcpTool, type ToolCall, toolCallIn, translatedTool } from '../shared/tool-call.ts';
import { type ToolTable, type ToolTranslation, translationOf, VIEW_RANGE } from '../shared/tool-translation.ts';
import { EDITS } from './edit-entries.ts';

const FILE = { path: 'file_path' };

/** It waits or does not; Claude Code runs in the background or does not. Seconds here, milliseconds there. */
const WAITING: ToolTranslation['reshape'] = {
  toPortable: ({ wait, max_wait_seconds: seconds, ...input }) => ({
    ...input,
    ...(typeof wait === 'boolean' && { run_in_background: !wait }),
    ...(typeof seconds === 'number' && { timeout: seconds * 1000 }),
  }),
  toNative: ({ run_in_background: apart, timeout, ...input }) => ({
    ...input,
    ...(typeof apart === 'boolean' && { wait: !apart }),
    ...(typeof timeout === 'number' && { max_wait_seconds: timeout / 1000 }),
  }),
};

const STATES: Readonly<Record<string, string>> = {
  NOT_STARTED: 'pending',
  IN_PROGRESS: 'in_progress',
  COMPLETE: 'completed',
  CANCELLED: 'cancelled',
};
const wordFor = (word: unknown, pairs: readonly (readonly [string, string])[]): unknown =>
  pairs.find(([from]) => from === word)?.[1] ?? word;
const RENAMED = Object.entries(STATES);
const BACK = RENAMED.map(([native, portable]) => [portable, native] as const);

const eachTask =
  (from: string, to: string, change: (task: JsonObject) => JsonObject) =>
  ({ [from]: tasks, ...input }: JsonObject): JsonObject =>
    tasks === undefined
      ? input
      : { ...input, [to]: Array.isArray(tasks) ? tasks.map((task) => (isObject(task) ? change(task) : task)) : tasks };

const TASKS: ToolTranslation = {
  name: 'TodoWrite',
  kind: 'todo',
  reshape: {
    toPortable: eachTask('tasks', 'todos', ({ name, state, ...task }) => ({
      ...task,
      ...(name !== undefined && { content: name }),
      ...(state !== undefined && { status: wordFor(state, RENAMED) }),
    })),
    toNative: eachTask('todos', 'tasks', ({ content, status, ...task }) => ({
      ...task,
      ...(content !== undefined && { name: content }),
      ...(status !== undefined && { state: wordFor(status, BACK) }),
    })),
  },
};

const SUBAGENT = 'sub-agent-';
/** Each kind of subagent is a tool of its own, those of the user as well. */
const subagent = (type: string): ToolTranslation => ({
  name: 'Agent',
  kind: 'subagent',
  fields: { instruction: 'prompt' },
  reshape: {
    toPortable: (input) => ({ ...input, subagent_type: type }),
    toNative: ({ subagent_type: _, ...input }) => input,
  },
});
/** Those that Auggie brings. */
const SUBAGENTS = ['explore', 'plan', 'auggie-guide', 'general-purpose', 'research', 'code', 'validate'];

export const TOOLS: ToolTable = {
  'launch-process': { name: 'Bash', kind: 'shell', reshape: WAITING },
  // What is typed into a process may be a shell's next line.
  'write-process': { name: 'Bash', kind: 'shell', fields: { input_text: 'command' } },
  'save-file': { name: 'Write', kind: 'edit', fields: { ...FILE, file_content: 'content' } },
  'str-replace-editor': { name: 'Edit', kind: 'edit', fields: FILE, reshape: EDITS },
  apply_patch: { name: 'Edit', kind: 'edit' },
  'remove-files': { name: 'Edit', kind: 'edit' },
  view: { name: 'Read', kind: 'read', fields: FILE, reshape: VIEW_RANGE },
  add_tasks: TASKS,
  update_tasks: TASKS,
  reorganize_tasklist: { name: 'TodoWrite', kind: 'todo' },
  'web-fetch': { name: 'WebFetch', kind: 'web' },
  'web-search': { name: 'WebSearch', kind: 'web' },
  'ask-user': { name: 'AskUserQuestion', kind: 'other' },
  ...Object.fromEntries(SUBAGENTS.map((type) => [`${SUBAGENT}${type}`, subagent(type)])),
};

export function translation(nativeName: string, given: JsonObject): ToolTranslation | undefined {
  // It may also show again what a subagent said.
  if (nativeName.startsWith(SUBAGENT)) return given.action === 'output' ? undefined : subagent(nativeName.slice(SUBAGENT.length));
  return translationOf(TOOLS, nativeName);
}

/** `tool_server`: a name of a server with an underscore in it is parted at its last one. */
const MCP = /^(.+)_([^_]+)$/;

function ofServer({ nativeName }: ToolCall): string {
  const [, tool = nativeName, server = 'unknown'] = MCP.exec(nativeName) ?? [];
  return `mcp__${server}__${tool}`;
}

/** The calls that one tool makes on several files. */
const CALLS: Readonly<Record<string, (given: JsonObject, cwd: string) => NonNullable<Tool['calls']>>> = {
  apply_patch: ({ input }, cwd) => fileCalls(typeof input === 'string' ? input : '', cwd),
  'remove-files': ({ file_paths: files }, cwd) =>
    (Array.isArray(files) ? files : [])
      .filter((file) => typeof file === 'string')
      .map((file) => ({ file, name: 'Edit', input: { file_path: absolute(file, cwd), deleted: true } })),
};

export const isOfFiles = (nativeName: string): boolean => Object.hasOwn(CALLS, nativeName);

export function decodeTool(fields: JsonObject, cwd: string, problems: string[]): Tool | undefined {
  const call = toolCallIn(fields, problems);
  if (call === undefined) return undefined;
  if (fields.is_mcp_tool === true) return mcpTool(call, ofServer(call));
  if (isOfFiles(call.nativeName)) return onFiles(call, cwd, problems);
  const tool = translatedTool(call, translation(call.nativeName, call.given));
  return tool.name === 'Edit' && Array.isArray(tool.input.edits) ? { ...tool, name: 'MultiEdit' } : tool;
}

function onFiles({ given, ...call }: ToolCall, cwd: string, problems: string[]): Tool {
  const calls = CALLS[call.nativeName]?.(given, cwd) ?? [];
  const [only] = calls;
  if (only === undefined) problems.push('the call names no file');
  if (only !== undefined && calls.length === 1) return { ...call, kind: 'edit', name: only.name, input: only.input, files: [only.file] };
  const input = typeof given.input === 'string' ? { patch: given.input } : given;
  return { ...call, kind: 'edit', name: 'Edit', input, files: calls.map(({ file }) => file), calls };
}
