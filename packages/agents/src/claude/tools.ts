import type { Agent, JsonObject, Tool, ToolKind } from '@piton/contracts';
import { textOf } from '../shared/json-fields.ts';
import { toolCallIn, translatedTool } from '../shared/tool-call.ts';

/** Reading the task list changes nothing, so TaskList and TaskGet are `other`; so is TaskStop, which ends a background command. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: 'shell',
  PowerShell: 'shell',
  Monitor: 'shell',
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  Write: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Agent: 'subagent',
  Task: 'subagent',
  TodoWrite: 'todo',
  TaskCreate: 'todo',
  TaskUpdate: 'todo',
  WebFetch: 'web',
  WebSearch: 'web',
};

/** Claude Code's tool names are the portable ones. */
export const TOOLS: Agent['tools'] = Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, { name, kind }]));

export function kindOf(toolName: string): ToolKind {
  if (toolName.startsWith('mcp__')) return 'mcp';
  return Object.hasOwn(KINDS, toolName) ? (KINDS[toolName] as ToolKind) : 'other';
}

export function decodeTool(fields: JsonObject, problems: string[]): Tool | undefined {
  const call = toolCallIn(fields, problems);
  if (call === undefined) return undefined;
  const kind = kindOf(call.nativeName);
  const tool = translatedTool(call, { name: call.nativeName, kind });
  return kind === 'read' || kind === 'edit' ? { ...tool, files: filesOf(tool.input) } : tool;
}

function filesOf(input: JsonObject): string[] {
  return ['file_path', 'notebook_path'].flatMap((field) => textOf(input, field) ?? []);
}
