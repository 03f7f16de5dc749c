import type { JsonObject, Tool } from '@piton/contracts';
import { isObject } from '../shared/json-fields.ts';
import { mcpTool, toolCallIn, translatedTool } from '../shared/tool-call.ts';
import { type ToolTable, type ToolTranslation, translationOf } from '../shared/tool-translation.ts';

/** What is on its list, in the words of Claude Code and back. */
const todos = (field: string, to: string, done: string, toDone: string) => (input: JsonObject) => {
  if (!Array.isArray(input.todos)) return input;
  const item = (one: unknown): unknown => {
    if (!isObject(one)) return one;
    const { [field]: text, status, ...rest } = one;
    return {
      ...rest,
      ...(text !== undefined && { [to]: text }),
      ...(status !== undefined && { status: status === done ? toDone : status }),
    };
  };
  return { ...input, todos: input.todos.map(item) };
};

const FILE: ToolTranslation['fields'] = { path: 'file_path' };

export const TOOLS: ToolTable = {
  Bash: { name: 'Bash', kind: 'shell' },
  Write: { name: 'Write', kind: 'edit', fields: FILE },
  Edit: { name: 'Edit', kind: 'edit', fields: FILE },
  Read: { name: 'Read', kind: 'read', fields: { ...FILE, line_offset: 'offset', n_lines: 'limit' } },
  ReadMediaFile: { name: 'Read', kind: 'read', fields: FILE },
  Glob: { name: 'Glob', kind: 'other' },
  Grep: { name: 'Grep', kind: 'other' },
  TodoList: {
    name: 'TodoWrite',
    kind: 'todo',
    reshape: { toPortable: todos('title', 'content', 'done', 'completed'), toNative: todos('content', 'title', 'completed', 'done') },
  },
  Agent: { name: 'Agent', kind: 'subagent' },
  AgentSwarm: { name: 'AgentSwarm', kind: 'subagent' },
  WebSearch: { name: 'WebSearch', kind: 'web' },
  FetchURL: { name: 'WebFetch', kind: 'web' },
  AskUserQuestion: { name: 'AskUserQuestion', kind: 'other' },
  EnterPlanMode: { name: 'EnterPlanMode', kind: 'other' },
  ExitPlanMode: { name: 'ExitPlanMode', kind: 'other' },
  Skill: { name: 'Skill', kind: 'other' },
};

/** `mcp__server__tool`, as Claude Code says it. */
const MCP = /^mcp__.+?__.+$/;

export function decodeTool(fields: JsonObject, problems: string[]): Tool | undefined {
  const call = toolCallIn(fields, problems);
  if (call === undefined) return undefined;
  return MCP.test(call.nativeName) ? mcpTool(call, call.nativeName) : translatedTool(call, translationOf(TOOLS, call.nativeName));
}
