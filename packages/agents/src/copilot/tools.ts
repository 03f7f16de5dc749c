import type { JsonObject, Tool } from '@piton/contracts';
import { textOf } from '../shared/json-fields.ts';
import { fileCalls } from '../shared/patch-calls.ts';
import { mcpTool, toolCallIn, translatedTool } from '../shared/tool-call.ts';
import { nativeInput, type ToolTable, type ToolTranslation, translationOf, VIEW_RANGE } from '../shared/tool-translation.ts';

const SHELL: ToolTranslation = { name: 'Bash', kind: 'shell' };
const READ: ToolTranslation = { name: 'Read', kind: 'read', fields: { path: 'file_path' }, reshape: VIEW_RANGE };
const WRITE: ToolTranslation = { name: 'Write', kind: 'edit', fields: { path: 'file_path', file_text: 'content' } };
const EDIT: ToolTranslation = {
  name: 'Edit',
  kind: 'edit',
  fields: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' },
};
const SUBAGENT: ToolTranslation = { name: 'Agent', kind: 'subagent', fields: { agent_type: 'subagent_type' } };
const TODOS: ToolTranslation = { name: 'TodoWrite', kind: 'todo' };
const SEARCH: ToolTranslation = { name: 'Grep', kind: 'other', fields: { paths: 'path' } };

/** Under its own names, and under those that the PascalCase dialect gives them; the inputs are the same in both. */
export const TOOLS: ToolTable = {
  bash: SHELL,
  powershell: SHELL,
  Bash: SHELL,
  view: READ,
  Read: READ,
  create: WRITE,
  Write: WRITE,
  edit: EDIT,
  Edit: EDIT,
  apply_patch: EDIT,
  task: SUBAGENT,
  Agent: SUBAGENT,
  grep: SEARCH,
  rg: SEARCH,
  Grep: SEARCH,
  glob: { name: 'Glob', kind: 'other', fields: { paths: 'path' } },
  Glob: { name: 'Glob', kind: 'other', fields: { paths: 'path' } },
  web_fetch: { name: 'WebFetch', kind: 'web' },
  WebFetch: { name: 'WebFetch', kind: 'web' },
  web_search: { name: 'WebSearch', kind: 'web' },
  WebSearch: { name: 'WebSearch', kind: 'web' },
  ask_user: { name: 'AskUserQuestion', kind: 'other' },
};

/** The to-do list is a table of the session's database; a query that only reads it changes nothing. */
const CHANGES_TODOS = /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+["'`[]?todos\b/i;

/** A portable input that a hook wrote, as the tool itself takes it; undefined where it cannot be said. */
export function toNativeInput(tool: Tool, input: JsonObject): JsonObject | undefined {
  return typeof tool.input.patch === 'string' ? undefined : nativeInput(translationOf(TOOLS, tool.nativeName), input);
}

/** The tool of an event in portable words. Copilot CLI gives its calls no id. */
export function decodeTool(fields: JsonObject, cwd: string, problems: string[]): Tool | undefined {
  const { tool_name: name, tool_input: input } = fields;
  // `apply_patch` takes bare text, and is called `Edit` in the other dialect.
  if (typeof name === 'string' && typeof input === 'string' && translationOf(TOOLS, name) === EDIT)
    return patchTool(name, input, cwd, problems);
  const call = toolCallIn(fields, problems);
  if (call === undefined) return undefined;
  const mcp = mcpName(call.nativeName);
  if (mcp !== undefined) return mcpTool(call, mcp);
  const diff = textOf(call.given, 'diff');
  if (diff !== undefined && translationOf(TOOLS, call.nativeName) === EDIT) return withDiff(translatedTool(call, EDIT), diff);
  const changesTodos = call.nativeName === 'sql' && CHANGES_TODOS.test(textOf(call.given, 'query') ?? '');
  return translatedTool(call, changesTodos ? TODOS : translationOf(TOOLS, call.nativeName));
}

/** A request for permission names a file and what becomes of it, as a diff: which of its tools is to do it stays unsaid. */
function withDiff(tool: Tool, diff: string): Tool {
  const lines = diff.slice(Math.max(0, diff.search(/^@@ /m))).split('\n');
  const textOn = (signs: string): string =>
    lines
      .filter((line) => line !== '' && signs.includes(line.charAt(0)))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  if (/^--- a?\/dev\/null$/m.test(diff)) return { ...tool, name: 'Write', input: { ...tool.input, content: textOn('+') } };
  return { ...tool, input: { ...tool.input, old_string: textOn(' -'), new_string: textOn(' +') } };
}

/** The patch itself stays in the input: a call with one cannot be modified. */
function patchTool(nativeName: string, patch: string, cwd: string, problems: string[]): Tool {
  const calls = fileCalls(patch, cwd);
  const [only] = calls;
  if (only === undefined) problems.push('the patch names no file');
  const tool = { nativeName, kind: 'edit', files: calls.map(({ file }) => file) } as const;
  if (only !== undefined && calls.length === 1) return { ...tool, name: only.name, input: { ...only.input, patch } };
  return { ...tool, name: 'Edit', input: { patch }, calls };
}

/** The one server whose own name holds dashes that everybody has. */
const BUILT_IN_SERVER = 'github-mcp-server';

/**
 * `<server>-<tool>` in tool events, `<server>/<tool>` in permission requests; no tool of its own has such a name. Where a
 * server's name holds a dash the first part is taken for it: nothing in the payload is more precise.
 */
function mcpName(nativeName: string): string | undefined {
  const [, server, tool] =
    (nativeName.startsWith(`${BUILT_IN_SERVER}-`) && [nativeName, BUILT_IN_SERVER, nativeName.slice(BUILT_IN_SERVER.length + 1)]) ||
    /^([^/]+)\/(.+)$/.exec(nativeName) ||
    /^([^-]+)-(.+)$/.exec(nativeName) ||
    [];
  return server && tool ? `mcp__${server}__${tool}` : undefined;
}
